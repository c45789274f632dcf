"""geDIG as a memory: what is retrieved, and when it is enough, is decided by its gauge.

Every decision is an event of `Evidence.trace` in the layout of `gswlab.gedig.record`;
its nodes are chunk ids and "question", its spans those of the passages proposed, and
its own keys are

======== ==========================================================================
step     decisions of this question before it, from 0
action   "retrieve" (another round of it), "take" (the next passage of the first
         list), "follow" (a passage by its link) or "answer"
labels   titles of the passages proposed, in the order of `nodes`
forced   whether it was an answer because no round, or no room, was left
tokens   of all that is held after the action
reason   in a few words, why
======== ==========================================================================
"""

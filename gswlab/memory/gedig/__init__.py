"""geDIG as a memory: what is retrieved, and when it is enough, is decided by its gauge.

Every decision is an event of `Evidence.trace`, of kind `priced`, its spans those of the
passages proposed. Its keys, the same whatever gate decides:

============ ==========================================================================
key          value
============ ==========================================================================
step         decisions of this question before it, from 0
nodes        names of the passages that the edit adds (chunk ids)
labels       their titles, or first words, in the same order
edges        [[name, name], ...] that it adds; the question's own name is "question"
terms        [[cost, gain, shorter], ...], a row a hop
series       [F, ...], a number a hop: cost - lam * (gain + gamma * shorter)
g0, g_min    the first and the lowest of the series
hop          the hop of the lowest
lam, gamma   what weighed the terms
theta_ag     the threshold of AG, which fires where g0 is above it; None without gates
theta_dg     that of DG, which fires where g_min is at or below it
ag, dg       whether they fired
action       what was done: "retrieve" (another round of it), "take" (the next passage
             of the first list), "follow" (a passage by its link) or "answer"
forced       whether it was an answer because no round was left
tokens       of all that is held after the action
reason       in a few words, why
============ ==========================================================================

Terms can be weighed anew with other `lam`, `gamma` and thresholds without a graph.
"""

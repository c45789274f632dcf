"""What is true of any memory.

The nouns of the workbench, a word each:

- document, chapter, turn: an untouched text and its parts; span: characters of it;
- chunk: a run of sentences, what is read at a time;
- local map: what an operator finds in one chunk; actors, verb phrases, questions, times
  and places, relations: what stands in it, and in a workspace after reconciliation;
- episode: what binds a date, a place, a protagonist and a kind of event; vote: a piece
  of evidence for one of them, bound: its best reading;
- step: everything one chunk changed, and the decisions behind it; event: what a memory
  did that changed no workspace;
- workspace: the fold of steps; journal: the steps on disk; diff: two workspaces held
  against each other;
- evidence: what a memory hands a reader; answer: what the reader makes of it.
"""

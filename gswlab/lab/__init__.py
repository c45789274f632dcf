"""What might have been: forks, edits by hand, other orders of reading.

>>> from gswlab.lab.futures.fork import fork                       # doctest: +SKIP
>>> two = fork(lab, 3, "reconciler.threshold=0.9")                  # doctest: +SKIP
>>> two.ask("Who was arrested?")                                    # doctest: +SKIP

A journal is the one truth of a run, so nothing here changes a step: a fork copies the
steps before it, an edit is a fork that decides one actor anew.
"""

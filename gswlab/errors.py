"""One family of errors: a sentence with the value, the rule and the next command."""

from __future__ import annotations


class GswlabError(Exception):
    """What a user can mend. Printed as one sentence, without a traceback.

    >>> print(GswlabError("chunk 99 is out of range", "0 to 12", "gswlab step RUN 12"))
    chunk 99 is out of range (rule: 0 to 12); try: gswlab step RUN 12
    """

    def __init__(self, problem: str, rule: str = "", command: str = "") -> None:
        self.problem, self.rule, self.command = problem, rule, command
        text = problem + (f" (rule: {rule})" if rule else "")
        super().__init__(text + (f"; try: {command}" if command else ""))

"""One family of errors: a sentence with the value, the rule and the next command."""

from __future__ import annotations


class GswlabError(Exception):
    """What a user can mend. Printed as one sentence, without a traceback.

    >>> print(GswlabError("no step 99", "0 to 12", "python -m gswlab step RUN 12"))
    no step 99 (rule: 0 to 12); try: python -m gswlab step RUN 12
    """

    status = 2  # of a command that ends with it

    def __init__(self, problem: str, rule: str = "", command: str = "") -> None:
        self.problem, self.rule, self.command = problem, rule, command
        text = problem + (f" (rule: {rule})" if rule else "")
        super().__init__(text + (f"; try: {command}" if command else ""))

    def __reduce__(self) -> tuple[type[GswlabError], tuple[str, str, str]]:
        return type(self), (self.problem, self.rule, self.command)

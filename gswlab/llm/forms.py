"""How a server is held to a schema: the strictest form of request that it takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gswlab.llm.ask import Ask, ModelError
from gswlab.llm.endpoint import FORMS, Endpoint, RefusedError


@dataclass
class Forms:
    """Asks in the best form that the server takes, remembered once it did."""

    _form: int = field(default=0, init=False)

    def chat(self, endpoint: Endpoint, ask: Ask, **settings: Any) -> dict[str, Any]:
        """One reply; a plainer form is tried when one is not understood."""
        refusal = ""
        for form in FORMS[self._form :] if ask.schema else FORMS[-1:]:
            try:
                reply = endpoint.chat(ask, form, **settings)
            except RefusedError as refused:
                refusal = str(refused)
                continue
            if ask.schema:
                self._form = FORMS.index(form)
            return reply
        raise ModelError(f"{endpoint.base_url} refuses the request: {refusal}")

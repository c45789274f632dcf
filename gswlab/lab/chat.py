"""A talk with an agent, kept as a run: stepped, shown, exported and resumed like any.

>>> talk = gswlab.chat(human="Ann, a baker.")                       # doctest: +SKIP
>>> print(talk.send("I have moved to Oslo.", time="2024-05-08"))    # doctest: +SKIP
Noted.

The journal holds every message and every step; beside it `memory.sqlite` is the agent's
own file, in which a turn and its step are one transaction. A process that is killed
between the two is put right when the chat is opened again: nothing is said twice.
"""

from __future__ import annotations

from gswlab.core.display import Displayed
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Span
from gswlab.lab import config
from gswlab.lab.lab import Lab
from gswlab.memgpt.memory import MemGPT
from gswlab.memgpt.window import AgentTurn, Window
from gswlab.text.document import document_of

FILE = "memory.sqlite"


class Chat(Displayed):
    """A lab whose chunks are what somebody says.

    Raises:
        GswlabError: its memory is not an agent.
    """

    def __init__(self, lab: Lab) -> None:
        memory = lab.config.settings["memory"]
        if "replies" not in memory:
            problem = f"memory={lab.names['memory']} cannot be talked to"
            raise GswlabError(problem, "an agent replies", "memory=memgpt")
        lab.folder.make()
        memory["file"] = str(lab.folder.path / FILE)
        self.lab = lab
        self._catch_up()
        # who was killed after the last word left the agent's file as it was: opened,
        # it is put right too
        _ = self.agent

    def _catch_up(self) -> None:
        """Read what was said and got no step: its turn was stopped, or killed."""
        lab = self.lab
        for chunk in lab.journal.chunks(len(lab.workspace.chunks)):
            lab.read(chunk)

    @property
    def agent(self) -> MemGPT:
        """The agent, at the last message."""
        agent: MemGPT = self.lab.memory
        return agent

    def send(
        self, text: str, time: str | None = None, speaker: str = "user"
    ) -> AgentTurn:
        """Say something; message, reply and step are on disk when this returns."""
        self._catch_up()
        number = len(self.lab.workspace.chunks)
        document = document_of(text, f"message-{number}", time=time)
        span = Span(document.id, 0, len(text))
        place = f"{document.id}:0:0", document.id, None, number
        chunk = Chunk(*place, text, span, speaker=speaker, time=time)
        self.lab.journal.add(document, [chunk])
        self.lab.read(chunk)
        assert self.agent.last
        return self.agent.last

    def context(self) -> Window:
        """What fills the window now, and why."""
        return self.agent.context()

    def __repr__(self) -> str:
        said = len(self.lab.workspace.chunks)
        return f"Chat({str(self.lab.folder.path)!r}: {said} messages)"


def chat(
    *overrides: str,
    run: str | None = None,
    persona: str | None = None,
    human: str | None = None,
) -> Chat:
    """A chat under these settings, begun or gone on with.

    `run` is its folder; `persona` and `human` are what its first two blocks say.
    """
    told = {"run.dir": run, "memory.persona": persona, "memory.human": human}
    given = [f"{key}={config.quoted(text)}" for key, text in told.items() if text]
    return Chat(config.open("experiment=chat", *overrides, *given))

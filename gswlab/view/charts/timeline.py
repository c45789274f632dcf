"""The timeline of questions as a vector figure: bars, and how many stay open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import visible
from gswlab.view.charts.chart import Chart, panelled
from gswlab.view.timeline import Timeline, Wait, timeline

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

DRAWN = 24  # questions of a figure
_SHORT = 48  # characters of a question beside its bar
_LOOKS: tuple[tuple[str, str, Literal["-", "--"], str], ...] = (
    ("answered", "#0072B2", "-", "o"),
    ("loose end", "#D55E00", "--", ">"),
)


def question_timeline(
    of: Any, *, alt: str, most: int = DRAWN
) -> tuple[Chart, pd.DataFrame]:
    """The timeline as a figure, and the table it is drawn from.

    >>> chart, data = question_timeline(lab, alt="Two stay open.")   # doctest: +SKIP
    >>> chart.save("questions.pdf")                                  # doctest: +SKIP

    Args:
        of: a lab, a journal or a `Timeline`.
        alt: what the figure shows, in a sentence, for who cannot see it.
        most: questions drawn; the number of open ones is of all.
    """
    if not alt.strip():
        rule = "a sentence that says what the figure shows"
        raise GswlabError("the figure has no alt text", rule, 'alt="..."')
    told = of if isinstance(of, Timeline) else timeline(of)
    drawn, (bars, many) = panelled("Questions from asked to answered", 2)
    shown = sorted(told.waited[:most], key=lambda row: (row.asked, told.end(row)))
    drawn.figure.set_size_inches(6.75, 1.6 + 0.15 * len(shown))
    _bars(bars, told, shown)
    _open(many, told.open_after())
    for axis in (bars, many):
        axis.locator_params(axis="x", integer=True)
    bars.set_title(f"{len(shown)} of {len(told.waited)} that waited", fontsize=8)
    drawn.figure.legend(
        *bars.get_legend_handles_labels(),
        loc="outside lower center",
        ncols=3,
        fontsize=7,
        frameon=False,
    )
    done = drawn.done(legend=False)
    done.alt = alt
    return done, told.to_frame()


def _bars(axis: Axes, told: Timeline, shown: Sequence[Wait]) -> None:
    """Lines from asked to answered: solid to a dot, dashed to an arrow at the end."""
    for name, colour, dash, mark in _LOOKS:
        at = [n for n, row in enumerate(shown) if _is(row, name)]
        ends = [told.end(shown[n]) for n in at]
        starts = [shown[n].asked for n in at]
        axis.hlines(at, starts, ends, colors=colour, linestyles=dash, linewidth=1.2)
        look: dict[str, Any] = {"color": colour, "marker": mark, "markersize": 4}
        axis.plot(ends, at, linestyle="", label=name, **look)
    asked = [row.asked for row in shown]
    axis.plot(asked, range(len(shown)), "|", color="black", label="asked")
    names = [_brief(row) for row in shown]
    axis.set_yticks(range(len(shown)), names, fontsize=6)
    axis.invert_yaxis()
    axis.set(xlabel="step", xlim=(-0.5, max(len(told.labels) - 0.5, 0.5)))


def _open(axis: Axes, many: Sequence[int]) -> None:
    axis.step(range(len(many)), many, where="post", color="#0072B2", label="open")
    axis.set(xlabel="step", ylim=(0, None))
    axis.set_title("open after each step", fontsize=8)


def _is(row: Wait, name: str) -> bool:
    return (row.answered is None) == (name == "loose end")


def _brief(row: Wait) -> str:
    """A question in a few words: the occurrence says more than "someone" does."""
    slot = row.about and row.kind == "open slot"
    text = f"{row.about}: {row.slot}?" if slot else row.question
    said = visible(" ".join(text.split())).replace("$", r"\$")  # no mathematics
    return said if len(said) <= _SHORT else f"…{said[1 - _SHORT :]}"

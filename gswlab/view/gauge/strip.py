"""The gauge of a run beside its steps: a strip over all of them, a table for each.

The strip is one inline drawing for the whole run; the page moves a cursor along it. The
numbers are in the step's own table, so the drawing says nothing that words do not.
"""

from __future__ import annotations

from collections.abc import Sequence

from gswlab.gedig.record import Priced
from gswlab.view.gauge.trace import GATES, GaugeTrace, fires
from gswlab.view.run.events import worded
from gswlab.view.spans import escape
from gswlab.view.tables import Table

WIDE, HIGH, EDGE = 720.0, 96.0, 10.0
_LINES = (("g0", "on the spot", "#0072b2", ""), ("g_min", "at best", "#b24a86", "5 3"))


def gauge_strip(trace: GaugeTrace, first: int = 0) -> str:
    """Prices over the steps from `first` on; nothing where nothing was priced."""
    told = [(beat - first, one) for beat, one in trace.prices if beat >= first]
    if not told:
        return ""
    last = max(len(trace.beats) - first - 1, 1)
    prices = [(beat, one.price) for beat, one in told]
    values = [v for _, price in prices for v in (price.g0, price.g_min)]
    low, high = min(values), max(values)

    def x(beat: int) -> float:
        return EDGE + (WIDE - 2 * EDGE) * beat / last

    def y(value: float) -> float:
        return HIGH - EDGE - (HIGH - 2 * EDGE) * (value - low) / ((high - low) or 1.0)

    lines = "".join(
        f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" '
        f'stroke-dasharray="{dash}" points="'
        + " ".join(f"{x(n):.1f},{y(getattr(price, name)):.1f}" for n, price in prices)
        + '"/>'
        for name, _, colour, dash in _LINES
    )
    marks = "".join(_marks(x(n), one, y) for n, one in told)
    key = ", ".join(f"{'dashed' if dash else 'solid'} {w}" for _, w, _, dash in _LINES)
    return (
        '<figure class="gauge"><figcaption>The gauge, a price an edit: '
        f"{key}; ▲ AG fired, ● DG fired. {escape(trace.caption)}.</figcaption>"
        f'<svg viewBox="0 0 {WIDE:.0f} {HIGH:.0f}" role="img" aria-label="'
        f'{escape(trace.caption)}; the prices of a step are in its table" '
        f'data-edge="{EDGE:.0f}" data-wide="{WIDE:.0f}" data-last="{last}">{lines}'
        f'{marks}<line id="beat" y1="0" y2="{HIGH:.0f}" x1="{EDGE:.0f}" '
        f'x2="{EDGE:.0f}" stroke="currentColor"/></svg></figure>'
    )


def _marks(at: float, one: Priced, y: object) -> str:
    assert callable(y)
    drawn = []
    if fires(one, "ag"):
        top = y(one.price.g0)
        drawn.append(f'<path d="M{at:.1f} {top - 5:.1f}l4.5 8h-9z" fill="#d55e00"/>')
    if fires(one, "dg"):
        low = y(one.price.g_min)
        drawn.append(f'<circle cx="{at:.1f}" cy="{low:.1f}" r="3.5" fill="#009e73"/>')
    return "".join(drawn)


def gauge_table(prices: Sequence[Priced]) -> str:
    """The prices of one step, a row an edit, the thresholds beside them."""
    rows = tuple(_row(one) for one in prices)
    heads = ("edit", "on the spot", "θ AG", "at best", "θ DG", "fired", "so")
    return Table(heads, rows)._repr_html_()


def _row(one: Priced) -> tuple[str, ...]:
    data, price = one.data, one.price
    about = data.get("labels") or data.get("nodes") or ()
    fired = [gate.upper() for gate in GATES if fires(one, gate)]
    return (
        worded(about),
        f"{price.g0:.2f}",
        worded(one.theta_ag),
        f"{price.g_min:.2f} ({price.hop} hops)",
        worded(one.theta_dg),
        " and ".join(fired) or "none",
        one.action,
    )

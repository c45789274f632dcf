"""What handing over evidence costs: tokens times the price of a file."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from gswlab.models.ledger import Price


def money(tokens: float, price: Price) -> float:
    """The input cost of one question.

    >>> money(871, Price(2.5, 0))
    0.0022
    """
    cost = Decimal(str(tokens)) * Decimal(str(price.input)) / 1_000_000
    return float(two_digits(cost))


def two_digits(value: Decimal) -> Decimal:
    """To two significant digits, halves up, as the paper's table prints costs.

    >>> two_digits(Decimal("0.000915"))
    Decimal('0.00092')
    """
    last = value.adjusted() - 1
    return value.quantize(Decimal(1).scaleb(last), ROUND_HALF_UP)

"""Which rows are asked, and which are examples, in which order."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.questions.generation.prompt.examples.rows import ExampleRow

STEPS = (0, 1, 2, 4, 8, 16)
"""Numbers of examples at which a curve is measured, besides the most."""


@dataclass(frozen=True)
class DrawnExamples:
    """Rows of a table in their parts.

    Attributes:
        asked: Rows that are asked.
        orders: Examples, each time drawn anew of the other rows, and in their order; a prompt with
            fewer has the first of them.
        own: Examples of the user's own question: the same orders without its row.
    """

    asked: tuple[ExampleRow, ...]
    orders: tuple[tuple[ExampleRow, ...], ...]
    own: tuple[tuple[ExampleRow, ...], ...]


def draw(
    rows: Sequence[ExampleRow], question: str, *, examples: int, asked: int, orders: int, seed: int
) -> DrawnExamples:
    """Choose rows.

    Args:
        rows: The table.
        question: The user's own, whose row is no example of it.
        examples: How many are wanted; fewer where too few rows are left.
        asked: How many rows are asked; one at least stays an example, where any is wanted.
        orders: How many times examples are drawn.
        seed: Decides.
    """
    mixed = random.Random(f"{seed} rows").sample(rows, len(rows))  # noqa: S311
    count = max(0, min(asked, len(rows) - min(examples, max(1, len(rows) // 2))))
    pool = mixed[count:]
    others = [row for row in mixed if row.question != question]
    drawn = tuple(
        tuple(random.Random(f"{seed} {number}").sample(pool, min(examples, len(pool))))  # noqa: S311
        for number in range(orders)
    )
    first = random.Random(f"{seed} 0").sample(others, min(examples, len(others)))  # noqa: S311
    others_in_order = (
        tuple(random.Random(f"{seed} {number}").sample(first, len(first)))  # noqa: S311
        for number in range(1, orders)
    )
    return DrawnExamples(tuple(mixed[:count]), drawn, (tuple(first), *others_in_order))


def counts_up_to(most: int) -> tuple[int, ...]:
    """Numbers of examples at which a curve is measured."""
    return (*(step for step in STEPS if step < most), most)


def commonest(examples: Sequence[ExampleRow]) -> str | None:
    """The answer that most examples have; of several the last. None without examples."""
    answers = [row.answer for row in examples]
    return max(reversed(answers), key=answers.count, default=None)

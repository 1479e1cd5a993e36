"""Two masks of several that are filled together, as the page paints them."""

from collections.abc import Iterator

import numpy as np

from explorer.questions.masking.joint_decoding.parts import DEPENDENCE, mask_names
from explorer.questions.masking.joint_decoding.question import (
    QUESTION,
    Dependence,
    JointDecodingResult,
)
from explorer.text import N_, _
from explorer.text.formatting.numbers import decimal, with_percent
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import drawn
from explorer.ui.blocks import (
    Block,
    CellSize,
    HeatContent,
    Matrix,
    MatrixBlock,
    Picture,
    Scale,
    Shown,
    Space,
    page_of_parts,
    text_width,
)

MOVED = N_("moved")
ROOM = 0.65
"""Of the width, for the cells at most."""
BESIDE = 14.0
"""Pixels between the rows' labels and the cells, at either side."""
SIZE = CellSize(narrowest=46, widest=96, share=0.3, lowest=22, highest=26)


def percent(probability: float) -> str:
    """A share in whole percent; "<1" where it is not nothing."""
    if probability < 0.005:
        return "·" if probability < 0.0005 else "<1"
    return f"{probability * 100:.0f}"


def dependence(shown: Shown) -> Iterator[Block]:
    """What the second mask expects, given each word at the first: a row a word."""
    yield Picture(lambda width: _cells(shown.result, width).at(width))


def _cells(result: JointDecodingResult, width: float) -> MatrixBlock:
    """With as many words at the second mask as there is room for beside the rows' labels."""
    found, names = result.dependence, mask_names(result)
    assert found is not None
    first, second = names[found.first].said, names[found.second].said
    rows = [_("{second} alone", second=second)]
    for one in found.rows:
        is_one = _("{first} is {one}", first=first, one=drawn(one))
        rows.append(f"{is_one}  {with_percent(percent(one.probability))}")
    labels = max(text_width("small", row) for row in rows) + BESIDE
    room = min(width * ROOM, width - labels)
    columns = found.columns[: max(int(room // SIZE.narrowest) - 1, 1)]
    alone = [one.probability for one in columns]
    given = np.vstack([[alone], found.given[:, : len(alone)]])
    moved = ["", *(with_percent(f"{float(share) * 100:.0f}") for share in found.total_variation)]
    # The square root makes a change of a few percent visible; the numbers stand in the cells.
    changes = given - np.asarray(alone)
    shades = np.sign(changes) * np.sqrt(np.minimum(np.abs(changes), 1.0))

    def text(row: int, column: int) -> str:
        return moved[row] if column == len(alone) else percent(float(given[row, column]))

    def said(row: int, column: int) -> str:
        if row == 0:
            return _("{second} alone", second=second)
        if column == len(alone):
            return _movement(found, row - 1, first, second)
        return _both(found, row - 1, column, first, second)

    content = HeatContent(
        np.hstack([shades, np.zeros((len(rows), 1))]),
        tuple(rows),
        (*map(drawn, columns), _(MOVED)),
        Scale(1.0, diverging=True),
        row_title=_("{second} in %", second=second),
        texts=text,
        said=said,
        with_bar=False,
    )
    return MatrixBlock(Matrix(content), SIZE, Space.NEAR)


def _both(found: Dependence, row: int, column: int, first: str, second: str) -> str:
    return _(
        "With “{row}” at {first}, “{column}” has {in_digits} at {second}; alone it has "
        "{in_digits_2}.\nBoth together: {in_digits_3}, if each were alone: {in_digits_4}.",
        row=drawn(found.rows[row]),
        first=first,
        column=drawn(found.columns[column]),
        in_digits=in_digits(float(found.given[row, column])),
        second=second,
        in_digits_2=in_digits(found.columns[column].probability),
        in_digits_3=in_digits(float(found.joint[row, column])),
        in_digits_4=in_digits(float(found.independent[row, column])),
    )


def _movement(found: Dependence, row: int, first: str, second: str) -> str:
    return _(
        "With “{rows}” at {first}, {float} % of the probability at {second} moves to "
        "other words (total variation); KL divergence {float_2} nats.",
        rows=drawn(found.rows[row]),
        first=first,
        float=decimal(float(found.total_variation[row]) * 100, 1),
        second=second,
        float_2=decimal(float(found.kl[row]), 3),
    )


PAGE = page_of_parts(QUESTION, {DEPENDENCE: dependence})

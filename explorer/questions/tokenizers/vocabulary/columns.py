"""The columns of a vocabulary's pieces, on screen and in pictures."""

from collections.abc import Callable, Sequence

from explorer.questions.tokenizers.vocabulary.question import VocabularyRow
from explorer.questions.tokenizers.vocabulary.wording import about, place_said, script_said, written
from explorer.text import _
from explorer.text.formatting.numbers import whole
from explorer.ui.blocks import LongColumn, LongRows


def rows_of(
    count: int,
    read: Callable[[int, int], Sequence[VocabularyRow]],
    *,
    in_bytes: bool,
    compared: bool,
) -> LongRows[VocabularyRow]:
    """Pieces as rows.

    Args:
        count: How many there are.
        read: Gives those from a first one up to another.
        in_bytes: It is a vocabulary of bytes.
        compared: There is a second one.
    """
    made = _columns(in_bytes=in_bytes, compared=compared)
    return LongRows(made, count, read, about, _is_muted)


def _is_muted(row: VocabularyRow) -> bool:
    """No text has it, or it is no writing."""
    never = not row.uses and row.place not in ("special", "added", "unused")
    return never or not row.script


def _columns(*, in_bytes: bool, compared: bool) -> tuple[LongColumn[VocabularyRow], ...]:
    size = LongColumn[VocabularyRow](
        _("Bytes"),
        lambda row: whole(row.size),
        number=True,
        words=_("How many bytes it stands for, a space before it included."),
        goes=3,
    )
    second = LongColumn[VocabularyRow](
        _("In both"),
        lambda row: _("yes") if row.shared else _("no"),
        words=_("Whether the second vocabulary has the same text."),
        goes=2,
    )
    return (
        LongColumn(_("Id"), lambda row: str(row.id), "id", number=True),
        LongColumn(
            _("Piece"), lambda row: row.piece, mono=True, words=_("As the vocabulary writes it.")
        ),
        LongColumn(
            _("Stands for"),
            lambda row: written(row).said,
            "text",
            words=_("As a word; dots are where the rest of one would be."),
        ),
        LongColumn(
            _("Uses"),
            lambda row: whole(row.uses),
            "uses",
            number=True,
            words=_("How often it occurs in the text."),
        ),
        LongColumn(
            _("Characters"),
            lambda row: "" if row.characters is None else whole(row.characters),
            "length",
            number=True,
            words=_("How many characters it stands for, a space before it not counted."),
            goes=4,
        ),
        *([size] if in_bytes else []),
        LongColumn(_("What it is"), lambda row: place_said(row.place), goes=5),
        LongColumn(_("Script"), lambda row: script_said(row.script), "script", goes=1),
        *([second] if compared else []),
    )

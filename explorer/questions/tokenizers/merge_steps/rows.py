"""Steps and ways as rows of pieces below the letters of a word."""

from collections.abc import Iterator
from itertools import pairwise

from explorer.hf.text.alone import bytes_of
from explorer.questions.tokenizers.merge_steps.question import Part, Step, spans
from explorer.text import _
from explorer.text.formatting.numbers import whole, with_minus
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import visible
from explorer.ui.blocks.aligned.block import AlignedRows
from explorer.ui.blocks.aligned.rows import AlignedPiece, AlignedRow


def steps(part: Part, count: int, *, of_bytes: bool) -> AlignedRows:
    """A row a step, below the letters that it begins with.

    Args:
        part: Of the word.
        count: Steps that are shown.
        of_bytes: Its letters are signs for bytes: where those are not read at once, the bytes and
            what they are of stand above.
    """
    rows = [*_of_bytes(part)] if of_bytes else []
    rows += [
        AlignedRow(
            _label(step, number),
            _pieces(part, step.ends, step),
            strong=number == min(count, len(part.steps)),
        )
        for number, step in enumerate(part.steps[:count], 1)
    ]
    return AlignedRows(_letters(part), rows, _("Steps"))


def _of_bytes(part: Part) -> Iterator[AlignedRow]:
    """The characters that letters are the bytes of, and those bytes; none where all are ASCII."""
    data = bytes_of("".join(part.letters))
    if data.isascii() or len(data) != len(part.letters):
        return
    characters, ends = data.decode("utf-8", "replace"), [0]
    for character in characters:
        ends.append(ends[-1] + len(character.encode()))
    if ends[-1] != len(data):  # half a character stands in it
        characters, ends = "", [0]
    yield AlignedRow(
        _("characters"),
        [
            AlignedPiece(start, end, visible(character), ink="muted", words=character)
            for character, (start, end) in zip(characters, pairwise(ends), strict=True)
        ],
    )
    yield AlignedRow(
        _("bytes"),
        [
            AlignedPiece(at, at + 1, f"{byte:02X}", at > 0, "text", "pair_fill", small=True)
            for at, byte in enumerate(data)
        ],
    )


def _label(step: Step, number: int) -> str:
    if step.at < 0:
        return _("letters") if step.ends else _("nothing yet")
    if step.rank is not None:
        return _("{number}. rank {rank}", number=number - 1, rank=whole(step.rank))
    if step.score is not None:
        return f"{number - 1}.  {with_minus(step.score, 1)}"
    number -= 1
    return _("{number}. found", number=number) if step.found else _("{number}. no", number=number)


def _letters(part: Part) -> str:
    """What is cut; a mark that ends words is told by the pieces, not by a letter."""
    return "".join(letter[:1] for letter in part.letters)


def _pieces(
    part: Part, ends: tuple[int, ...], step: Step | None = None
) -> tuple[AlignedPiece, ...]:
    made = step.at if step is not None else -1
    found = step is None or step.found
    return tuple(
        AlignedPiece(
            start,
            end,
            joined=number > 0,
            ink=("accent" if found else "danger") if number == made else "text",
            ground="selection" if number == made and found else "raised",
            dotted=number == made and not found,
            words="".join(part.letters[start:end]),
        )
        for number, (start, end) in enumerate(spans(ends))
    )


def paths(part: Part) -> AlignedRows:
    """The likeliest ways to cut it, the best first."""
    rows = [
        AlignedRow(in_digits(path.probability), _pieces(part, path.ends), strong=number == 0)
        for number, path in enumerate(part.paths)
    ]
    return AlignedRows(_letters(part), rows, _("The likeliest ways"))

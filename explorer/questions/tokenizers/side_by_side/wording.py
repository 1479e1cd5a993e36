"""The pieces of a tokenizer in words: what stands in each, what is said of it, what was changed."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Protocol

from explorer.api.question.parts.tokens.cut_text import CutPiece, Line
from explorer.questions.tokenizers.algorithms import algorithm_said
from explorer.questions.tokenizers.side_by_side.changes import changes_in
from explorer.questions.tokenizers.side_by_side.question import (
    CharacterChange,
    Cutting,
    SideBySideResult,
    VocabularyPiece,
    differs_at,
)
from explorer.text import N_, NN_, Phrase, verbatim
from explorer.text.lists import line_by_line, one_after_another
from explorer.text.pieces import visible

CHANGES: Mapping[CharacterChange, str] = {
    CharacterChange.CASE: N_("lower case"),
    CharacterChange.ACCENTS: N_("accents left out"),
    CharacterChange.COMPOSED: N_("letters and marks composed (NFC)"),
    CharacterChange.DECOMPOSED: N_("letters decomposed (NFD)"),
    CharacterChange.COMPATIBLE: N_("compatible letters (NFKC)"),
    CharacterChange.SPACES: N_("spaces"),
    CharacterChange.REMOVED: N_("characters left out"),
    CharacterChange.REWRITTEN: N_("letters rewritten"),
}
SPACE = "␣"
NEAR = 6
"""Characters before a place at which two texts differ; behind it stand twice as many."""
LONGEST_WORD = 20
"""Characters of a word that is not cut around such a place."""


def pieces_of(result: SideBySideResult, one: Cutting, most: int) -> Iterator[CutPiece]:
    """The pieces that begin in the first characters of the text, as they are drawn."""
    shared, crossing = _shares(one), _crossing(one)
    for place, number in enumerate(one.which):
        start, end = int(one.starts[place]), int(one.ends[place])
        if start >= most:
            return
        kind = one.kinds[number]
        yield _piece(
            result.text,
            kind,
            (start, min(end, most)),
            shared.get(place, ""),
            joined=bool(one.joined[place]),
            crosses=place in crossing,
        )


def _shares(one: Cutting) -> dict[int, str]:
    """Of pieces that are parts of the same characters, "2/3" for the second of three."""
    alike: dict[tuple[int, int], list[int]] = {}
    for place, (start, end) in enumerate(zip(one.starts, one.ends, strict=True)):
        alike.setdefault((int(start), int(end)), []).append(place)
    return {
        place: f"{number}/{len(places)}"
        for places in alike.values()
        if len(places) > 1
        for number, place in enumerate(places, 1)
    }


def _crossing(one: Cutting) -> frozenset[int]:
    """Pieces that have some characters in common with a neighbour, and not all."""
    spans = list(zip(one.starts.tolist(), one.ends.tolist(), strict=True))
    found = set[int]()
    for place, (before, own) in enumerate(pairwise(spans), 1):
        if own[0] < before[1] and own != before:
            found |= {place - 1, place}
    return frozenset(found)


def _piece(
    text: str,
    kind: VocabularyPiece,
    span: tuple[int, int],
    part: str,
    *,
    joined: bool,
    crosses: bool,
) -> CutPiece:
    start, end = span
    characters = text[start:end]
    lines = _lines(kind, characters, span, part, crosses=crosses)
    if kind.data:
        look = _look(kind.data, "text", "pair_fill", small=True)
    elif kind.added:
        look = _look(kind.text, "mask", "mask_fill")
    elif kind.unknown:
        text = f"{visible(characters)} {part}" if part else ""
        look = _look(text, "danger", dotted=True, small=bool(part))
    elif not kind.written.strip():
        look = _look(visible(kind.written) or SPACE, "muted", small=bool(part))
    elif not changes_in(characters, kind.written):
        look = _look("", "text")
    else:
        look = _look(visible(kind.written.strip()), "accent")
    written, ink, ground, dotted, small = look
    return CutPiece(
        start,
        end,
        written,
        joined,
        ink,
        ground,
        dotted,
        small,
        tuple(lines),
        visible(characters) or kind.text,
    )


Look = tuple[str, str, str, bool, bool]


def _look(
    text: str, ink: str, ground: str = "raised", *, dotted: bool = False, small: bool = False
) -> Look:
    """What stands in a piece, its colours, whether it is dotted, whether it is small."""
    return text, ink, ground, dotted, small


def _lines(
    kind: VocabularyPiece, characters: str, span: tuple[int, int], part: str, *, crosses: bool
) -> list[Line]:
    """What is known of a piece, a line each."""
    lines: list[Line] = [
        (N_("Piece: {piece}"), {"piece": kind.text}),
        (N_("Id: {id}"), {"id": str(kind.id)}),
        (N_("Characters: {start} to {end} of the text"), {"start": span[0], "end": span[1]}),
    ]
    if kind.data:
        lines.append((N_("Bytes: {bytes}, no whole character"), {"bytes": kind.data}))
    if part:
        lines.append((N_("It is part {part} of these characters."), {"part": part}))
    if crosses:
        lines.append(N_("It shares characters with its neighbour."))
    if kind.unknown:
        lines.append(N_("Unknown: the vocabulary has no piece for these characters."))
    elif kind.added:
        lines.append(N_("A token of its own, found before the text is split."))
    elif kind.written == " " and not characters.isspace():
        lines.append(N_("A space that the tokenizer puts before the text."))
    elif not kind.data and not part and not crosses:
        changes = changes_in(characters, kind.written)
        if changes:
            lines.append(
                Phrase(N_("Changed before it was split: {changes}."), changes=_said(changes))
            )
    return lines


def changes_said(one: Cutting) -> str:
    """Everything that a tokenizer changed."""
    return _said(one.changes) or Phrase(N_("nothing"))


def _said(changes: Iterable[CharacterChange]) -> str:
    return one_after_another(Phrase(CHANGES[change]) for change in changes)


def read_back_said(result: SideBySideResult, one: Cutting) -> str:
    """Whether its pieces give the text again, and what they give where it is another one."""
    place = differs_at(result, one)
    if place is None:
        return Phrase(N_("exactly the text"))
    return Phrase(
        N_("differs from character {place} on: “{read}” for “{typed}”"),
        place=place,
        read=around(one.read_back, place),
        typed=around(result.text, place),
    )


def around(text: str, place: int) -> str:
    """What stands at a place of a text, with dots where there is more of it."""
    begin, end = max(0, place - NEAR), place + 2 * NEAR
    # Words are whole, but where a text has no spaces.
    before, after = text[:begin].rpartition(" ")[2], text[end:].partition(" ")[0]
    begin -= len(before) if len(before) <= LONGEST_WORD else 0
    end += len(after) if len(after) <= LONGEST_WORD else 0
    before, after = "… " if begin else "", " …" if end < len(text) else ""
    return f"{before}{visible(text[begin:end])}{after}"


class Titled(Protocol):
    """What has a title."""

    @property
    def title(self) -> str:
        """What a user reads."""


def title_of(one: Titled) -> str:
    """Its checkpoint without what all miniatures are called."""
    return one.title.replace(" miniature", "")


def about(one: Cutting) -> str:
    """What the label of a tokenizer explains."""
    lines = [
        verbatim(one.title),
        Phrase(
            N_("{algorithm}, {count} pieces"),
            algorithm=algorithm_said(one.algorithm),
            count=one.vocabulary,
        ),
    ]
    if one.alike:
        code = NN_(
            "{count} other checkpoint has the same tokenizer: {names}",
            "{count} other checkpoints have the same tokenizer: {names}",
        )
        lines.append(Phrase(code, count=len(one.alike), names=", ".join(one.alike)))
    return line_by_line(lines)

"""A vocabulary: its pieces to search, what it is made of, and what a text uses of it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from explorer.api.question import (
    Amount,
    Amounts,
    Cards,
    Choices,
    Look,
    Manner,
    OneCard,
    OneChoice,
    OwnPicture,
    Rows,
    Said,
    Sets,
    Width,
    column,
    sets,
)
from explorer.questions.tokenizers.vocabulary.options import (
    FILE,
    OVERVIEW,
    PAGE_SHOWN,
    PIECE,
    PIECES,
    WHICH,
    NearnessMeasure,
    Which,
)
from explorer.questions.tokenizers.vocabulary.question import (
    Counted,
    Group,
    NearestPieces,
    Overlap,
    VocabularyResult,
    VocabularyRow,
)
from explorer.questions.tokenizers.vocabulary.wording import (
    about,
    found_said,
    headline_said,
    marks_said,
    named,
    notes,
    place_said,
    script_said,
    source_said,
    vectors_said,
    written,
)
from explorer.text import N_, Phrase, _, verbatim
from explorer.text.formatting.numbers import percent
from explorer.text.lists import one_after_another
from explorer.text.printable import shortened

QUOTED = 20
"""Characters of a piece in a step's name."""
NO_TEXT = ("special", "added", "unused")
MOST_SCRIPTS = 16
"""Scripts that have a row of their own."""
LENGTHS = N_("Characters that a piece stands for, a space before it not counted.")
SIZES = N_("Bytes that a piece stands for, a space before it included.")
RENYI = N_(
    "Rényi efficiency (order 2.5) is 1 where all pieces that are used are used equally often "
    "(Zouhar et al. 2023)."
)
SCRIPTS = N_(
    "By Unicode's script property, of the pieces that stand for text. Digits and "
    "signs next to letters go with these; letters of several scripts are mixed."
)
OVERLAP = N_(
    "By what a piece stands for, not by how it is spelled: “Ġthe” and “the” are one word, “…ing” "
    "is one part of words. Capitals count."
)
NO_OVERLAP = N_(
    "Load a second model, or choose a checkpoint above, to see what both have in common."
)
CHOOSE = N_("Click a piece to see which pieces the model has nearly the same vectors for.")
Kinds = Said | Cards | Rows | Amounts | Choices | OwnPicture


def parts(result: VocabularyResult, page: str = PIECES, path: str = "") -> Sequence[Kinds]:
    """Which vocabulary it is, then the page that is chosen."""
    first = (
        Said(headline_said(result), Manner.HEADING),
        *(Said(one, near=True) for one in (marks_said(result), *notes(result))),
    )
    if page == PIECES:
        cards = (OneCard("", tuple(_found(result))), OneCard("", tuple(_near(result))))
        return (*first, Cards(cards, framed=False, shares=(2.2, 1.0)))
    if page == OVERVIEW:
        return (*first, Cards(tuple(_overview(result)), Width.WIDE))
    return (*first, *_use(result, path))


def near(piece: VocabularyRow) -> Sets:
    """What choosing a piece does: it is asked what is near it."""
    step = Phrase(N_("look near {piece}"), piece=f"'{shortened(piece.text, QUOTED)}'")
    return sets(PIECE, named(piece), step)


def _found(result: VocabularyResult) -> Iterator[Said | OwnPicture]:
    if result.no_search:
        yield Said(result.no_search, Manner.WARNING)
        return
    yield Said(found_said(result) if result.found else N_("No piece is so."), near=True)
    if result.found:
        yield OwnPicture("pieces")


@dataclass(frozen=True)
class NearRow:
    """A piece near to another, by one table of vectors."""

    piece: str = column(N_("piece"))
    side: str = column(N_("vectors"), key=True, shown=False)
    text: str = column(N_("text"), key=True, shown=False)
    cosine: float = column(N_("cosine"), digits=3)
    dot: float = column(N_("dot"), digits=2, dispensable=True)
    rank: int = column(N_("rank"), dispensable=True)


def _near(result: VocabularyResult) -> Iterator[Said | Rows]:
    """The nearest pieces, or how to ask for them."""
    if result.piece is not None:
        title = Phrase(N_("Nearest to “{piece}”"), piece=written(result.piece))
        yield Said(title, Manner.TITLE)
    if result.no_neighbours:
        yield Said(result.no_neighbours, near=True)
    elif result.piece is None:
        yield Said(CHOOSE, Manner.HINT)
    if result.piece is None:
        return
    by_cosine = result.measure is NearnessMeasure.COSINE
    for each in result.neighbours:
        yield Said(vectors_said(each, alone=len(result.neighbours) == 1), near=True)
        yield _nearest(each, by_cosine=by_cosine)


def _nearest(each: NearestPieces, *, by_cosine: bool) -> Rows:
    pieces = {one.piece.text: one.piece for one in each.nearest}
    rows = tuple(
        NearRow(written(one.piece), each.side, one.piece.text, one.cosine, one.dot, rank)
        for rank, one in enumerate(each.nearest, 1)
    )
    return Rows(
        NearRow,
        rows,
        "cosine" if by_cosine else "dot",
        scale=(0.0, 1.0) if by_cosine else None,
        gesture=lambda row: near(pieces[row.text]),
        words=lambda row: verbatim(about(pieces[row.text])),
        in_files=False,
    )


@dataclass(frozen=True)
class PieceKindRow:
    """Pieces that are the same in words."""

    name: str = column(N_("name"), key=True, written=place_said)
    pieces: int = column(N_("pieces"))
    share: float = column(N_("share"), written=percent)
    used: float | None = column(
        N_("used"), written=percent, tip=N_("Share of them that occur in the text."),
        dispensable=True,
    )  # fmt: skip


@dataclass(frozen=True)
class ScriptRow(PieceKindRow):
    """Pieces of one script."""

    name: str = column(N_("name"), key=True, written=script_said)


def _groups(kind: type[PieceKindRow], groups: Sequence[Group]) -> Rows:
    pieces = sum(one.pieces for one in groups) or 1
    rows = (
        kind(
            one.name,
            one.pieces,
            one.pieces / pieces,
            None if one.name in NO_TEXT else one.used / one.pieces,
        )
        for one in groups
    )
    return Rows(kind, tuple(rows), "share", scale=(0.0, 1.0), in_files=False)


def _overview(result: VocabularyResult) -> Iterator[OneCard]:
    """What pieces are in words, their scripts and lengths, and what another vocabulary has."""
    yield OneCard(N_("What the pieces are"), (_groups(PieceKindRow, result.places),))
    scripts: list[Said | Rows] = [Said(SCRIPTS, Manner.EXPLANATION, near=True)]
    scripts.append(_groups(ScriptRow, result.scripts[:MOST_SCRIPTS]))
    if rest := result.scripts[MOST_SCRIPTS:]:
        names = one_after_another(_script(one) for one in rest)
        scripts.append(Said(Phrase(N_("Fewer: {names}"), names=names)))
    yield OneCard(N_("Scripts"), scripts)
    said = Phrase.joined([LENGTHS, *([SIZES] if len(result.sizes) else [])])
    yield OneCard(N_("Lengths"), (Said(said, Manner.EXPLANATION, near=True), OwnPicture("lengths")))
    overlap = result.overlap
    if overlap is None:
        yield OneCard(N_("A second vocabulary"), (Said(NO_OVERLAP),))
        return
    title = Phrase(N_("Compared with {title}"), title=verbatim(overlap.title))
    yield OneCard(title, tuple(_overlap(overlap)))


def _script(one: Group) -> Phrase:
    return Phrase("{script} {count}", script=verbatim(script_said(one.name)), count=one.pieces)


def _overlap(overlap: Overlap) -> Iterator[Said | Amounts]:
    yield Said(OVERLAP, Manner.EXPLANATION, near=True)
    shares = (
        Amount("only_here", N_("only here"), overlap.here, colour="bar"),
        Amount("in_both", N_("in both"), overlap.shared, colour="bar_original"),
        Amount("only_there", N_("only there"), overlap.there, colour="bar_second"),
    )
    yield Amounts(shares, in_summary=False, look=Look.SHARES)
    either = overlap.shared + overlap.here + overlap.there
    code = N_("{share} of all texts are in both. {alike} pieces are spelled alike, marks included.")
    share = percent(overlap.shared / either if either else 0.0)
    yield Said(Phrase(code, share=share, alike=overlap.alike))
    for title, some in (
        (N_("Only here"), overlap.first_here),
        (N_("Only there"), overlap.first_there),
    ):
        if some:
            yield Said(title, Manner.STRONG)
            yield Said(one_after_another(_all(some)), Manner.PLAIN, near=True)


def _all(some: Iterable[str]) -> Iterator[Phrase]:
    yield from map(verbatim, some)
    yield verbatim("…")


@dataclass(frozen=True)
class TopRow:
    """A piece that is used most."""

    piece: str = column(N_("piece"))
    text: str = column(N_("text"), key=True, shown=False)
    uses: int = column(N_("uses"))
    share: float = column(N_("share"), written=percent)
    rank: int = column(N_("rank"), dispensable=True)


def _use(result: VocabularyResult, path: str) -> Iterator[Said | Choices | Amounts | Cards]:
    """How much of the vocabulary a text uses, and which pieces most."""
    counted = result.counted
    yield Said(source_said(counted), Manner.PLAIN, near=True)
    if path:
        leave = sets(FILE, "", N_("count in the small world"))
        words = N_("Count in the small world instead")
        yield Choices((OneChoice(words, leave, key="world"),))
    yield _use_numbers(counted)
    yield Said(RENYI, Manner.ABOUT, near=True)
    pieces = {one.text: one for one in counted.top}
    rows = tuple(
        TopRow(written(one), one.text, one.uses, one.uses / counted.pieces, rank)
        for rank, one in enumerate(counted.top, 1)
    )
    top: list[Rows | Choices] = [
        Rows(
            TopRow,
            rows,
            "uses",
            gesture=lambda row: near(pieces[row.text]),
            words=lambda row: verbatim(about(pieces[row.text])),
            in_files=False,
        )
    ]
    if counted.never:
        values = {WHICH.key: Which.NEVER.value, PAGE_SHOWN.key: None}
        shows = Sets(values, N_("show pieces never used"))
        never = OneChoice(N_("Show the pieces that are never used"), shows, key="never")
        top.append(Choices((never,)))
    cards = (
        OneCard(N_("The most used pieces"), top),
        OneCard("", (OwnPicture("ranks"),)),
    )
    yield Cards(cards, Width.WIDE)


def _use_numbers(counted: Counted) -> Amounts:
    """How much of the vocabulary a text uses."""
    of_all = counted.words
    amounts = (
        Amount(
            "never_share",
            N_("never used"),
            counted.never_share,
            words=N_("Of the pieces that stand for text, the share that the text never uses."),
            written=percent,
        ),
        Amount(
            "used",
            N_("pieces used"),
            counted.used,
            words=N_("Special tokens and unused slots are not counted."),
            written=lambda used: _("{used} of {words}", used=used, words=of_all),
        ),
        Amount(
            "efficiency",
            N_("Rényi efficiency"),
            counted.efficiency,
            words=N_("Of order 2.5, of the pieces of the text."),
            digits=3,
        ),
    )
    return Amounts(amounts, in_summary=False)

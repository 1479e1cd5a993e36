"""What tokenizers learned: the text cut by each, what size is worth, every piece in its order."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from explorer.api.question import (
    Cards,
    Choices,
    Manner,
    OneCard,
    OneChoice,
    OwnPicture,
    Rows,
    Said,
    Sets,
    Toggles,
    Width,
    sets,
)
from explorer.api.question.parts.tokens.cut_text import CutText
from explorer.questions.tokenizers.side_by_side.parts import in_numbers, rows
from explorer.questions.tokenizers.side_by_side.question import TOKENIZERS
from explorer.questions.tokenizers.train_tokenizer.options import (
    ALGORITHMS,
    FILE,
    ROWS,
    SHOW,
    START,
    Algorithm,
)
from explorer.questions.tokenizers.train_tokenizer.question import (
    LearntRow,
    TrainTokenizerResult,
    learnt,
    made,
    measures_table,
    table,
)
from explorer.questions.tokenizers.train_tokenizer.trainer.folder import FAMILIES
from explorer.questions.tokenizers.train_tokenizer.trainer.trained import TrainedVocabulary
from explorer.questions.tokenizers.train_tokenizer.wording import (
    ABOUT,
    HOW,
    name_of,
    sized,
    source_said,
    total_said,
)
from explorer.text import N_, Phrase

NOT_KEPT = N_("What was trained could not be kept: the next text trains it again.")
CURVES = N_("Solid lines: the text that was trained on; dashed lines: lines kept aside.")
SAVED_HOW = N_(
    "“Save as a folder” writes the tokenizer whose pieces are shown: other pages open it by the "
    "folder's path."
)
Kinds = Said | Choices | CutText | OwnPicture | Rows | Cards


@dataclass(frozen=True)
class TrainingSettings:
    """What the page follows: the options of now."""

    algorithms: tuple[str, ...] = ALGORITHMS.default
    path: str = ""
    asked: float = 0.0
    show: str = SHOW.default
    find: str = ""
    start: int = 0
    saved: str = ""
    beside: tuple[str, ...] = ()


def parts(result: TrainTokenizerResult, **settings: Any) -> Iterator[Kinds]:
    """What is trained; then the rows, the numbers, the curves and the pieces."""
    now = TrainingSettings(**settings)
    yield Said(ABOUT, Manner.ABOUT)
    yield Choices(tuple(_switch(one, now) for one in Algorithm), N_("Algorithms"))
    if now.path:
        name = Phrase(N_("File: {name}"), name=now.path.replace("\\", "/").rpartition("/")[2])
        leave = sets(FILE, "", N_("train on the small world"))
        yield Choices((OneChoice(N_("Use the small world's text"), leave, key="world"),), name)
    if result.missing:
        yield OwnPicture("missing")
    for refused in result.refused:
        said = Phrase(N_("{name}: {why}"), name=name_of(refused.algorithm), why=refused.why)
        yield Said(said, Manner.WARNING)
    if result.cut is None:
        return
    yield Said(source_said(result.source))
    if not result.is_kept:
        yield Said(NOT_KEPT, Manner.WARNING)
    yield rows(result.cut, Phrase, partial(table, result))
    few = N_("{name}: the text yields {count} pieces, and no more are to be found in it.")
    for one in result.trained:
        if len(one.pieces) < round(now.asked):
            yield Said(Phrase(few, name=name_of(one.algorithm), count=len(one.pieces)))
    yield from in_numbers(result.cut, Phrase)
    measured = OwnPicture("curves", partial(measures_table, result), file=N_("by size"))
    curves = (Said(CURVES, Manner.EXPLANATION, near=True), measured)
    cards = (
        OneCard(N_("By the size of the vocabulary"), curves),
        OneCard("", tuple(_learnt(result, now))),
    )
    yield Cards(cards, Width.WIDE, framed=False)
    yield Said(SAVED_HOW, Manner.HINT)
    yield from _saved(now)


def _switch(one: Algorithm, now: TrainingSettings) -> OneChoice:
    name = name_of(one)
    toggles = Toggles(ALGORITHMS, (one.value,), Phrase(N_("train {name}"), name=name))
    pressed = one.value in now.algorithms
    return OneChoice(name, toggles, pressed=pressed, key=("algorithm", one.value))


def chosen(result: TrainTokenizerResult, show: str) -> TrainedVocabulary:
    """The tokenizer whose pieces are shown: the first one where the chosen one was not trained."""
    return next((one for one in result.trained if one.algorithm.value == show), result.trained[0])


def _learnt(result: TrainTokenizerResult, now: TrainingSettings) -> Iterator[Said | Choices | Rows]:
    """Every piece of the tokenizer that is chosen, in the order in which it was learnt."""
    one = chosen(result, now.show)
    unigram = one.algorithm is Algorithm.UNIGRAM
    title = N_("Pieces, the likeliest first") if unigram else N_("Merges in their order")
    yield Said(title, Manner.TITLE)
    if len(result.trained) > 1:
        yield Choices(tuple(_whose(other, chosen=other is one) for other in result.trained))
    yield Said(sized(one), Manner.STRONG, near=True)
    yield Said(HOW[one.algorithm], Manner.EXPLANATION, near=True)
    if unigram:
        yield Said(total_said(one), near=True)
    wanted = now.find.strip()
    found = [rank for rank, piece in enumerate(made(one)) if wanted in piece]
    if not found:
        none = N_("There is room for single letters only: nothing was merged.")
        missed = Phrase(N_("No piece that was learnt has “{words}” in it."), words=wanted)
        yield Said(missed if wanted else none)
        return
    at = next((place for place, rank in enumerate(found) if rank >= now.start), 0)
    bar = "probability" if unigram else "occurrences"
    yield Rows(LearntRow, tuple(learnt(one, found[at : at + ROWS])), bar, in_files=False)
    if len(found) > ROWS:
        yield Choices(tuple(_moves(found, at)))


def _whose(other: TrainedVocabulary, *, chosen: bool) -> OneChoice:
    name, value = name_of(other.algorithm), other.algorithm.value
    values = {SHOW.key: SHOW.written(value), START.key: None}
    shows = Sets(values, Phrase(N_("show the pieces of {name}"), name=name))
    return OneChoice(name, shows, chosen, key=("show", value))


def _moves(found: list[int], at: int) -> Iterator[OneChoice]:
    """Back and forward."""
    last = max(0, (len(found) - 1) // ROWS * ROWS)
    for title, to, key in (
        (N_("First"), 0, "first"),
        (N_("Back"), max(0, at - ROWS), "back"),
        (N_("Forward"), at + ROWS if at + ROWS < len(found) else at, "forward"),
        (N_("Last"), last, "last"),
    ):
        rank = found[to]
        step = Phrase(N_("show from rank {rank}"), rank=rank)
        yield OneChoice(title, sets(START, rank, step), key=("move", key))


def _saved(now: TrainingSettings) -> Iterator[Said | Choices]:
    """Where the last one lies that was saved, and the way to other pages."""
    if not now.saved:
        return
    yield Said(Phrase(N_("Saved in {folder}."), folder=now.saved), Manner.HINT)
    if now.saved in now.beside:
        yield Said(N_("It is a row of “Tokenizers side by side”."), Manner.HINT)
        return
    names = (*(now.beside or FAMILIES), now.saved)
    adds = sets(TOKENIZERS, names, N_("lay it side by side"))
    title = N_("Add it to “Tokenizers side by side”")
    yield Choices((OneChoice(title, adds, key="side_by_side"),))

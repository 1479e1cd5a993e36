"""What every changed word does to a prediction: word by word, and edit by edit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer.api.question import (
    Cards,
    Choices,
    Manner,
    OneCard,
    OneChoice,
    Put,
    Puts,
    Ranked,
    RowLook,
    Said,
    Sentence,
    Sets,
    Width,
    column,
    sets,
)
from explorer.document import Mask
from explorer.questions.cause.edits.question import (
    AT,
    DIFFERENCE,
    DIVERGENCE,
    LOG_PROBABILITY,
    ONLY,
    EditEffect,
    EditRow,
    EditsRequest,
    EditsResult,
    PredictionKind,
    row_of,
)
from explorer.questions.cause.edits.rules import EVERY_RULE, SYNONYM
from explorer.questions.cause.edits.wording import (
    edit_said,
    name_of,
    numbered,
    predicted_said,
    put_said,
    strongest_said,
)
from explorer.text import N_, NN_, Phrase, verbatim

LISTED = 40
"""Edits that have a row; the table for export has all."""
ABOUT = N_(
    "Other words replace each word, one at a time, and the model reads the whole "
    "sentence anew: nothing is approximated. Neighbours are the whole words with "
    "the most similar vectors in the model's vocabulary (cosine)."
)
RULES_ARE_ENGLISH = N_(
    "The rules of grammar are for English, with words of the miniatures' world; all other words "
    "stay as they are."
)
SYNONYMS_ARE_NEAR = N_("A synonym here is a near and equally likely word, not always a true one.")
ABOUT_SYNONYMS = N_(
    "A synonym is the nearest of a word's neighbours that the model takes for half to twice as "
    "likely in its place, while the word is hidden there. Words of opposite meaning may be near, "
    "too: they are used alike. A word of several pieces has none."
)
BARS = {DIVERGENCE: "divergence", LOG_PROBABILITY: "change", DIFFERENCE: "difference_change"}
"""The columns of what the bars measure."""
IN_FILES = ("cosine", "log_probability", "difference", "best_probability", "rule")


@dataclass(frozen=True)
class EditedWordRow(EditRow):
    """A word with the edit of it that moves the prediction most."""

    put: str | None = column(N_("strongest edit"), compared=False)


def parts(
    result: EditsResult,
    measure: str = DIVERGENCE,
    only: Sequence[int] = (),
    request: EditsRequest | None = None,
) -> Iterator[Sentence | Said | Cards | Ranked | Choices]:
    """What is predicted, what each word's edits do, and the edits, strongest first.

    Args:
        result: The answer.
        measure: What edits are ranked by.
        only: The number of the word whose edits alone are listed; () for all.
        request: What was asked.
    """
    gestures = _others(result)
    yield Sentence(
        result.tokens,
        {result.position: Phrase(N_("asked"))} if gestures else {},
        dict.fromkeys(gestures, N_("Click to ask about this token.")),
        gestures,
        only_alone=not gestures,
    )
    yield Said(predicted_said(result), Manner.STRONG)
    if not result.edits:
        yield Said(N_("No word of the sentence could be edited."))
        yield from _of_rules(request)
        return
    measure = measured(result, measure)
    yield Said(strongest_said(result, result.ranked(measure)[0]), Manner.PLAIN, near=True)
    yield from _of_rules(request)
    place = next((one.place for one in result.edits if only and one.place == only[0]), None)
    of = name_of(result, result.word)
    words, edits = _words(result, measure, place, of), _edits(result, measure, place, of)
    title = N_("Edits, strongest first")
    if place is not None:
        title = Phrase(N_("Edits of “{word}”"), word=numbered(result, place))
    yield Cards(
        (OneCard(N_("Word by word"), (words,)), OneCard(title, tuple(edits))),
        Width.WIDE,
        framed=False,
        shares=(0.9, 1.1),
    )
    if result.skipped:
        yield Said(
            Phrase(
                NN_(
                    "{count} edit could not be asked about: the place, or what fits into the "
                    "model, is another one with it.",
                    "{count} edits could not be asked about: the place, or what fits into the "
                    "model, is another one with them.",
                ),
                count=result.skipped,
            )
        )
    yield Said(ABOUT, Manner.ABOUT)
    if request is not None and request.rule in (SYNONYM, EVERY_RULE):
        yield Said(ABOUT_SYNONYMS, Manner.ABOUT, near=True)


def _of_rules(request: EditsRequest | None) -> Iterator[Said]:
    """What is to be known of edits by rule; nothing where no rule was asked for."""
    if request is None or not request.rule or request.words:
        return
    if request.rule != SYNONYM:
        yield Said(RULES_ARE_ENGLISH, Manner.NOTE, near=True)
    if request.rule in (SYNONYM, EVERY_RULE):
        yield Said(SYNONYMS_ARE_NEAR, Manner.NOTE, near=True)


def measured(result: EditsResult, measure: str) -> str:
    """What edits are ranked by: the divergence where the answer has not what is chosen."""
    return DIVERGENCE if measure == DIFFERENCE and result.difference is None else measure


def _others(result: EditsResult) -> dict[int, Sets]:
    """What may be asked about instead, by position: another mask, or any token to be judged."""
    tokens = enumerate(result.tokens)
    if result.kind is PredictionKind.REPLACED:
        places = [n for n, one in tokens if not one.special]
    else:
        places = [n for n, one in tokens if one.masked]
    if len(places) < 2:
        return {}
    return {n: sets(AT, (n,), N_("ask about another token")) for n in places}


def _words(result: EditsResult, measure: str, only: int | None, of: str) -> Ranked:
    """Each word with the edit of it that moves the prediction most."""
    best: dict[int, EditEffect] = {}
    for one in result.ranked(measure):
        best.setdefault(one.place, one)
    rows = {n: row_of(EditedWordRow, result, n, best.get(n)) for n in range(len(result.words))}
    numbers = {row: n for n, row in rows.items()}

    def chosen(row: EditedWordRow) -> bool:
        return numbers[row] == only

    def words(row: EditedWordRow) -> str:
        if chosen(row):
            return N_("Click to list all edits again.")
        return Phrase(N_("Click to list the edits of “{word}” alone."), word=row.word)

    def lists(row: EditedWordRow) -> Sets | None:
        value = () if chosen(row) else (numbers[row],)
        return None if row.put is None else sets(ONLY, value, N_("choose a word's edits"))

    def look(row: EditedWordRow) -> RowLook:
        label = verbatim(numbered(result, numbers[row]))
        return RowLook(label, ground="selection" if chosen(row) else "", key=("word", numbers[row]))

    return Ranked(
        EditedWordRow,
        tuple(rows.values()),
        BARS[measure],
        scale=_scale(result, measure),
        gesture=lists,
        words=words,
        chosen=chosen,
        in_files=False,
        look=look,
        hidden=(*_unseen(measure), "probability", "best"),
        name=N_("Word by word"),
        of=of,
    )


def _edits(
    result: EditsResult, measure: str, only: int | None, of: str
) -> Iterator[Choices | Ranked | Said]:
    """The edits, each of which a click puts into the sentence."""
    if only is not None:
        back, tip = sets(ONLY, (), N_("choose a word's edits")), N_("List the edits of every word.")
        yield Choices((OneChoice(N_("All words"), back, tip=tip, key=("word", None)),))
    ranked = result.ranked(measure)
    rows = [row_of(EditRow, result, one.place, one) for one in ranked]
    effects = dict(zip(rows, ranked, strict=True))
    shown = sum(only in (None, one.place) for one in ranked)

    def puts(row: EditRow) -> Puts:
        one = effects[row]
        return Puts((Put(Mask(row.start, row.end, row.part), one.put),))

    def look(row: EditRow) -> RowLook:
        one = effects[row]
        inks = {"best": "accent" if one.best != result.best else "muted"}
        label, key = put_said(result, one), ("edit", one.place, one.put)
        return RowLook(verbatim(label), words=edit_said(result, one), inks=inks, key=key)

    yield Ranked(
        EditRow,
        tuple(rows),
        BARS[measure],
        LISTED,
        scale=_scale(result, measure),
        gesture=puts,
        drawn=lambda row: only in (None, effects[row].place),
        look=look,
        hidden=("word", *_unseen(measure)),
        name=N_("Edits, strongest first"),
        of=of,
    )
    if shown > LISTED:
        yield Said(
            Phrase(
                N_(
                    "The {listed} that move the prediction most, of {count}; the table for export "
                    "has them all."
                ),
                listed=LISTED,
                count=shown,
            )
        )


def _unseen(measure: str) -> tuple[str, ...]:
    """The numbers that are in files alone, and those of the other measures."""
    return (*IN_FILES, *(name for one, name in BARS.items() if one != measure))


def _scale(result: EditsResult, measure: str) -> tuple[float, float]:
    """Both ends of the axis of all bars."""
    top = max(abs(one.moved(measure)) for one in result.edits) or 1.0
    return (0.0 if measure == DIVERGENCE else -top, top)

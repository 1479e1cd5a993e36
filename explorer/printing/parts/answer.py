"""A whole answer: who gave it, what stands out, its parts, and what did not fit."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from explorer.api.question import Failure, Part, Question
from explorer.api.question.parts.cards import Cards
from explorer.api.question.parts.charts.curves import Curves
from explorer.api.question.parts.matrices.grid import Grid
from explorer.api.question.parts.matrices.heads import Heads
from explorer.api.question.parts.matrices.token_pairs import TokenPairs
from explorer.api.question.parts.own_picture import OwnPicture
from explorer.api.question.parts.predictions.compared import Compared
from explorer.api.question.parts.predictions.predictions import Predictions
from explorer.api.question.parts.said import Manner, Said
from explorer.api.question.parts.tokens.losses import Losses
from explorer.api.question.parts.tokens.scores import Scores
from explorer.headless import AnsweredRun
from explorer.printing.columns import LINE, wrapped
from explorer.printing.heads import notes_of, print_models, print_notes, print_text, tell_left_out
from explorer.printing.parts import pictures
from explorer.printing.parts.rows import rows_in_lines, table_in_lines
from explorer.text import said

IN_LINES: dict[type[Part], Callable[[Any], Iterator[str]]] = {
    Compared: pictures.compared_in_lines,
    Curves: pictures.curves_in_lines,
    Grid: pictures.grid_in_lines,
    Heads: pictures.heads_in_lines,
    Losses: pictures.losses_in_lines,
    Predictions: pictures.predictions_in_lines,
    Scores: pictures.scores_in_lines,
    TokenPairs: pictures.pairs_in_lines,
}
"""What draws a kind; of all others the rows are told."""
UNSAID = (Manner.HINT, Manner.NOTE, Manner.EXPLANATION, Manner.ABOUT)
"""Sentences for whoever sees the page: what can be done there, and what its terms mean."""


def print_answer(answered: AnsweredRun, *looks: Mapping[str, Any]) -> None:
    """Print an answer for a person, with what is laid beside it where that was asked for.

    Args:
        answered: With the document that says how it is looked at.
        looks: Other ways to look at it, which are all printed: values of what its parts take,
            {"page": "count"}. None for that of the document.
    """
    from explorer.questions import question_of

    run, result = answered.run, answered.result
    question = question_of(run.request)
    print_models(run.models, answered.titles)
    if run.document.text:
        print_text(answered)
    print_notes(result)
    told = {said(note) for note in notes_of(result)}
    first = question.headline_of(result, **question.settings_of(run.document)).sentence
    if first:
        print("\n".join(wrapped(said(first), LINE)))
    for block in (*_blocks(question, answered, looks or ({},)), *_beside(answered)):
        # What has been told above is not told again: a note, or what all looks begin with.
        if block and (words := " ".join(block)) not in told:
            told.add(words)
            print("\n".join(("", *block)))
    tell_left_out(result)


def _blocks(
    question: Question[Any, Any], answered: AnsweredRun, looks: Iterable[Mapping[str, Any]]
) -> Iterator[Sequence[str]]:
    """The lines of its parts, and where its page draws something itself, of all its rows."""
    document = answered.run.document
    parts: Sequence[Part] = ()
    if question.has_parts:
        settings = question.settings_of(document)
        if "selected" in question.parts_take:
            settings["selected"] = None
        ids = {stamp.id: stamp.id for stamp in answered.run.models.values()}
        titles = {**ids, **answered.titles}
        parts = tuple(
            part
            for look in looks
            for part in question.parts_of(answered.result, document, titles, **{**settings, **look})
        )
    yield from blocks_of(parts)
    whole = not parts or OwnPicture in question.part_kinds
    table = answered.run.table if whole else None
    if table is not None:
        yield list(table_in_lines(table))


def _beside(answered: AnsweredRun) -> Iterator[Sequence[str]]:
    """What is laid beside an answer: how far apart both are, and the rows."""
    from explorer.questions import question_of

    for detail, result in answered.beside.items():
        if isinstance(result, Failure):
            yield [said(result.message)]
            continue
        question = question_of(detail.request)
        first = question.headline_of(result).sentence
        yield [
            f"{said(question.title)} ({detail.model.id})",
            *([said(first)] if first else ()),
            *table_in_lines(question.table(result)),
        ]


def blocks_of(parts: Iterable[Part], above: str = "") -> Iterator[Sequence[str]]:
    """The lines of each part, with its title; parts without any are left out.

    Args:
        parts: Of an answer, or of a card.
        above: The title of the card, which stands above its first part.
    """
    title: list[str] = []
    for part in parts:
        if isinstance(part, Cards):
            for card in part.cards:
                of = card.model.id if card.model is not None else said(card.title)
                for block in blocks_of(card.parts, of):
                    yield [*title, *block]
                    title = []
        elif isinstance(part, Said) and part.manner is Manner.TITLE:
            # Of what is no letters nothing stands below it.
            title = [said(part.text)]
        elif lines := list(_lines(part)):
            titles = dict.fromkeys(one for one in (*title, above, said(part.title)) if one)
            title, above = [], ""
            yield [*titles, *lines]


def _lines(part: Part) -> Iterator[str]:
    """The lines of one part, without its title."""
    if not isinstance(part, Said):
        yield from IN_LINES.get(type(part), rows_in_lines)(part)
    elif part.text and (
        part.manner not in UNSAID or (part.near and part.manner is not Manner.HINT)
    ):
        yield from wrapped(said(part.text), LINE)

"""What every changed word does to a prediction: word by word, and edit by edit."""

import math
from collections.abc import Iterator, Mapping, Sequence

from explorer.api import ModelCard
from explorer.document import Document, Mask
from explorer.questions.cause.edits.question import (
    AGAINST,
    AT,
    DIFFERENCE,
    DIVERGENCE,
    LOG_PROBABILITY,
    MEASURE,
    ONLY,
    OPERATION,
    WORD,
    EditEffect,
    EditsResult,
    Kind,
)
from explorer.text import N_, _, ngettext
from explorer.text.bidi import isolated
from explorer.text.numbers import decimal
from explorer.text.probabilities import in_digits
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.left_out import left_out
from explorer.ui.blocks.page import Offer, Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.text import Text, heading, note
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.document.gestures import Edit, put_words
from explorer.ui.sentence.pieces import visible

LISTED = 40
"""Edits that have a row; the table for export has all."""

DEAR = 4e11
"""Multiplications above which the question waits for the Run button: some seconds on a CPU."""

COLUMNS = {
    DIVERGENCE: (N_("divergence"), N_("KL(before ‖ after), in nats, of the whole distributions.")),
    LOG_PROBABILITY: (N_("change"), N_("Of the asked word's log-probability, in nats.")),
    DIFFERENCE: (N_("change"), N_("Of the difference between the two words' logits.")),
}
"""What the bars measure: the title of their column, and what it means."""

JUDGEMENTS = {"replaced": N_("replaced"), "original": N_("original")}

ABOUT = N_(
    "Each word gives its place to others, one at a time, and the model reads the whole sentence "
    "anew: nothing is approximated. Neighbours are the whole words whose vectors in the model's "
    "vocabulary point most nearly the same way (cosine)."
)


def blocks(shown: Shown) -> Iterator[Block]:
    """What is predicted, what each word's edits do, and the edits, strongest first."""
    result: EditsResult = shown.result
    measure = measure_of(shown)
    yield from left_out(result.left_out)
    choices = _choices(shown)
    if shown.alone or choices:
        words = dict.fromkeys(choices, _("Click to ask about this token."))
        notes = {result.position: _("asked")} if choices else {}
        yield Tokens(result.tokens, shown.asked, notes, words, choices, above=4)
    yield Text(predicted_said(result), "strong")
    if not result.edits:
        yield note(_("No word of the sentence could be edited."))
        return
    strongest = result.ranked(measure)[0]
    yield Text(strongest_said(result, strongest), above=2)
    only = _only(shown)
    yield Columns(
        [
            Card([heading(_("Word by word")), _words(shown, measure, only)], _("Word by word")),
            Card(list(_edits(shown, measure, only)), _("Edits")),
        ],
        400,
        framed=False,
        shares=(0.9, 1.1),
    )
    if result.skipped:
        yield note(
            ngettext(
                "{count} edit could not be asked about: the place, or what fits into the model, "
                "is another one with it.",
                "{count} edits could not be asked about: the place, or what fits into the model, "
                "is another one with them.",
                result.skipped,
            ),
            above=10,
        )
    yield note(_(ABOUT), above=12)


def measure_of(shown: Shown) -> str:
    """What edits are ranked by: the divergence where the answer has not what is chosen."""
    chosen: str = shown.value(MEASURE)
    return DIVERGENCE if chosen == DIFFERENCE and shown.result.difference is None else chosen


def name_of(result: EditsResult, word: str) -> str:
    """A word as it is shown: a judgement in the reader's language."""
    return _(JUDGEMENTS[word]) if result.kind is Kind.REPLACED else visible(word) or word


def numbered(result: EditsResult, place: int) -> str:
    """A word; one that stands there several times with which of them it is."""
    word = result.words[place].word
    alike = [n for n, one in enumerate(result.words) if one.word.casefold() == word.casefold()]
    return word if len(alike) < 2 else f"{word} ({alike.index(place) + 1})"


def predicted_said(result: EditsResult) -> str:
    """What is predicted without an edit."""
    values = {
        "word": name_of(result, result.word),
        "probability": in_digits(math.exp(result.log_probability)),
    }
    if result.kind is Kind.REPLACED:
        token = result.tokens[result.position]
        return _(
            "“{token}” was replaced with probability {probability}, the model says.",
            token=visible(token.text),
            probability=values["probability"],
        )
    if result.word == result.best:
        said = _("Unedited, “{word}” is expected most: {probability}.", **values)
    else:
        said = _(
            "Unedited, “{word}” has probability {probability}; “{best}” is expected most: {most}.",
            **values,
            best=name_of(result, result.best),
            most=in_digits(result.best_probability),
        )
    if result.difference is None:
        return said
    more = _(
        "Its logit minus that of “{against}”: {difference}.",
        against=name_of(result, result.against),
        difference=decimal(result.difference, 3),
    )
    return f"{said} {more}"


def strongest_said(result: EditsResult, one: EditEffect) -> str:
    """The edit that moves the prediction most."""
    return _(
        "“{old}” → “{new}” moves it most: then “{best}” is first, with {probability}.",
        old=numbered(result, one.place),
        new=one.put,
        best=name_of(result, one.best),
        probability=in_digits(one.best_probability),
    )


def _choices(shown: Shown) -> Mapping[int, Edit]:
    """What may be asked about instead, by position: another mask, or any token to be judged."""
    result: EditsResult = shown.result
    tokens = enumerate(result.tokens)
    if result.kind is Kind.REPLACED:
        places = [n for n, one in tokens if not one.special]
    else:
        places = [n for n, one in tokens if one.masked]
    if len(places) < 2:
        return {}
    name = _("ask about another token")
    return {n: shown.setting(AT, (n,), name) for n in places}


def _only(shown: Shown) -> int | None:
    """The word whose edits alone are listed; None for all."""
    result: EditsResult = shown.result
    chosen = ONLY.of(shown.now)
    there = bool(chosen) and any(one.place == chosen[0] for one in result.edits)
    return chosen[0] if there else None


def _axis(edits: Sequence[EditEffect], measure: str) -> Axis:
    top = max((abs(one.moved(measure)) for one in edits), default=0.0) or 1.0
    return Axis(top, low=0.0 if measure == DIVERGENCE else -top, titled=False)


def signed(value: float, measure: str) -> str:
    """A change in nats, with its sign where it may have one."""
    if measure == DIVERGENCE:
        return decimal(value, 3)
    return ("+" if value > 0 else "−" if value < 0 else "±") + decimal(abs(value), 3)


def _words(shown: Shown, measure: str, only: int | None) -> BarTable:
    """Each word with the edit of it that moves the prediction most."""
    result: EditsResult = shown.result
    best: dict[int, EditEffect] = {}
    for one in result.ranked(measure):
        best.setdefault(one.place, one)
    title, words = COLUMNS[measure]
    rows = []
    for number, word in enumerate(result.words):
        strongest = best.get(number)
        if strongest is None:
            rows.append(Row(numbered(result, number), ("", ""), muted=True, key=("word", number)))
            continue
        moved = strongest.moved(measure)
        now: tuple[int, ...] = () if only == number else (number,)
        rows.append(
            Row(
                numbered(result, number),
                (strongest.put, signed(moved, measure)),
                (Bar(moved, "bar" if moved >= 0 else "bar_original"),),
                strong=only == number,
                ground="selection" if only == number else "",
                words=_("Click to list the edits of “{word}” alone.", word=word.word)
                if only != number
                else _("Click to list all edits again."),
                key=("word", number),
                act=shown.setting(ONLY, now, _("choose a word's edits")),
            )
        )
    return BarTable(
        rows,
        (Column(_("strongest edit"), left=True), Column(_(title), words=_(words))),
        _axis(result.edits, measure),
        _("Word by word"),
        first=1,
        bold=False,
        label=Column(_("word")),
    )


def _edits(shown: Shown, measure: str, only: int | None) -> Iterator[Block]:
    """The edits, each of which a click puts into the sentence."""
    result: EditsResult = shown.result
    ranked = [one for one in result.ranked(measure) if only in (None, one.place)]
    if only is None:
        yield heading(_("Edits, strongest first"))
    else:
        yield heading(_("Edits of “{word}”", word=numbered(result, only)))
        every = Chip(
            _("All words"),
            shown.setting(ONLY, (), _("choose a word's edits")),
            tip=_("List the edits of every word."),
            key=("word", None),
        )
        if not shown.alone:
            yield Chips([every])
    title, words = COLUMNS[measure]
    columns = (
        Column(_(title), words=_(words)),
        Column(
            _("probability"),
            words=_("Of “{word}”, after the edit.", word=name_of(result, result.word)),
            dispensable=True,
        ),
        Column(_("now first"), left=True, words=_("The most probable word after the edit.")),
    )
    rows = [_row(shown, one, measure) for one in ranked[:LISTED]]
    yield BarTable(
        rows,
        columns,
        _axis(result.edits, measure),
        _("Edits, strongest first"),
        bold=False,
        label=Column(_("edit")),
    )
    if len(ranked) > LISTED:
        yield note(
            _(
                "The {listed} that move the prediction most, of {count}; the table for export has "
                "them all.",
                listed=LISTED,
                count=len(ranked),
            )
        )


def _row(shown: Shown, one: EditEffect, measure: str) -> Row:
    result: EditsResult = shown.result
    where, moved = result.words[one.place], one.moved(measure)
    is_new = one.best != result.best
    place = Mask(where.start, where.end, where.part)
    return Row(
        f"{isolated(numbered(result, one.place))} → {isolated(one.put)}",
        (
            signed(moved, measure),
            in_digits(math.exp(one.log_probability)),
            name_of(result, one.best),
        ),
        (Bar(moved, "bar" if moved >= 0 else "bar_original"),),
        inks=("", "", "accent" if is_new else "muted"),
        words=_details(result, one),
        key=("edit", one.place, one.put),
        act=put_words(shown.asked, (place, one.put)),
    )


def _details(result: EditsResult, one: EditEffect) -> str:
    """All that is known of an edit."""
    lines = [
        f"{isolated(numbered(result, one.place))} → {isolated(one.put)}",
        _(
            "“{word}”: {probability}, {change} nats",
            word=name_of(result, result.word),
            probability=in_digits(math.exp(one.log_probability)),
            change=signed(one.change, LOG_PROBABILITY),
        ),
    ]
    if one.difference is not None and one.difference_change is not None:
        lines.append(
            _(
                "Logit difference to “{against}”: {difference} ({change})",
                against=name_of(result, result.against),
                difference=decimal(one.difference, 3),
                change=signed(one.difference_change, DIFFERENCE),
            )
        )
    lines.append(_("KL(before ‖ after): {nats} nats", nats=decimal(one.divergence, 3)))
    lines.append(
        _(
            "Now first: “{best}”, {probability}",
            best=name_of(result, one.best),
            probability=in_digits(one.best_probability),
        )
    )
    if one.cosine is not None:
        lines.append(_("Cosine of the two words' vectors: {value}", value=decimal(one.cosine, 2)))
    lines.append(_("Click to put it into the sentence."))
    return "\n".join(lines)


def offers(_now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """The logit difference, where there is a second word."""
    if shown is None or shown.result.difference is not None:
        return {}
    entries = [one for one in MEASURE.entries if one.value != DIFFERENCE]
    return {MEASURE.key: Offer(entries, measure_of(shown))}


def disabled(_now: Document, result: EditsResult) -> Mapping[str, str]:
    """A discriminator tells two things apart and predicts no words."""
    if result.kind is not Kind.REPLACED:
        return {}
    why = _("A discriminator tells “replaced” from “original”, and predicts no words.")
    return {WORD.key: why, AGAINST.key: why}


def waits(document: Document, card: ModelCard, _shown: Shown | None) -> bool:
    """A long text in a large model takes many passes."""
    words = len((document.text + " " + (document.pair or "")).split())
    asked = OPERATION.request.of(document)
    edits = words * (len(asked.words) or asked.neighbours)
    return card.parameters * 1.5 * words * edits > DEAR


PAGE = Page(
    OPERATION,
    blocks,
    waits=waits,
    waiting_hint=N_(
        "Every word gives its place to others, and the model reads the sentence anew each time, "
        "which takes this model a while. Press Run to see which edit moves the prediction most."
    ),
    offers=offers,
    disabled=disabled,
)

"""The three answers beside each other, what the head for entities says, and what happens inside."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from explorer.api import Entity, MaskPredictions, Mention, Prediction
from explorer.document import places_of
from explorer.questions.knowledge.entities.inside import (
    entity_attention,
    moved_states,
    title_of,
)
from explorer.questions.knowledge.entities.pinned import PinnedEntities, pinned_table
from explorer.questions.knowledge.entities.question import (
    MENTION,
    OPERATION,
    OTHER,
    SHOW,
    SHOWN_OF,
    Answered,
    Classed,
    EntitiesResult,
    Named,
    Told,
    Version,
)
from explorer.text import N_, _, ngettext
from explorer.text.formatting.probabilities import in_digits, signed
from explorer.text.glossary import explain
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.text import Text, heading, note
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.document.gestures import Edit, put_words
from explorer.ui.document.mentions import put_entities, take_entity
from explorer.ui.parts.pinned_masks import PinnedMask, before_of
from explorer.ui.parts.word_table import predictions_table, rows_of

ORDER = (Version.WITH, Version.WITHOUT, Version.OTHER)
COLOURS = {Version.WITH: "bar", Version.WITHOUT: "bar_original", Version.OTHER: "bar_second"}

NO_NAMES = N_(
    "No name of the model's graph stands in this text. Choose words of the sentence and put an "
    "entity on them, with E or from their menu."
)
NOT_MATCHED = N_("No entity is put on the text, and names are not looked for.")
TOLD = N_(
    "Which entity the model takes the word for, told from its last state among these: those of the "
    "text, the other one, and some of the same name."
)
MOVED = N_(
    "How far the entities move each token's state, as a share of its length without them. Layers "
    "of kind sim read no entity; what moves there was moved before."
)
ATTENTION = N_(
    "How much each entity looks at each other one, mean over heads. The first token has no entity, "
    "but may be looked at."
)


def blocks(shown: Shown) -> Iterator[Block]:
    """Who is named, the predictions beside each other, the head for entities, and the inside."""
    result: EntitiesResult = shown.result
    if shown.alone:
        yield Tokens(result.tokens, shown.asked)
    yield from _named(shown, result)
    answered = [one for version in ORDER if (one := result.version(version)) is not None]
    if any(one.masks for one in answered):
        yield Columns(
            [_predictions(shown, result, one) for one in answered], narrowest=CardWidth.NARROW
        )
    if result.told:
        yield heading(_("Which entity is it?"))
        yield note(_(TOLD))
        yield Columns([_told_card(shown, result, one) for one in result.told])
    if result.classed:
        yield Columns([_classed_card(shown, result, one) for one in result.classed])
    if result.version(Version.WITH) is None:
        return
    if shown.value(SHOW) == SHOWN_OF:
        yield heading(_("Entity attention"))
        yield note(_(ATTENTION))
        yield entity_attention(shown, result)
    else:
        yield heading(_("Moved states"))
        yield note(_(MOVED))
        yield moved_states(shown, result)


def words_of(shown: Shown, mention: Mention) -> str:
    """The characters of a mention."""
    return shown.asked.part(mention.part)[mention.start : mention.end]


# ---- who is named ----------------------------------------------------------------------------


def _named(shown: Shown, result: EntitiesResult) -> Iterator[Block]:
    if not result.named:
        yield note(_(NO_NAMES) if shown.asked.option("entities.match", True) else _(NOT_MATCHED))
    else:
        yield note(_source_said(result), above=Space.APART)
        yield BarTable(
            [_mention_row(shown, result, at, one) for at, one in enumerate(result.named)],
            (
                Column(_("entity"), left=True, strong=True),
                Column(_("id"), left=True, mono=True),
                Column(_("others of this name"), left=True, dispensable=True),
            ),
            title=_("Entities of the text"),
            bold=False,
            label=Column(_("words")),
        )
        yield Chips(list(_chips(shown, result)), title=_("Entities:"), on_paper=True)
    if result.overlapped:
        said = [f"{words_of(shown, one)} ({name})" for one, name in result.overlapped]
        yield note(
            _("Names inside longer ones, which are not taken: {names}", names=", ".join(said))
        )


def _source_said(result: EntitiesResult) -> str:
    if result.found:
        return ngettext(
            "{count} entity found by its name, among {known} of the model's graph.",
            "{count} entities found by their names, among {known} of the model's graph.",
            len(result.named),
            known=f"{result.known:,}",
        )
    return ngettext(
        "{count} entity put on the text by hand, of {known} in the model's graph.",
        "{count} entities put on the text by hand, of {known} in the model's graph.",
        len(result.named),
        known=f"{result.known:,}",
    )


def _mention_row(shown: Shown, result: EntitiesResult, at: int, one: Named) -> Row:
    names = ", ".join(who.name for who in one.namesakes[:3])
    more = len(one.namesakes) > 3
    return Row(
        words_of(shown, one.mention),
        (one.entity.name, one.entity.id, f"{names} …" if more else names),
        tag=_("exchanged") if at == result.exchanged else "",
        words=_("Choose it to exchange this one for another."),
        key=("mention", at),
        act=shown.setting(MENTION, at + 1, _("exchange another entity")),
    )


def _chips(shown: Shown, result: EntitiesResult) -> Iterator[Chip]:
    """What can be done with the entities: keep them for every question, choose another, remove."""
    mentions = [one.mention for one in result.named]
    if result.found:
        yield Chip(
            _("Put on the text"),
            put_entities(shown.asked, mentions),
            tip=_("Every question is then asked with these entities"),
            key=("entities", "put"),
        )
    if result.exchanged is None:
        return
    own = result.named[result.exchanged]
    if not result.found:
        yield Chip(
            _("Remove from {words}", words=words_of(shown, own.mention)),
            take_entity(shown.asked, own.mention),
            tip=_("The words are then read without an entity"),
            key=("entities", "remove"),
        )
    for who in own.namesakes[:8]:
        yield Chip(
            who.name,
            shown.setting(OTHER, who.id, _("compare with {name}", name=who.name)),
            chosen=result.other == who,
            tip=_("Put it in the place of {name}", name=own.entity.name),
            key=("other", who.id),
        )


# ---- predictions -----------------------------------------------------------------------------


def _predictions(shown: Shown, result: EntitiesResult, one: Answered) -> Card:
    title = title_of(result, one.version)
    some = [rows for other in result.versions for _mask, _pin, rows in _rows(shown, other)]
    every = [row for rows in some for row in rows]
    parts: list[Block] = [Text(title, "strong")]
    for mask, pin, rows in _rows(shown, one):
        if len(one.masks) > 1:
            parts.append(note(_("Mask at position {position}", position=mask.position)))
        if pin is not None:
            explained = f"{explain('KL divergence')}\n{explain('total variation')}"
            parts.append(note(pin.said(), above=Space.TIGHT, words=explained))
        parts.append(predictions_table(rows, mask.position, every))
    return Card(parts, title)


def _rows(
    shown: Shown, one: Answered
) -> Iterator[tuple[MaskPredictions, PinnedMask | None, Sequence[Row]]]:
    """Each mask of a version, what the pinned answer says of it, and its rows."""
    pinned = PinnedEntities.of(shown)
    pins = pinned.masks(one.version) if pinned is not None else (None,) * len(one.masks)
    for mask, pin in zip(one.masks, pins, strict=True):
        put = _put(shown, mask.position)
        rows = rows_of(mask.predictions, mask.original, mask.position, put, before_of(pin))
        yield mask, pin, rows


def _put(shown: Shown, position: int) -> Callable[[Prediction], Edit]:
    (place,) = places_of(shown.result.tokens, [position])
    return lambda prediction: put_words(shown.asked, (place, prediction.word))


# ---- the head for entities -------------------------------------------------------------------


def _told_card(shown: Shown, result: EntitiesResult, told: Told) -> Card:
    versions = [one.version for one in result.versions]
    order = [versions.index(version) for version in ORDER if version in versions]
    by_chance = np.argsort(-told.probabilities[order[0]], kind="stable")[:10]
    title, pinned = result.tokens[told.position].text, PinnedEntities.of(shown)

    def before(at: int) -> Sequence[float | None] | None:
        if pinned is None:
            return None
        who = told.candidates[at].id
        return [pinned.told(versions[row], told, who) for row in order]

    return Card(
        [
            Text(title, "strong"),
            BarTable(
                [_candidate(told, order, int(at), before(int(at))) for at in by_chance],
                _columns(versions, order, pinned),
                Axis(1.0),
                _("Entities for {word}", word=title),
                bold=False,
                track=True,
            ),
        ],
        _("Which entity is {word}?", word=title),
        told.position,
    )


def _classed_card(shown: Shown, result: EntitiesResult, classed: Classed) -> Card:
    """Types of the marked entity, or relations of two, as a fine-tuned head says."""
    versions = [one.version for one in result.versions]
    order = [versions.index(version) for version in ORDER if version in versions]
    title = _("Types") if classed.what == "types" else _("Relation")
    pinned = PinnedEntities.of(shown)

    def before(label: str) -> Sequence[float | None] | None:
        if pinned is None:
            return None
        return [pinned.classed(versions[row], classed.what, label) for row in order]

    rows = [
        Row(
            label,
            _cells([float(classed.probabilities[row, at]) for row in order], before(label)),
            tuple(
                Bar(float(classed.probabilities[row, at]), COLOURS[versions[row]]) for row in order
            ),
            key=("class", classed.what, label),
        )
        for at, label in enumerate(classed.labels)
    ]
    columns = _columns(versions, order, pinned)
    table = BarTable(rows, columns, Axis(1.0), title, bold=False, track=True)
    said = _("Read as: {text}", text=classed.marked)
    return Card([Text(title, "strong"), note(said, above=Space.TIGHT), table], title)


def _short(version: Version) -> str:
    return {
        Version.WITH: _("with"),
        Version.WITHOUT: _("without"),
        Version.OTHER: _("other"),
    }[version]


def _columns(
    versions: Sequence[Version], order: Sequence[int], pinned: PinnedEntities | None
) -> tuple[Column, ...]:
    """A column a version, and how each changed against a pinned answer."""
    plain = [Column(_short(versions[row])) for row in order]
    if pinned is None:
        return tuple(plain)
    told = [_("{version}, change", version=_short(versions[row])) for row in order]
    return (*plain, *(Column(title, "accent") for title in told))


def _cells(chances: Sequence[float], before: Sequence[float | None] | None) -> tuple[str, ...]:
    """Probabilities, and how each differs from the pinned one; "new" where that has none."""
    plain = tuple(in_digits(one) for one in chances)
    if before is None:
        return plain
    pairs = zip(chances, before, strict=True)
    return (*plain, *(_("new") if was is None else signed(one - was) for one, was in pairs))


def _candidate(
    told: Told, order: Sequence[int], at: int, before: Sequence[float | None] | None
) -> Row:
    who: Entity = told.candidates[at]
    chances = [float(told.probabilities[row, at]) for row in order]
    colours = [COLOURS[ORDER[n]] for n in range(len(order))]
    return Row(
        who.name,
        _cells(chances, before),
        tuple(Bar(chance, colour) for chance, colour in zip(chances, colours, strict=True)),
        words=f"{who.name}\n{who.id}",
        key=("candidate", told.position, who.id),
    )


PAGE = Page(OPERATION, blocks, draws_pinned=True, pinned_table=pinned_table)

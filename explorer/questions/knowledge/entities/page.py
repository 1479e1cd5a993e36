"""The three answers beside each other, what the head for entities says, and what happens inside."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from explorer.api import Entity, Mention, Prediction
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
from explorer.questions.masking.masked_tokens.predictions import predictions_table
from explorer.questions.masking.pinned_places import places_of
from explorer.questions.masking.word_rows import rows_of
from explorer.text import N_, _, ngettext
from explorer.text.probabilities import in_digits
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.left_out import left_out
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.text import Text, heading, note
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.document.gestures import Edit, put_words
from explorer.ui.document.mentions import put_entities, take_entity
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.linked import LinkedMatrices, LinkedMatrix
from explorer.ui.matrices.scale import Scale
from explorer.ui.sentence.pieces import from_right, labels

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
    yield from left_out(result.left_out, above=12)
    yield from _named(shown, result)
    answered = [one for version in ORDER if (one := result.version(version)) is not None]
    if any(one.masks for one in answered):
        yield Columns([_predictions(shown, result, one) for one in answered], narrowest=260)
    if result.told:
        yield heading(_("Which entity is it?"))
        yield note(_(TOLD))
        yield Columns([_told_card(result, one) for one in result.told], narrowest=300)
    if result.classed:
        yield Columns([_classed_card(result, one) for one in result.classed], narrowest=300)
    if result.version(Version.WITH) is None:
        return
    if shown.value(SHOW) == SHOWN_OF:
        yield heading(_("Entity attention"))
        yield note(_(ATTENTION))
        yield _attention(shown, result)
    else:
        yield heading(_("Moved states"))
        yield note(_(MOVED))
        yield _moved(shown, result)


def title_of(result: EntitiesResult, version: Version) -> str:
    """What a version is called."""
    if version is Version.WITHOUT:
        return _("Without entities")
    if version is Version.OTHER and result.other is not None:
        return _("With {name} instead", name=result.other.name)
    names = [one.entity.name for one in result.named]
    return _("With {names}", names=", ".join(names))


def words_of(shown: Shown, mention: Mention) -> str:
    """The characters of a mention."""
    return shown.asked.part(mention.part)[mention.start : mention.end]


# ---- who is named ----------------------------------------------------------------------------


def _named(shown: Shown, result: EntitiesResult) -> Iterator[Block]:
    if not result.named:
        yield note(_(NO_NAMES) if shown.asked.option("entities.match", True) else _(NOT_MATCHED))
    else:
        yield note(_source_said(result), above=12)
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
        yield Chips(list(_chips(shown, result)), title=_("Entities:"))
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
    every = [
        row
        for other in result.versions
        for mask in other.masks
        for row in rows_of(mask.predictions, mask.original)
    ]
    parts: list[Block] = [Text(title, "strong")]
    for mask in one.masks:
        if len(one.masks) > 1:
            parts.append(note(_("Mask at position {position}", position=mask.position)))
        rows = rows_of(mask.predictions, mask.original)
        parts.append(
            predictions_table(rows, mask.position, _put(shown, result, mask.position), every)
        )
    return Card(parts, title)


def _put(shown: Shown, result: EntitiesResult, position: int) -> Callable[[Prediction], Edit]:
    (place,) = places_of(result.tokens, [position])
    return lambda prediction: put_words(shown.asked, (place, prediction.word))


# ---- the head for entities -------------------------------------------------------------------


def _told_card(result: EntitiesResult, told: Told) -> Card:
    versions = [one.version for one in result.versions]
    order = [versions.index(version) for version in ORDER if version in versions]
    by_chance = np.argsort(-told.probabilities[order[0]], kind="stable")[:10]
    title = result.tokens[told.position].text
    return Card(
        [
            Text(title, "strong"),
            BarTable(
                [_candidate(told, order, int(at)) for at in by_chance],
                tuple(Column(_short(versions[at])) for at in order),
                Axis(1.0),
                _("Entities for {word}", word=title),
                bold=False,
                track=True,
            ),
        ],
        _("Which entity is {word}?", word=title),
        told.position,
    )


def _classed_card(result: EntitiesResult, classed: Classed) -> Card:
    """Types of the marked entity, or relations of two, as a fine-tuned head says."""
    versions = [one.version for one in result.versions]
    order = [versions.index(version) for version in ORDER if version in versions]
    title = _("Types") if classed.what == "types" else _("Relation")
    rows = [
        Row(
            label,
            tuple(in_digits(float(classed.probabilities[row, at])) for row in order),
            tuple(
                Bar(float(classed.probabilities[row, at]), COLOURS[versions[row]]) for row in order
            ),
            key=("class", classed.what, label),
        )
        for at, label in enumerate(classed.labels)
    ]
    columns = tuple(Column(_short(versions[row])) for row in order)
    table = BarTable(rows, columns, Axis(1.0), title, bold=False, track=True)
    said = _("Read as: {text}", text=classed.marked)
    return Card([Text(title, "strong"), note(said, above=3), table], title)


def _short(version: Version) -> str:
    return {
        Version.WITH: _("with"),
        Version.WITHOUT: _("without"),
        Version.OTHER: _("other"),
    }[version]


def _candidate(told: Told, order: Sequence[int], at: int) -> Row:
    who: Entity = told.candidates[at]
    chances = [float(told.probabilities[row, at]) for row in order]
    colours = [COLOURS[ORDER[n]] for n in range(len(order))]
    return Row(
        who.name,
        tuple(in_digits(chance) for chance in chances),
        tuple(Bar(chance, colour) for chance, colour in zip(chances, colours, strict=True)),
        words=f"{who.name}\n{who.id}",
        key=("candidate", told.position, who.id),
    )


# ---- inside ----------------------------------------------------------------------------------


def _moved(shown: Shown, result: EntitiesResult) -> LinkedMatrices:
    tokens = labels(result.tokens, shown.asked)
    rows = (_("embeddings"), *(f"{n} {kind}" for n, kind in enumerate(result.kinds, start=1)))
    some = [(one, one.moved) for one in result.versions if one.moved is not None]
    top = max(float(moved.max()) for _one, moved in some) or 1.0
    matrices = [
        LinkedMatrix(
            f"moved {one.version.value}",
            title_of(result, one.version),
            _("against the text without entities"),
            HeatContent(
                moved,
                rows,
                tokens,
                Scale(0.0, top),
                row_title=_("layer"),
                from_right=from_right(result.tokens, shown.asked),
            ),
        )
        for one, moved in some
    ]

    def said(cell: tuple[int, int] | None) -> str:
        if cell is None:
            return _("Point at a cell to read it.")
        shares = ", ".join(
            f"{title_of(result, one.version)}: {float(moved[cell]):.1%}" for one, moved in some
        )
        return _(
            "{token} in {layer}: {shares}",
            token=tokens[cell[1]],
            layer=rows[cell[0]],
            shares=shares,
        )

    return LinkedMatrices(matrices, said)


def _attention(shown: Shown, result: EntitiesResult) -> LinkedMatrices:
    words = labels(result.tokens, shown.asked)
    names = tuple(words[place] for place in result.counted)
    found = [
        (title_of(result, one.version), layer, one.attention[n].mean(axis=0))
        for one in result.versions
        if one.attention is not None and one.version is not Version.WITHOUT
        for n, layer in enumerate(result.layers)
    ]
    matrices = [
        LinkedMatrix(
            f"entities {title} {layer}",
            title,
            _("layer {layer}, mean over heads", layer=layer + 1),
            HeatContent(
                weights,
                names,
                names,
                Scale(0.0, 1.0),
                row_title=_("from"),
                from_right=from_right(result.tokens, shown.asked),
            ),
        )
        for title, layer, weights in found
    ]

    def said(cell: tuple[int, int] | None) -> str:
        if cell is None:
            return _("Point at a cell to read it.")
        weights = ", ".join(f"{float(one[cell]):.3f}" for _title, _layer, one in found)
        return _(
            "{one} looks at {other}: {weights}",
            one=names[cell[0]],
            other=names[cell[1]],
            weights=weights,
        )

    return LinkedMatrices(matrices, said)


PAGE = Page(OPERATION, blocks)

"""Tokenizers that could stand in the rows too: of checkpoints that the library knows."""

from collections.abc import Iterator, Sequence

from explorer.api.question import Checkpoint, Source
from explorer.questions.tokenizers.side_by_side.question import (
    MOST,
    TOKENIZERS,
    Missing,
    SideBySideResult,
)
from explorer.text import _
from explorer.text.formatting.numbers import percent
from explorer.ui.blocks import Block, Chip, Chips, Edit, Fetch, Halt, Shown, Space, hint

OFFERED = 12
"""Tokenizers that are offered, of those here and of those to download; the library has all."""


def _lacking(shown: Shown) -> Iterator[Block]:
    """A button for what can't be had, where it can be downloaded."""
    result: SideBySideResult = shown.result
    known = {one.id: one for one in shown.library if one.lacks_tokenizer}
    chips = [_fetched(shown, known[name], None) for name in _names(result.missing, known)]
    if chips:
        yield Chips(chips)


def _names(lacking: Sequence[Missing], known: dict[str, Checkpoint]) -> Iterator[str]:
    """Ids of what is lacking, of which the last part may have been typed."""
    for one in lacking:
        if one.checkpoint in known:
            yield one.checkpoint
        else:
            yield from (name for name in known if name.rpartition("/")[2] == one.checkpoint)


def more(shown: Shown) -> Iterator[Block]:
    """What can be put into the rows: from here at once, from the hub when it has come."""
    yield from _lacking(shown)
    result: SideBySideResult = shown.result
    told = {name for one in result.cuttings for name in (one.checkpoint, *one.alike)}
    told |= {one.checkpoint for one in result.missing}
    others = [one for one in shown.library if one.id not in told and one.family]
    if len(result.cuttings) >= MOST:
        return
    here = _one_a_family_first([one for one in others if _is_here(one)])
    away = _one_a_family_first([one for one in others if one.lacks_tokenizer])
    chips = [Chip(one.title, _added(shown, one), key=("add", one.id)) for one in here[:OFFERED]]
    chips += [_fetched(shown, one, _added(shown, one)) for one in away[:OFFERED]]
    if chips:
        yield Chips(chips, Space.APART, _("More tokenizers"))
    if len(away) > OFFERED:
        yield hint(
            _(
                "{count} more can be downloaded in the model library, without their weights.",
                count=len(away) - OFFERED,
            )
        )


def _is_here(one: Checkpoint) -> bool:
    opened = one.source in {Source.FOLDER, Source.BUNDLED, Source.CACHE} and not one.problem
    return opened or one.tokenizer_folder is not None


def _one_a_family_first(checkpoints: Sequence[Checkpoint]) -> list[Checkpoint]:
    """As the library has them, but a checkpoint of each family before the others."""
    first = {one.family: one.id for one in reversed(checkpoints)}
    return sorted(checkpoints, key=lambda one: first[one.family] != one.id)


def _added(shown: Shown, one: Checkpoint) -> Edit:
    """Put it into the rows, behind those that are there."""
    rows = tuple(row.checkpoint for row in shown.result.cuttings)
    lacking = tuple(row.checkpoint for row in shown.result.missing)
    return shown.setting(
        TOKENIZERS, (*rows, *lacking, one.id), _("add the tokenizer of {title}", title=one.title)
    )


def _fetched(shown: Shown, one: Checkpoint, then: Edit | None) -> Chip:
    """A chip that downloads a tokenizer, or says how far that is and stops it."""
    done = shown.transfers.get(one.id)
    key = ("fetch", one.id)
    if done is None:
        tip = _("Download the tokenizer of {title}, without its weights", title=one.title)
        words = _("{title}, download", title=one.title)
        return Chip(words, Fetch(one.id, then), tip=tip, key=key)
    words = _("{title}, {share}", title=one.title, share=percent(max(0.0, done)))
    return Chip(words, Halt(one.id), tip=_("Cancel the download"), key=key)

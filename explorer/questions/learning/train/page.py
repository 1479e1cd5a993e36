"""A run on screen: its buttons, and the page as the newest look at its folder has it."""

from collections.abc import Iterator
from dataclasses import replace

from explorer.api.question import Detail, Failure
from explorer.questions.learning.train.options import SURE
from explorer.questions.learning.train.parts import is_at_work
from explorer.questions.learning.train.question import QUESTION, TrainRequest, TrainResult
from explorer.text import _, said
from explorer.ui.blocks import (
    Block,
    Chip,
    Chips,
    Load,
    Run,
    Shown,
    page_of_parts,
    warning,
)

RESTING = {"paused", "stopped", "cancelled", "failed"}


def buttons(shown: Shown) -> Iterator[Block]:
    """What can be done with the run as it is."""
    result: TrainResult = shown.result
    chips = list(_chips(shown, result))
    if chips:
        yield Chips(chips)
    for detail, answer in shown.details.items():
        mine = isinstance(detail.request, TrainRequest) and detail.request.moment == _moment(result)
        if mine and isinstance(answer, Failure):
            yield warning(said(answer.message))


def _chips(shown: Shown, result: TrainResult) -> Iterator[Chip]:
    run = result.run
    if run is None:
        yield Chip(_("Train"), Run(), key="run")
        return
    if is_at_work(run):
        yield Chip(_("Pause"), _acts(shown, "pause"), key="pause")
        yield Chip(_("Cancel the training"), _acts(shown, "cancel"), key="cancel")
        return
    if run.listed.status in RESTING:
        yield Chip(_("Take up again"), Run(), key="run")
    if run.listed.status == "done":
        words = _("Train another seed") if result.others else _("Train two more seeds")
        yield Chip(words, _acts(shown, "seeds"), key="seeds")
    if run.model:
        for slot in ("A", "B"):
            words = _("Open as model {slot}", slot=slot)
            yield Chip(words, Load(run.model, slot), key=("open", slot))
    name = run.listed.name
    if shown.value(SURE) != name:
        sure = shown.setting(SURE, name, _("delete a run"))
        yield Chip(_("Delete…"), sure, key="delete")
        return
    yield Chip(_("Delete {name} for good", name=name), _acts(shown, "delete"), key="sure")
    yield Chip(_("Keep it"), shown.setting(SURE, "", _("keep a run")), key="keep")


def _acts(shown: Shown, act: str) -> Detail:
    asks = TrainRequest.of(shown.asked)
    request = replace(asks, train=False, act=act, moment=_moment(shown.result))
    return Detail(request, shown.result.model, "act")


def _moment(result: TrainResult) -> str:
    """Which look at the run it is: what was done once can be done again later."""
    return str(result.looked)


def newest(shown: Shown) -> Shown:
    """The page as what was done last left it."""
    found = [one for one in shown.details.values() if isinstance(one, TrainResult)]
    mine = [one for one in found if one.model.fingerprint == shown.result.model.fingerprint]
    latest = max((shown.result, *mine), key=lambda one: one.looked)
    return replace(shown, result=latest)


def blocks(shown: Shown) -> Iterator[Block]:
    """Of the newest look."""
    yield from _OF_PARTS.blocks(newest(shown))


_OF_PARTS = page_of_parts(QUESTION, {"buttons": buttons}, looks_first=True)
PAGE = replace(_OF_PARTS, blocks=blocks)

"""A claim on screen: the buttons that try it, and the newest look at the runs made here."""

from collections.abc import Iterator
from dataclasses import replace

from explorer.api.question import Detail, Failure
from explorer.questions.learning.experiments.question import (
    AT_WORK,
    QUESTION,
    SURE,
    ExperimentsRequest,
    ExperimentsResult,
)
from explorer.text import _, said
from explorer.ui.blocks import Block, Chip, Chips, Run, Shown, page_of_parts, warning

RESTING = {"paused", "stopped", "cancelled", "failed"}


def begun(request: ExperimentsRequest) -> ExperimentsRequest:
    """The same, and it is tried."""
    return replace(request, train=True)


def buttons(shown: Shown) -> Iterator[Block]:
    """What can be done with the claim as far as it was tried here."""
    result: ExperimentsResult = shown.result
    chips = list(_chips(shown, result))
    if chips:
        yield Chips(chips)
    for detail, answer in shown.details.items():
        asks = detail.request
        mine = isinstance(asks, ExperimentsRequest) and asks.moment == str(result.looked)
        if mine and isinstance(answer, Failure):
            yield warning(said(answer.message))


def _chips(shown: Shown, result: ExperimentsResult) -> Iterator[Chip]:
    made = result.here
    if made is None:
        if result.seconds is not None:
            yield Chip(_("Try it here"), Run(), key="run")
        return
    if made.status in AT_WORK:
        yield Chip(_("Pause"), _acts(shown, "pause"), key="pause")
        yield Chip(_("Cancel the training"), _acts(shown, "cancel"), key="cancel")
        return
    if made.status in RESTING and not made.is_former:
        yield Chip(_("Take up again"), Run(), key="run")
    name = f"{result.claim} {made.form}"
    if shown.value(SURE) != name:
        sure = shown.setting(SURE, name, _("delete the runs made here"))
        yield Chip(_("Delete…"), sure, key="delete")
        return
    yield Chip(_("Delete the runs made here for good"), _acts(shown, "delete"), key="sure")
    yield Chip(_("Keep them"), shown.setting(SURE, "", _("keep the runs made here")), key="keep")


def _acts(shown: Shown, act: str) -> Detail:
    asks = ExperimentsRequest.of(shown.asked)
    request = replace(asks, act=act, moment=str(shown.result.looked))
    return Detail(request, shown.result.model, "act")


def newest(shown: Shown) -> Shown:
    """The page as what was done last left it."""
    found = [one for one in shown.details.values() if isinstance(one, ExperimentsResult)]
    own = shown.result
    mine = [one for one in found if (one.claim, one.form) == (own.claim, own.form)]
    return replace(shown, result=max((own, *mine), key=lambda one: one.looked))


def blocks(shown: Shown) -> Iterator[Block]:
    """Of the newest look."""
    yield from _OF_PARTS.blocks(newest(shown))


_OF_PARTS = page_of_parts(QUESTION, {"buttons": buttons}, begins=begun, is_fleeting=True)
PAGE = replace(_OF_PARTS, blocks=blocks)

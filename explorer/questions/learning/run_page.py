"""A run on screen: its buttons, and the page as the newest look at its folder has it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.question import Detail, Failure, Question
from explorer.questions.learning.runs import is_at_work
from explorer.text import _, said
from explorer.ui.blocks import (
    Block,
    Chip,
    Chips,
    Load,
    Page,
    Run,
    Shown,
    page_of_parts,
    warning,
)

RESTING = {"paused", "stopped", "cancelled", "failed"}


def nothing_more(_shown: Shown) -> Sequence[Chip]:
    """No further buttons."""
    return ()


@dataclass(frozen=True)
class RunButtons:
    """What can be done with the run of a page.

    Attributes:
        request: The question's, with `act`, `moment` and `train`.
        sure: The option that holds the run whose deletion was asked for.
        begins: What the button says that begins it, marked for translation.
        more: Further buttons next to those.
    """

    request: type[Any]
    sure: Any
    begins: str
    more: Callable[[Shown], Sequence[Chip]] = nothing_more

    def blocks(self, shown: Shown) -> Iterator[Block]:
        """The buttons, and what could not be done."""
        chips = [*self._chips(shown), *self.more(shown)]
        if chips:
            yield Chips(chips)
        for detail, answer in shown.details.items():
            request = detail.request
            mine = isinstance(request, self.request) and request.moment == _moment(shown.result)
            if mine and isinstance(answer, Failure):
                yield warning(said(answer.message))

    def _chips(self, shown: Shown) -> Iterator[Chip]:
        run = shown.result.run
        if run is None:
            yield Chip(_(self.begins), Run(), key="run")
            return
        if is_at_work(run):
            yield Chip(_("Pause"), self.acts(shown, "pause"), key="pause")
            yield Chip(_("Cancel the training"), self.acts(shown, "cancel"), key="cancel")
            return
        if run.listed.status in RESTING:
            yield Chip(_("Take up again"), Run(), key="run")
        if run.listed.status == "done":
            another = _("Train another seed") if shown.result.others else _("Train two more seeds")
            yield Chip(another, self.acts(shown, "seeds"), key="seeds")
        if run.model:
            for slot in ("A", "B"):
                words = _("Open as model {slot}", slot=slot)
                yield Chip(words, Load(run.model, slot), key=("open", slot))
        name = run.listed.name
        if shown.value(self.sure) != name:
            sure = shown.setting(self.sure, name, _("delete a run"))
            yield Chip(_("Delete…"), sure, key="delete")
            return
        yield Chip(_("Delete {name} for good", name=name), self.acts(shown, "delete"), key="sure")
        yield Chip(_("Keep it"), shown.setting(self.sure, "", _("keep a run")), key="keep")

    def acts(self, shown: Shown, act: str) -> Detail:
        """What asks for a deed; the same deed can be asked for again at another look."""
        asks = self.request.of(shown.asked)
        request = replace(asks, train=False, act=act, moment=_moment(shown.result))
        return Detail(request, shown.result.model, "act")


def _moment(result: Any) -> str:
    """Which look at the run it is: what was done once can be done again later."""
    return str(result.looked)


def newest(shown: Shown) -> Shown:
    """The page as what was done last left it."""
    own = type(shown.result)
    found = [one for one in shown.details.values() if isinstance(one, own)]
    mine = [one for one in found if one.model.fingerprint == shown.result.model.fingerprint]
    latest = max((shown.result, *mine), key=lambda one: one.looked)
    return replace(shown, result=latest)


def page_of_run(question: Question[Any, Any], buttons: RunButtons) -> Page:
    """The page of a question that follows a run: its parts, of the newest look.

    Args:
        question: One of its parts is a picture of its own called "buttons".
        buttons: What stands there.
    """
    of_parts = page_of_parts(question, {"buttons": buttons.blocks}, looks_first=True)

    def blocks(shown: Shown) -> Iterator[Block]:
        yield from of_parts.blocks(newest(shown))

    return replace(of_parts, blocks=blocks)

"""What a page asks, asked at every step of the training of the model that is loaded."""

from typing import TYPE_CHECKING

from explorer.questions.learning.over_steps.casting import can_be_asked
from explorer.questions.learning.over_steps.options import ASKED_QUESTION, FIND, SHOWN
from explorer.questions.learning.over_steps.question import QUESTION
from explorer.text import _
from explorer.ui.blocks.page.page import Run
from explorer.ui.document.gestures import set_options
from explorer.ui.views.page_view import PageView

if TYPE_CHECKING:
    from explorer.ui.window.host import HostWindow

KEY = "steps"
"""Of what is said of asking at every step."""


def ask_at_every_step(window: "HostWindow", view: PageView | None) -> None:
    """Show the page of curves over steps, and begin to ask.

    Args:
        window: Where it is shown.
        view: The page whose question is asked; None, and the page of curves itself, for what was
            asked there last.
    """
    bench, say = window.bench, window.notifications.say
    if view is not None and view.of.name != QUESTION.name:
        if not can_be_asked(view.of):
            say(KEY, _("This page asks nothing of a model's weights."), _("Show one that does."))
            return
        chosen = {ASKED_QUESTION.key: view.of.name, FIND.key: None, SHOWN.key: None}
        state = bench.state
        state.apply(set_options(state.document, chosen, _("ask at every step")))
    if not any(len(bench.moments.frames(slot)) > 1 for slot in bench.models.cards):
        say(
            KEY,
            _("No loaded model has steps of training here."),
            _("Open a folder with checkpoint-* in it, or train a model on its page."),
        )
        return
    window.notices.dismiss(KEY)
    window.view_area.bring_forward(QUESTION.name)
    page = window.view_of(QUESTION.name)
    # It hears of another model and another question first, which begin nothing by themselves.
    page.set_models(bench.models.cards, bench.state.slot(bench.models.active))
    page.request_of(bench.state.document)
    page.act(Run())

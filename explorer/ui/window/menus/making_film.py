"""Make the film of a model: its like is trained anew, on the page that shows how far that is."""

from typing import TYPE_CHECKING

from explorer.learning.plan.films import film_plan
from explorer.learning.plan.plan import TrainingPlan
from explorer.text import _

if TYPE_CHECKING:
    from explorer.document import Document
    from explorer.ui.window.host import HostWindow

PAGE, NOTICE = "train", "film"


def make_film(window: "HostWindow", checkpoint_id: str) -> None:
    """Begin the run by whose plan a model's film is made, unless it was made here already."""
    from explorer.ui.blocks.page.page import Run

    bench = window.bench
    checkpoint = bench.checkpoints.find(checkpoint_id)
    # A frame that is shown need not be in the library.
    held = [one.folder for one in bench.models.cards.values() if one.stamp.id == checkpoint_id]
    known = [] if checkpoint is None else [checkpoint.folder]
    plan = film_plan(checkpoint_id, next(iter((*held, *known)), None))
    if plan is None:
        window.notifications.say(
            NOTICE,
            _("Nobody here knows by which plan this model was trained."),
            _("Choose a plan on the page “Train a model”."),
        )
        return
    bench.state.edit(_("plan a film"), planned(bench.state.document, plan))
    window.view_area.bring_forward(PAGE)
    window.view_of(PAGE).act(Run())


def planned(document: "Document", plan: TrainingPlan) -> "Document":
    """A document whose page of training has a plan."""
    from explorer.api.question.options.asks import asked_fields

    for name, field in asked_fields(plan).items():
        value = field.kept(getattr(plan, name))
        usual = value == field.option.default
        document = document.with_option(field.option.key, None if usual else value)
    return document

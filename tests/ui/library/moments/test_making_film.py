"""The film of a model is made on the page of training, by one click in its menu."""

from PySide6.QtWidgets import QWidget

from explorer.document import Document
from explorer.learning.plan.films import MINIATURES
from explorer.learning.plan.presets import PRESETS
from explorer.questions.learning.train.question import TrainRequest
from explorer.ui.library.panel.checkpoint_menu import checkpoint_menu
from explorer.ui.window.menus.making_film import planned
from tests.ui.fake_engine import CACHED, MINIATURE

WORDS = "Make the film of this model"


def test_a_document_has_the_whole_plan_whatever_it_had_before():
    document = Document("x").with_option("train.path", "a.txt").with_option("train.seed", 7)
    for plan in (*MINIATURES.values(), *PRESETS.values()):
        document = planned(document, plan)
        assert TrainRequest.of(document).plan == plan


def test_the_menu_of_a_model_has_it_where_its_plan_is_known(running):
    actions, parent, wanted = running.bench.actions, QWidget(), []
    actions.film_wanted.disconnect()
    actions.film_wanted.connect(wanted.append)
    for checkpoint, offered in ((MINIATURE, True), (CACHED, False)):
        menu = checkpoint_menu(checkpoint, actions, parent, taught=False)
        entries = [one for one in menu.actions() if one.text() == WORDS]
        assert bool(entries) is offered
        for one in entries:
            one.trigger()
    assert wanted == [MINIATURE.id]


def test_one_click_begins_the_run(running, engine, qtbot):
    running.bench.actions.film_wanted.emit(MINIATURE.id)

    def begun():
        asked = [getattr(one.request, "request", None) for one in engine.calls]
        trained = [one for one in asked if isinstance(one, TrainRequest) and one.train]
        return [one.plan for one in trained] == [MINIATURES[MINIATURE.id]]

    qtbot.waitUntil(begun)
    assert running.window.current_view().question == "train"

"""Where the loaded models can't answer, a button gets on: of every question, through its needs."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton

from explorer.api.family import LoadOptions
from explorer.api.family.checkpoint import Source
from explorer.api.question import Blame, Failure
from explorer.document import Document
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.plugins.host import PluginHost
from explorer.paths import Paths
from explorer.questions import all_questions
from explorer.questions.distillation.soft_targets.question import SoftTargetsRequest
from explorer.questions.distillation.soft_targets.settings import SWAPPED
from explorer.ui.library.panel.tree import CHECKPOINT
from explorer.ui.views.frame.view_frame import FrameState
from tests.questions.answers import UNANSWERED

PATHS = Paths.standard()
LIBRARY = Catalogue(
    PluginHost(PATHS.bundled_plugins, entry_points=False),
    PATHS.bundled_models,
    Path(__file__).with_name("no cache"),
).list()
BUNDLED = [one for one in LIBRARY if one.source is Source.BUNDLED]
BY_ID = {one.id: one for one in LIBRARY}


def lacking(families):
    """A question, and bundled models of some families that can't play its first role."""
    for name, question in all_questions().items():
        seen = set()
        for one in BUNDLED:
            if len(seen) == families or one.family in seen or one.source is Source.CONFIG:
                continue
            wanted = question.first_needs and name not in UNANSWERED
            if wanted and name not in one.operations:
                seen.add(one.family)
                yield name, one.id


@pytest.fixture
def window_of(engine, start, qtbot):
    """The window with the real library: every row says which ports its model will have."""

    def open_window(checkpoint_id, library=LIBRARY):
        engine.catalogue = library
        running = start()
        load(running, checkpoint_id)
        models = running.bench.models
        qtbot.waitUntil(lambda: not models.loading and models.cards["A"].stamp.id == checkpoint_id)
        return running

    return open_window


def load(running, checkpoint_id, slot="A"):
    row = BY_ID[checkpoint_id]
    running.bench.models.load(slot, row.id, row.title, LoadOptions())


def ways_of(frame):
    page = frame.pages.currentWidget()
    return [
        one
        for one in page.findChildren(QPushButton)
        if one.objectName().startswith("way_") and not one.isHidden()
    ]


def look_at(running, qtbot, name):
    running.window.view_area.bring_forward(name)
    asker = running.bench.asking.askers[name]
    qtbot.waitUntil(lambda: asker.is_idle)
    return asker


def by_model(families):
    """What each model is asked in vain."""
    found = {}
    for name, model in lacking(families):
        found.setdefault(model, []).append(name)
    return found


LACKING, WITH_ALL = by_model(1), by_model(2)
"""A model of another family is as much in want of a question; with --all it is asked too."""


@pytest.mark.parametrize(
    "model",
    [
        pytest.param(model, marks=() if model in LACKING else pytest.mark.costly)
        for model in WITH_ALL
    ],
)
def test_every_question_that_a_model_can_not_answer_has_a_button_that_helps(
    window_of, qtbot, subtests, model, request
):
    running = window_of(model)
    for name in (WITH_ALL if request.config.option.all else LACKING)[model]:
        alone_again(running, qtbot, model)
        with subtests.test(name):
            helped(running, qtbot, name)


def alone_again(running, qtbot, model):
    """The window with this model and no other, as it was opened."""
    models = running.bench.models
    if set(models.cards) == {"A"} and models.cards["A"].stamp.id == model:
        return
    for slot in tuple(models.cards):
        models.unload(slot)
    qtbot.waitUntil(lambda: not models.cards)
    load(running, model)
    qtbot.waitUntil(lambda: not models.loading and set(models.cards) == {"A"})


def helped(running, qtbot, name):
    asker = look_at(running, qtbot, name)
    frame, models = asker.frame, running.bench.models
    # A question of two models says first that one of them is missing altogether.
    alone = len(all_questions()[name].roles) == 1
    assert frame.state is FrameState.UNAVAILABLE or not alone
    assert ways_of(frame)[-1].text() == "Open the library"
    for _press in range(3):
        ways = ways_of(frame)
        if not ways or ways[-1].text() != "Open the library":
            break  # every role is played: what may be missing still is an input
        assert ways[0].text() != "Open the library", f"nothing but the library after {_press}"
        before = dict(models.cards)
        qtbot.mouseClick(ways[0], Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda before=before: not models.loading and models.cards != before)
        qtbot.waitUntil(lambda: asker.is_idle)
    assert frame.state is not FrameState.UNAVAILABLE
    cast = all_questions()[name].cast(models.cards, models.active, running.bench.state.document)
    assert set(cast.values()) <= set(models.cards)
    assert name in models.cards[next(iter(cast.values()))].operations


@pytest.mark.parametrize("name", ["token_labels"])
def test_what_no_model_here_answers_says_what_to_look_for(window_of, qtbot, name):
    running = window_of("bert-miniature", [one for one in LIBRARY if name not in one.operations])
    frame = look_at(running, qtbot, name).frame
    assert frame.state is FrameState.UNAVAILABLE
    assert [one.text() for one in ways_of(frame)] == ["Open the library"]
    said = " ".join(one.text() for one in frame.pages.currentWidget().findChildren(QLabel))
    assert "fine-tuned for them" in said
    assert "...ForTokenClassification" in said


def test_a_discriminator_comes_with_its_generator(window_of, qtbot):
    running = window_of("bert-miniature")
    asker = look_at(running, qtbot, "replaced_tokens")
    texts = [one.text() for one in ways_of(asker.frame)]
    assert texts == [
        "Load ELECTRA miniature, discriminator, with its generator",
        "Load DeBERTa v3 miniature, with its generator",
        "Open the library",
    ]
    qtbot.mouseClick(ways_of(asker.frame)[0], Qt.MouseButton.LeftButton)
    cards = running.bench.models.cards
    pair = {"A": "electra-miniature-discriminator", "B": "electra-miniature-generator"}
    qtbot.waitUntil(lambda: {slot: card.stamp.id for slot, card in cards.items()} == pair)


def test_a_student_is_offered_beside_its_teacher(window_of, qtbot):
    running = window_of("bert-miniature")
    asker = look_at(running, qtbot, "soft_targets")
    assert asker.frame.state is FrameState.EMPTY
    texts = [one.text() for one in ways_of(asker.frame)]
    assert texts[0] == "Load DistilBERT miniature as B"
    assert texts[-1] == "Open the library"
    qtbot.mouseClick(ways_of(asker.frame)[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "B" in running.bench.models.cards)
    assert running.bench.models.cards["B"].stamp.id == "distilbert-miniature"
    assert asker.frame.state is not FrameState.EMPTY


def test_a_model_that_lies_in_the_other_slot_is_asked_instead(window_of, qtbot):
    running = window_of("bert-miniature")
    load(running, "deberta-v1-miniature", "B")
    qtbot.waitUntil(lambda: "B" in running.bench.models.cards)
    asker = look_at(running, qtbot, "disentangled_attention")
    way = ways_of(asker.frame)[0]
    assert way.text() == "Ask DeBERTa v1 miniature, which is loaded as B"
    qtbot.mouseClick(way, Qt.MouseButton.LeftButton)
    assert running.bench.models.active == "B"
    assert asker.frame.state is not FrameState.UNAVAILABLE


@pytest.mark.parametrize(
    ("held", "swapped"),
    [(("kagnet-miniature",), False), (("gpt2-miniature", "kagnet-miniature"), True), ((), False)],
)
def test_soft_targets_are_entered_by_one_button(window_of, engine, qtbot, held, swapped):
    """From any state: whatever lies in A and B, and whatever is typed."""
    engine.held.add("view:soft_targets")
    running = window_of("bert-miniature")
    models = running.bench.models
    models.unload("A")
    for slot, one in zip("AB", held, strict=False):
        load(running, one, slot)
    qtbot.waitUntil(lambda: not models.loading and len(models.cards) == len(held))
    typed = Document("The chef cooks.").with_option(SWAPPED, swapped or None)
    running.bench.state.edit("typing", typed)
    asker = look_at(running, qtbot, "soft_targets")
    way = ways_of(asker.frame)[0]
    pair = "BERT miniature and its student DistilBERT miniature"
    assert way.text() == f"Load {pair}, with an example"
    qtbot.waitUntil(lambda: way.width() >= way.sizeHint().width())  # and can be read whole
    qtbot.mouseClick(way, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(engine.requests(SoftTargetsRequest)))
    cast = asker.view.of.cast(models.cards, models.active, running.bench.state.document)
    played = {role: models.cards[slot].stamp.id for role, slot in cast.items()}
    assert played == {"teacher": "bert-miniature", "student": "distilbert-miniature"}
    assert asker.frame.state is FrameState.WORKING


def test_a_sentence_that_will_do_is_kept(window_of, qtbot):
    running = window_of("kagnet-miniature")
    typed = Document("The chef cooks.").with_mask(4, 8)
    running.bench.state.edit("typing", typed)
    asker = look_at(running, qtbot, "soft_targets")
    way = ways_of(asker.frame)[0]
    assert way.text() == "Load BERT miniature and its student DistilBERT miniature"
    qtbot.mouseClick(way, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(running.bench.models.cards) == 2)
    assert running.bench.state.document == typed


@pytest.mark.parametrize("name", ["masked_tokens", "surprisal", "logit_lens"])
def test_what_was_tuned_for_another_purpose_is_not_offered(window_of, qtbot, name):
    running = window_of("bert-miniature")
    running.bench.models.unload("A")
    texts = [one.text() for one in ways_of(look_at(running, qtbot, name).frame)]
    assert texts == ["Load BERT miniature", "Load DistilBERT miniature", "Open the library"]


def test_what_was_tuned_for_the_question_comes_first(window_of, qtbot):
    running = window_of("bert-miniature")
    cards = running.bench.models.cards
    for name, first in (
        ("answer_span", "Load ALBERT miniature, answers"),
        ("continuation", "Load GPT-1 miniature"),
        ("token_labels", "Load BERT miniature, labels"),
    ):
        load(running, "kagnet-miniature")
        qtbot.waitUntil(lambda: cards["A"].stamp.id == "kagnet-miniature")
        asker = look_at(running, qtbot, name)
        qtbot.waitUntil(lambda asker=asker: asker.frame.state is FrameState.UNAVAILABLE)
        qtbot.waitUntil(lambda asker=asker, first=first: ways_of(asker.frame)[0].text() == first)


def test_of_the_family_that_is_loaded_one_is_offered_before_others(window_of, qtbot):
    running = window_of("bert-miniature")
    asker = look_at(running, qtbot, "answer_span")
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.UNAVAILABLE)
    assert ways_of(asker.frame)[0].text() == "Load BERT miniature, answers"


def test_nobody_is_told_to_try_again_what_can_not_help(window_of, engine, qtbot):
    running = window_of("bert-miniature")
    load(running, "kagnet-miniature", "B")
    why = Failure(Blame.USER, "kagnet-miniature can't be the student here.")
    engine.failures["view:soft_targets"] = why
    asker = look_at(running, qtbot, "soft_targets")
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.FAILED)
    assert ways_of(asker.frame)[0].text() == "Load DistilBERT miniature as B"
    assert not asker.frame.failed_page.retry.isVisible()


def test_steps_of_training_are_offered_where_the_loaded_model_has_none(window_of, engine, qtbot):
    running = window_of("bert-miniature")
    engine.failures["view:over_steps"] = Failure(Blame.USER, "bert-miniature has no steps here.")
    asker = look_at(running, qtbot, "over_steps")
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.FAILED)
    ways = ways_of(asker.frame)
    # What a film is held against has one step, and is no film.
    wanted = ["Load BERT film@8000", "Load BERT film of a student@2400"]
    assert [one.text() for one in ways] == wanted
    qtbot.mouseClick(ways[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: running.bench.models.cards["A"].stamp.id == "bert-film@step8000")
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.FAILED)
    assert not ways_of(asker.frame)


def test_the_library_opens_for_the_slot_that_is_missing(window_of, qtbot):
    running = window_of("bert-miniature")
    asker = look_at(running, qtbot, "soft_targets")
    qtbot.mouseClick(ways_of(asker.frame)[-1], Qt.MouseButton.LeftButton)
    assert running.window.picker.isVisible()
    assert running.window.library.slot == "B"


def test_without_a_model_the_usual_one_is_offered(window_of, qtbot):
    running = window_of("bert-miniature")
    running.bench.models.unload("A")
    asker = look_at(running, qtbot, "masked_tokens")
    assert ways_of(asker.frame)[0].text() == "Load BERT miniature"


def test_the_buttons_stay_the_same_while_the_text_changes(window_of, qtbot):
    """Whoever is on one with the keyboard stays on it."""
    running = window_of("bert-miniature")
    asker = look_at(running, qtbot, "replaced_tokens")
    ways = ways_of(asker.frame)
    ways[1].setFocus()
    running.bench.edits.type_text("Another sentence.", 0)
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert ways_of(asker.frame) == ways
    QTest.keyClick(ways[1], Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: running.bench.models.cards["A"].stamp.id == "deberta-v3-miniature")


def test_a_model_that_is_only_an_architecture_is_shown_as_one(window_of, qtbot):
    """A double click on GPT-3 gave a warning, and the picture lay behind three dots."""
    running = window_of("bert-miniature")
    window, library = running.window, running.window.library
    running.window.open_library()
    qtbot.waitUntil(lambda: library.tree.viewport().isVisible())
    library.choose("gpt3-175b")
    index = library.tree.currentIndex()
    assert index.data(CHECKPOINT).id == "gpt3-175b"
    viewport, place = library.tree.viewport(), library.tree.visualRect(index).center()
    assert viewport.rect().contains(place)
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=place)
    assert running.bench.state.document.option("architecture.checkpoint") == "gpt3-175b"
    assert window.view_area.is_seen("architecture")
    assert window.notices.texts == ()


def test_its_card_has_a_button_for_it_and_none_that_can_not_be_pressed(window_of):
    running = window_of("bert-miniature")
    library = running.window.library
    library.choose("gpt3-175b")
    assert (library.load_a.isHidden(), library.load_b.isHidden()) == (True, True)
    assert not library.take_apart.isHidden()
    library.take_apart.click()
    assert running.bench.state.document.option("architecture.checkpoint") == "gpt3-175b"
    library.choose("bert-miniature")
    assert library.take_apart.isHidden()
    assert not library.load_b.isHidden()


def test_nobody_is_told_to_add_weights_that_were_never_published():
    row = BY_ID["gpt3-175b"]
    assert "never published" in row.problem
    assert "add the weights" not in f"{row.problem} {row.hint} {row.note}"
    assert "never published" not in row.note, "said once"


def test_what_can_not_be_loaded_can_be_looked_at_from_the_notice(window_of, engine, qtbot):
    bare = replace(
        BY_ID["gpt3-175b"],
        id="/home/me/bare",
        folder="/home/me/bare",
        problem="There are no weights here, only a config.",
    )
    running = window_of("bert-miniature")
    engine.catalogue = (*LIBRARY, bare)
    running.bench.actions.open_path(Path("/home/me/bare"))
    notices = running.window.notices
    qtbot.waitUntil(lambda: bool(notices.texts))
    button = notices.findChild(QToolButton, "notice_action_0")
    assert button.text() == "Show its architecture"
    button.click()
    assert running.bench.state.document.option("architecture.checkpoint") == "/home/me/bare"

"""The overview in a window whose engine answers what was recorded."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from explorer.api.question import Blame, Failure
from explorer.document import Document
from explorer.engine.messages import Ask
from explorer.sessions.read.reader import SessionReader
from explorer.ui.theme.schemes import apply_theme
from explorer.ui.views.frame.view_frame import FrameState
from tests.stored_runs.recorded import RECORDED
from tests.ui.fake_engine import MINIATURE

ANSWERED = ("masked_tokens", "surprisal", "logit_lens", "attention", "attribution")
SILENT = "attention"


@pytest.fixture
def engine(engine):
    engine.catalogue = (replace(MINIATURE, operations=(*ANSWERED, "tokens")),)
    for name in ANSWERED:
        run = RECORDED[name]
        engine.answers[type(run.request)] = lambda _request, _card, result=run.result: result
    return engine


@pytest.fixture
def running(start):
    return start(page="")


@pytest.fixture
def survey(running, qtbot):
    survey = running.bench.overview
    qtbot.waitUntil(lambda: not survey.pending and survey.is_idle)
    return survey


@pytest.fixture
def frame(running, survey):
    return running.window.view_area.frames["overview"]


def row(frame, name):
    return next(one for one in frame.page.page.spots if one.key == ("finding", name))


def test_it_is_what_a_first_start_shows_and_each_answer_is_told(survey, frame):
    assert frame.state is FrameState.RESULT
    assert frame.isVisible()
    assert {one.of.name for one in survey.plan.asked} == {*ANSWERED, "tokens"}
    assert not survey.failed
    assert frame.how_far.label.text() == "6 questions asked"
    assert frame.how_far.button.isHidden()


def test_the_strongest_stands_first_and_what_says_nothing_in_one_line(survey, frame):
    told = survey.standing_out
    strengths = [one.headline.strength for one in told]
    assert strengths == sorted(strengths, reverse=True)
    assert len(set(strengths)) > 2
    rows = [one.key[1] for one in frame.page.page.spots if one.key[0] == "finding"]
    assert rows == [one.of.name for one in told]
    assert SILENT not in rows
    assert SILENT in {one.of.name for one in survey.silent}
    chip = next(one for one in frame.page.page.spots if one.key == ("page", SILENT))
    assert chip.said == "Attention"
    line = next(one for one in frame.page.page.nodes if chip in one.spots)
    assert line.name == "Nothing stands out:"
    for one in told:
        assert str(one.headline.sentence) in row(frame, one.of.name).said


@pytest.mark.parametrize("scheme", ["as it was", "dark"])
def test_small_pictures_come_with_the_answers_and_with_other_colours(
    survey, frame, qapp, qtbot, scheme
):
    qtbot.waitUntil(lambda: frame.miniatures.is_idle)
    if scheme == "dark":
        apply_theme(qapp, "dark")
        qtbot.waitUntil(lambda: frame.miniatures.is_idle)
    for one in survey.standing_out:
        image = frame.miniatures.of(one).toImage()
        inside = (image.pixel(x, y) for x in range(image.width()) for y in range(image.height()))
        assert len(set(inside)) > 8, one.of.name


def test_nothing_is_logged_before_a_page_is_opened_and_then_that_alone(
    running, survey, frame, engine, paths, qtbot
):
    reader = SessionReader(paths.sessions)
    assert not reader.runs()
    asked = len(engine.requests(Ask))
    frame.page.choose(row(frame, "surprisal"))
    asker = running.bench.asking.askers["surprisal"]
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)
    assert len(engine.requests(Ask)) == asked, "the page has the answer that was there"
    (run,) = reader.runs()
    assert run.operation == "surprisal"
    assert running.window.view_area.current.question == "surprisal"


def test_a_row_leads_to_the_place_that_its_sentence_names(running, survey, frame, qtbot):
    lens = next(one for one in survey.standing_out if one.of.name == "logit_lens")
    assert lens.headline.position is not None
    frame.page.choose(row(frame, "logit_lens"))
    qtbot.waitUntil(lambda: running.window.sentence.strip.chosen == lens.headline.position)


def test_rows_are_reached_and_opened_by_keys(running, survey, frame, qtbot):
    frame.page.setFocus()
    qtbot.keyClick(frame.page, Qt.Key.Key_Down)
    first = survey.standing_out[0]
    assert frame.page.current.key == ("finding", first.of.name)
    qtbot.keyClick(frame.page, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: running.window.view_area.is_seen(first.of.name))
    qtbot.keyClick(running.window, Qt.Key.Key_Home, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: running.window.view_area.is_seen("overview"))


def test_it_stops_where_it_is_and_goes_on(running, survey, frame, engine, qtbot):
    engine.held.add("overview")
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: "overview" in engine.waiting)
    assert frame.how_far.label.text() == "1 of 6 asked", (
        "surprisal hides each token in turn whatever is masked"
    )
    assert frame.how_far.button.text() == "Stop"
    qtbot.mouseClick(frame.how_far.button, Qt.MouseButton.LeftButton)
    assert survey.is_stopped
    assert survey.is_idle
    assert "overview" in engine.cancelled
    assert len(survey.standing_out) > 2, "what was found before stays, and is pale"
    assert not survey.is_new("masked_tokens")
    engine.held.clear()
    assert frame.how_far.button.text() == "Go on"
    qtbot.mouseClick(frame.how_far.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not survey.pending and survey.is_idle)


def test_what_is_told_follows_the_settings_of_pages_and_nothing_is_asked_for_it(
    engine, start, qtbot
):
    run = RECORDED["replaced_tokens"]
    engine.catalogue = (replace(MINIATURE, operations=("replaced_tokens",)),)
    engine.answers[type(run.request)] = lambda _request, _card: run.result
    running = start(page="")
    survey = running.bench.overview
    qtbot.waitUntil(lambda: not survey.pending and survey.is_idle)
    (found,) = survey.standing_out
    assert "threshold of 0.5:" in str(found.headline.sentence)
    asked = len(engine.requests(Ask))
    running.bench.edits.set_option("replaced_tokens.threshold", 0.9)
    (found,) = survey.standing_out
    assert "threshold of 0.9:" in str(found.headline.sentence)
    told = row(running.window.view_area.frames["overview"], "replaced_tokens").said
    assert "threshold of 0.9:" in told
    qtbot.waitUntil(lambda: survey.is_idle)
    assert len(engine.requests(Ask)) == asked


def test_a_model_that_has_come_is_asked_before_the_window_shows_it(start, engine, qtbot):
    engine.held.add("find:")
    running = start(page="", wait=False)
    survey = running.bench.overview
    is_asked = []

    def changed():
        if survey.plan.asked:
            is_asked.append("overview" in [call.lane for call in engine.calls])

    survey.changed.connect(changed)
    engine.held.clear()
    engine.release(f"find:{MINIATURE.id}")
    qtbot.waitUntil(lambda: bool(is_asked))
    assert is_asked[0]


def test_what_is_not_seen_asks_nothing(running, survey, engine, qtbot):
    running.window.view_area.bring_forward("masked_tokens")
    asker = running.bench.asking.askers["masked_tokens"]
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)
    before = [call.lane for call in engine.calls].count("overview")
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert [call.lane for call in engine.calls].count("overview") == before


def test_what_the_models_refuse_and_what_they_can_not_answer_is_told_at_the_end(
    running, survey, frame, engine, qtbot
):
    engine.failures["overview"] = Failure(Blame.USER, "This text is too odd.", "Type another.")
    running.bench.state.edit("type", Document("the cat sat").with_mask(4, 7))
    qtbot.waitUntil(lambda: len(survey.failed) == 6)
    node = next(one for one in frame.page.page.nodes if one.name == "These models can't answer:")
    names = [one.said for one in node.spots]
    assert "Surprisal" in names
    assert "Replaced tokens" in names
    assert "too odd" in next(one for one in node.spots if one.said == "Surprisal").words


def test_without_a_sentence_an_example_is_one_click_away(running, survey, frame, qtbot):
    running.bench.state.edit("type", Document())
    qtbot.waitUntil(lambda: frame.state is FrameState.EMPTY)
    (button,) = frame.empty_page._buttons
    assert button.text() == "Try an example"
    button.click()
    qtbot.waitUntil(lambda: frame.state is FrameState.RESULT and not survey.pending)


def test_a_model_that_is_coming_is_no_reason_to_ask_for_one(start, engine, qtbot):
    engine.held.add("find:")
    running = start(page="", wait=False)
    frame = running.window.view_area.frames["overview"]
    assert frame.state is FrameState.WORKING
    running.window.view_area.bring_forward("masked_tokens")
    asker = running.bench.asking.askers["masked_tokens"]
    assert asker.frame.state is FrameState.WORKING
    engine.held.clear()
    engine.release(f"find:{MINIATURE.id}")
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)

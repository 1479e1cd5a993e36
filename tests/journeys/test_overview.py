"""The first minute of the program: what stands out is told, and each row leads to its page."""

import shutil

import pytest
from PySide6.QtCore import Qt

from explorer.sessions.read.reader import SessionReader
from explorer.tour.hands import wait_until
from tests.journeys.acting import SLOW, answered, load

pytestmark = pytest.mark.usefixtures("warm_engine")


@pytest.fixture
def running(open_window):
    return open_window(page="")


@pytest.fixture
def survey(running, qtbot):
    survey = running.bench.overview
    qtbot.waitUntil(lambda: is_done(survey), timeout=SLOW)
    return survey


def is_done(survey):
    return bool(survey.plan.asked) and not survey.pending and survey.is_idle


def names(findings):
    return [one.of.name for one in findings]


def test_the_first_minute_by_mouse_and_by_keys(running, survey, paths, qtbot):
    window, bench = running.window, running.bench
    frame = window.view_area.frames["overview"]
    told = survey.standing_out
    assert not survey.failed
    assert {"masked_tokens", "attention", "attribution", "surprisal"} <= set(names(told))
    strengths = [one.headline.strength for one in told]
    assert strengths == sorted(strengths, reverse=True)
    assert "tokens" in names(survey.silent)
    assert {"replaced_tokens", "soft_targets"} <= {one.of.name for one in survey.plan.unable}
    assert not SessionReader(paths.sessions).runs()
    wait_until(lambda: frame.miniatures.is_idle, "the small pictures")
    assert all(frame.miniatures.of(one) is not None for one in told)

    heads = next(one for one in told if one.of.name == "attention")
    spot = next(s for s in frame.page.page.spots if s.key == ("finding", "attention"))
    place = spot.box.center().toPoint()
    qtbot.mouseClick(frame.page, Qt.MouseButton.LeftButton, pos=place)
    answered(running, qtbot, "attention")
    for key, value in heads.headline.points_at.items():
        assert bench.state.document.option(key) == value
    assert {run.operation for run in SessionReader(paths.sessions).runs()} == {"attention"}

    qtbot.keyClick(window, Qt.Key.Key_Home, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: window.view_area.is_seen("overview"), timeout=SLOW)
    qtbot.waitUntil(lambda: is_done(survey), timeout=SLOW)
    frame.page.setFocus()
    for key in (*[Qt.Key.Key_Up] * 20, *[Qt.Key.Key_Down] * 20):
        qtbot.keyClick(frame.page, key)
        if key is Qt.Key.Key_Down and frame.page.current.key == ("finding", "masked_tokens"):
            break
    qtbot.keyClick(frame.page, Qt.Key.Key_Return)
    answered(running, qtbot, "masked_tokens")
    logged = [run.operation for run in SessionReader(paths.sessions).runs()]
    assert logged[0] == "masked_tokens"


def test_models_that_answer_few_and_a_checkpoint_of_ones_own(running, survey, tmp_path, qtbot):
    bench = running.bench
    load(running, qtbot, A="kagnet-miniature")
    qtbot.waitUntil(lambda: is_done(survey) or not survey.plan.asked, timeout=SLOW)
    assert len(survey.plan.unable) > len(survey.plan.asked) + len(survey.plan.lacking)
    frame = running.window.view_area.frames["overview"]
    spots = {one.key: one for one in frame.page.page.spots}
    assert "Load BERT" in spots["page", "masked_tokens"].words

    source = bench.checkpoints.find("bert-miniature").folder
    own = tmp_path / "my-own-bert"
    shutil.copytree(source, own)
    bench.actions.open_path(own, "A")
    qtbot.waitUntil(
        lambda: bench.models.cards["A"].stamp.id == str(own) and is_done(survey), timeout=SLOW
    )
    assert not survey.failed
    assert {"masked_tokens", "attention"} <= set(names(survey.standing_out))

    # What these can't answer is loaded by a click, and its page comes forward.
    spot = next(one for one in frame.page.page.spots if one.key == ("page", "replaced_tokens"))
    frame.page.choose(spot)
    answered(running, qtbot, "replaced_tokens")
    assert running.window.view_area.is_seen("replaced_tokens")

"""A file of sentences becomes a session: asked once, stopped and gone on with."""

from dataclasses import replace

import pytest

from explorer.api.question import BY_NAME
from explorer.questions.many.file_of_sentences.options import ENTITIES
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader
from tests.ui.fake_engine import MINIATURE

SENTENCES = ("the [MASK] was hot", "a bare sentence", "she liked the [MASK]")


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "soups.txt"
    file.write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    return file


def runs_of(paths, name="soups.txt"):
    reader = SessionReader(paths.sessions)
    (session,) = [one for one in reader.sessions() if one.name == name]
    return reader.runs(RunFilter(session_id=session.id))


def test_every_sentence_is_a_run_in_a_session_of_the_file_s_name(
    running, engine, qtbot, paths, path
):
    asked = len(engine.requests(MaskedTokensRequest))
    with qtbot.waitSignal(running.window.file_session.ended) as told:
        running.window.file_session.begin(path)
    assert told.args == [3]
    assert len(engine.requests(MaskedTokensRequest)) == asked + 3
    assert [run.text for run in runs_of(paths)] == list(SENTENCES[::-1])
    assert "3 sentences of soups.txt are in the log" in " ".join(running.window.notices.texts)
    # The sentence on screen is left as it was.
    assert running.bench.state.stack.count() == 0


def test_a_file_that_was_stopped_goes_on_where_it_was(running, engine, qtbot, paths, path):
    session = running.window.file_session
    engine.held.add("file session")
    session.begin(path)
    assert session.is_running
    engine.release("file session")
    qtbot.waitUntil(lambda: len(engine.requests(MaskedTokensRequest)) >= 3)
    session.stop()
    assert not session.is_running
    qtbot.waitUntil(lambda: len(runs_of(paths)) == 1)
    engine.held.clear()
    with qtbot.waitSignal(session.ended) as told:
        session.begin(path)
    assert told.args == [2]
    texts = [run.text for run in SessionReader(paths.sessions).runs(RunFilter("hot"))]
    assert texts == [SENTENCES[0]]


@pytest.mark.parametrize("finds", [True, False])
def test_a_reader_of_entities_finds_them_by_name_unless_that_is_off(
    engine, start, qtbot, path, finds
):
    engine.catalogue = (replace(MINIATURE, operations=(*MINIATURE.operations, "entities")),)
    running = start()
    running.bench.edits.set_option(ENTITIES.key, finds)
    with qtbot.waitSignal(running.window.file_session.ended):
        running.window.file_session.begin(path)
    asked = {one.text: one.entities for one in engine.requests(MaskedTokensRequest)}
    found = BY_NAME if finds else ()
    assert [asked[sentence] for sentence in SENTENCES] == [found] * 3


def test_other_models_are_asked_without(running, engine, qtbot, path):
    with qtbot.waitSignal(running.window.file_session.ended):
        running.window.file_session.begin(path)
    assert {one.entities for one in engine.requests(MaskedTokensRequest)} == {()}


def test_a_view_that_asks_nothing_of_a_sentence_says_so(engine, start, path):
    questions = (*MINIATURE.operations, "vocabulary")
    engine.catalogue = (replace(MINIATURE, operations=questions),)
    running = start()
    running.window.view_area.bring_forward("vocabulary")
    running.window.file_session.begin(path)
    assert not running.window.file_session.is_running
    assert "asks nothing of a sentence" in running.window.notices.texts[-1]


def test_a_file_that_is_done_says_so_and_one_that_is_none_too(running, qtbot, path, tmp_path):
    session = running.window.file_session
    with qtbot.waitSignal(session.ended):
        session.begin(path)
    with qtbot.waitSignal(session.ended) as told:
        session.begin(path)
    assert told.args == [0]
    assert "has its answer in the log already" in running.window.notices.texts[-1]
    session.begin(tmp_path / "gone.txt")
    assert not session.is_running
    assert any("gone.txt" in text for text in running.window.notices.texts)

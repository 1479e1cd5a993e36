"""A log written under one language, read in a window that speaks another."""

from explorer.questions import question_of
from explorer.ui.session_log.table import ANSWER
from tests.stored_runs.recorded import RECORDED
from tests.ui.page_tree import tip

RECORDED_ANSWER = RECORDED["masked_tokens"]
GERMAN = {
    code: "Das Modell schwankt."
    for code, _values in question_of(RECORDED_ANSWER.request)
    .headline_of(RECORDED_ANSWER.result)
    .sentence.parts
}


def answers(running):
    model = running.window.log.model
    return [model.index(row, ANSWER).data() for row in range(model.rowCount())]


def test_the_log_reads_in_the_language_of_the_window(engine, start, speak, qtbot):
    speak("de", **GERMAN)
    request, result = RECORDED_ANSWER.request, RECORDED_ANSWER.result
    engine.answers[type(request)] = lambda _request, _card: result
    running = start()
    running.bench.state.edit("text", RECORDED_ANSWER.document)
    running.window.view_area.bring_forward("masked_tokens")
    qtbot.waitUntil(lambda: "Das Modell schwankt." in answers(running))
    keys = tip(running.window, "soft_targets")
    assert "Umschalt" in keys
    running.close()
    speak("en_XA")
    again = start()
    # Qt's own words too, as the names of keys.
    assert "Umschalt" not in tip(again.window, "soft_targets")
    qtbot.waitUntil(lambda: any("Ţĥéé ṁööðééļ ĥééšîîţååţééš" in one for one in answers(again)))
    assert not any("Das Modell" in one for one in answers(again))

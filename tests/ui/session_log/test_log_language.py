"""A log written under one language, read in a window that speaks another."""

from explorer.ui.session_log.table import ANSWER

GERMAN = {
    "The model reads {count} tokens.": "Das Modell liest {count} Tokens.",
    "Tokens": "Tokens",
}


def answers(running):
    model = running.window.log.model
    return [model.index(row, ANSWER).data() for row in range(model.rowCount())]


def test_the_log_reads_in_the_language_of_the_window(start, speak, qtbot):
    speak("de", **GERMAN)
    running = start()
    running.window.view_area.bring_forward("tokens")
    qtbot.waitUntil(lambda: any(one.startswith("Das Modell liest ") for one in answers(running)))
    keys = running.window.rail.buttons["soft_targets"].toolTip()
    assert "Umschalt" in keys
    running.close()
    speak("en_XA")
    again = start()
    # Qt's own words too, as the names of keys.
    assert "Umschalt" not in again.window.rail.buttons["soft_targets"].toolTip()
    qtbot.waitUntil(lambda: any("Ţĥéé ṁööðééļ ŕééååðš" in one for one in answers(again)))
    assert not any("Das Modell" in one for one in answers(again))

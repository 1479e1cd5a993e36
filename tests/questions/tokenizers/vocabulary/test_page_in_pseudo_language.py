"""The pages of a vocabulary that are not the first one, in English that looks translated."""

from functools import partial

import pytest

from explorer.questions.tokenizers.vocabulary.options import OVERVIEW, PAGE_SHOWN, USE
from explorer.ui.views.frame.view_frame import FrameState
from tests.stored_runs.recorded import RECORDED, put_all
from tests.ui.test_pages_in_pseudo_language import (
    OF_PYQTGRAPH,
    said_by,
    untranslated,
    whole,
    words_of,
)


@pytest.mark.parametrize("tab", [OVERVIEW, USE])
def test_every_text_is_translated(speak, start, paths, qtbot, tab):
    speak("en_XA")
    put_all(paths.sessions)
    running = start()
    running.window.resize(1024, 700)
    (run,) = (one for one in RECORDED.values() if one.summary.operation == "vocabulary")
    running.window.commands.restore_run(run.summary.id)
    state = running.bench.state
    qtbot.waitUntil(lambda: state.run_id == run.summary.id)
    asker = running.bench.asking.askers["vocabulary"]
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)
    running.bench.edits.set_option(PAGE_SHOWN.key, tab)
    qtbot.waitUntil(lambda: PAGE_SHOWN.of(asker.view.now) == tab)
    data = words_of(run, ())
    left = {
        f"{where}: {text!r}"
        for where, text in said_by(asker.view, asker.frame)
        if untranslated(text, data) and where not in OF_PYQTGRAPH
    }
    assert not left, "\n".join(sorted(left))
    qtbot.waitUntil(partial(whole, asker.frame))

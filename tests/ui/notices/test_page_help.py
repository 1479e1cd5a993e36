"""F1: what a page shows, how it is read, its terms and its keys, before and after its answer."""

from PySide6.QtCore import QUrl

from explorer.questions import all_questions
from explorer.text.glossary import terms_in
from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.page.explained import behind_marks
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.notices.page_help import PageHelp
from explorer.ui.views import page_of_question
from tests.stored_runs.recorded import RECORDED


def made(qtbot, name, *, answered):
    opened, page, explained = [], None, ()
    if answered:
        run = RECORDED[name]
        shown = Shown(run.result, run.document, run.document)
        blocks, explained = behind_marks(page_of_question(name).blocks(shown))
        page = page_of(blocks, 800.0)
    found = PageHelp(all_questions()[name], page, explained, opened.append)
    qtbot.addWidget(found)
    return found, opened


def test_it_says_what_the_page_shows_how_it_is_read_and_what_its_words_mean(qtbot, qapp):
    found, opened = made(qtbot, "surprisal", answered=True)
    told = found.text.toPlainText()
    assert told.startswith("Surprisal")
    for title in ("How to read it", "What can be set", "Its terms", "Its keys"):
        assert title in told
    assert "Each token is masked alone" in told
    assert "pseudo-perplexity" in told
    assert "The unit of information" in told
    assert "Alt+6" in told
    found.text.anchorClicked.emit(QUrl("shortcuts"))
    assert opened == ["shortcuts"]


def test_what_is_behind_several_marks_is_said_once_and_has_its_terms(qtbot, qapp):
    found, _opened = made(qtbot, "sentence_pair", answered=True)
    told = found.text.toPlainText()
    assert told.count("Trained to say whether the second text really followed") == 1
    assert "The largest weight between two words of different texts" in told
    assert "Attention between the texts" in told
    assert told.index("Trained to say") < told.index("Attention between the texts")
    explained = terms_in([told[: told.index("What can be set")]])
    assert len(explained) > 3
    assert set(explained) <= set(told[told.index("Its terms") :].splitlines())


def test_it_is_there_before_the_first_answer(qtbot, qapp):
    found, _opened = made(qtbot, "soft_targets", answered=False)
    told = found.text.toPlainText()
    assert "How to read it" not in told
    assert "temperature" in told.casefold()
    assert "teacher" in told


def test_every_page_names_terms_of_its_own(qtbot, qapp):
    for name, of in all_questions().items():
        found = PageHelp(of, None, (), print)
        qtbot.addWidget(found)
        assert "Its terms" in found.text.toPlainText(), name

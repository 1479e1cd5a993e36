"""A results file's page: what makes an answer, and looks at the table."""

from explorer.api.question import ModelStamp
from explorer.document import Document
from explorer.files_of_sentences.results import ResultsKey, SentenceOutcome
from explorer.files_of_sentences.rows import ResultsReader
from explorer.files_of_sentences.sentences import FileSentence
from explorer.questions.many.file_of_sentences.question import (
    FileOfSentencesResult,
)

STAMP = ModelStamp("m", "bert", "0" * 32, "cpu", "float32")
ASKED = ResultsKey("d", "", "surprisal", "{}", ("f",))


class Card:
    stamp = STAMP
    operations = ("masked_tokens", "file_of_sentences", "surprisal", "tokens")


def outcome(number):
    text = f"sentence {number}"
    if number % 10 == 9:
        return SentenceOutcome(FileSentence(number, text), failure="It is empty.")
    return SentenceOutcome(FileSentence(number, text), {"tokens": number % 7, "score": number / 8})


def answer(path, count=1000, **fields):
    done, failed = ResultsReader(path).counts()
    defaults = {
        "model": STAMP,
        "source": "some.txt",
        "operation": "surprisal",
        "count": count,
        "left_out": 0,
        "done": done,
        "failed": failed,
        "results": str(path),
        "columns": (),
        "spreads": (),
        "first": (FileSentence(1, "sentence 1"),),
    }
    return FileOfSentencesResult(**{**defaults, **fields})


def panel(view):
    """The table on the page."""
    # Only who has a page needs Qt.
    from explorer.questions.many.file_of_sentences.panel import RowsPanel

    return view.page.findChild(RowsPanel)


def show(view, qtbot, result):
    with qtbot.waitSignal(view.page.looked_at):
        view.show_result(result, Document("old words"))
    qtbot.waitUntil(lambda: panel(view).ordering.is_idle)


def cells(view, column):
    model = panel(view).model
    place = panel(view).names.index(column)
    return [model.index(row, place).data() for row in range(model.rowCount())]

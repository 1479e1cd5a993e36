"""A results file and its page."""

import pytest

from explorer.files_of_sentences.results import ResultsWriter
from tests.questions.many.file_of_sentences.shown_rows import ASKED, Card, outcome


@pytest.fixture
def results(tmp_path):
    """A results file with 300 rows, and its writer."""
    path = ASKED.place(tmp_path)
    with ResultsWriter(path, ASKED) as writer:
        writer.append([outcome(number) for number in range(1, 301)])
        yield path, writer


@pytest.fixture
def view(qtbot):
    # Tests of what has no page run without Qt.
    from tests.ui.pages import kind_of

    made = kind_of("file_of_sentences")()
    qtbot.addWidget(made)
    made.set_models({"A": Card()}, "A")
    made.resize(700, 400)

    # As the window does: what is set is in the document, and the page follows.
    def follow(change):
        if (shown := made.shown()) is not None:
            made.set_document(change(shown.now))

    made.edit_requested.connect(lambda edit: follow(edit.on))
    made.option_moved.connect(lambda key, value: follow(lambda now: now.with_option(key, value)))
    return made

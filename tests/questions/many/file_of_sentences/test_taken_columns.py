"""What of a file was taken for what: told before it asks, and chosen."""

import dataclasses

from explorer.document import Document
from explorer.files_of_sentences.sentences import FileSentence
from explorer.questions.many.file_of_sentences.options import FILE, PAIR_COLUMN
from tests.questions.many.file_of_sentences.shown_rows import answer, show
from tests.ui.pages import words_on


def test_second_texts_are_of_a_column_that_is_chosen_or_of_none(view, qtbot, results):
    names = ("sent_more", "sent_less", "bias_type")
    result = answer(results[0], file_columns=names, column="sent_more", has_names=True)
    show(view, qtbot, result)
    pairs = view.bar.fields[PAIR_COLUMN.key]
    assert [pairs.itemText(n) for n in range(pairs.count())] == ["none", *names]
    assert pairs.currentText() == "none"
    with qtbot.waitSignal(view.option_changed) as changed:
        pairs.activated.emit(2)
    assert changed.args == [PAIR_COLUMN.key, "sent_less"]
    show(view, qtbot, dataclasses.replace(result, pair_column="sent_less"))
    assert pairs.currentText() == "sent_less"
    asked = Document("words").with_option(PAIR_COLUMN.key, "-").with_option(FILE.key, "some.csv")
    assert view.request_of(asked).pair_column == "-"


def test_before_it_asks_it_shows_what_was_taken_for_what(view, qtbot, results):
    names = ("genre", "sentence1", "sentence2", "gold_label")
    first = FileSentence(2, "The inn was full .", "Nobody was there .", "contradiction")
    result = answer(
        results[0],
        done=0,
        file_columns=names,
        column="sentence1",
        pair_column="sentence2",
        expected_column="gold_label",
        has_names=True,
        first=(first,),
    )
    view.show_result(result, Document("old words"))
    told = words_on(view)
    assert "text from column 2, “sentence1”, second text from “sentence2”." in told
    assert "What is right is from “gold_label”." in told
    assert "Rows keep: genre, gold_label." in told
    assert (
        "The first: “The inn was full .”, with “Nobody was there .”; right is “contradiction”."
        in told
    )

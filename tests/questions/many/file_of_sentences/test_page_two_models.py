"""The page of a file whose sentences two models and more have answered."""

import dataclasses
from pathlib import Path

import pytest

from explorer.api.question import Checkpoint, Source
from explorer.document import Document
from explorer.files_of_sentences.results import ResultsWriter, SentenceOutcome
from explorer.files_of_sentences.sentences import FileSentence
from explorer.questions.many.file_of_sentences.headline import headline
from explorer.questions.many.file_of_sentences.options import COMPARE, FURTHER
from explorer.questions.many.file_of_sentences.question import FurtherModel, results_of
from explorer.questions.many.file_of_sentences.wording import means_of_each_said
from tests.questions.many.file_of_sentences.shown_rows import (
    ASKED,
    STAMP,
    Card,
    answer,
    cells,
    panel,
    show,
)
from tests.ui.pages import words_on

OTHER = dataclasses.replace(STAMP, id="folder/n")


class Other(Card):
    stamp = OTHER


@pytest.fixture
def of_two(view, results):
    """An answer of both models, of which the second one fails nowhere."""
    path, _ = results
    other = dataclasses.replace(ASKED, models=("g",))
    place = other.place(path.parent)
    with ResultsWriter(place, other) as writer:
        for number in range(1, 301):
            own = {"tokens": number % 7, "score": number / 4}
            writer.append([SentenceOutcome(FileSentence(number, f"sentence {number}"), own)])
    view.set_models({"A": Card(), "B": Other()}, "A")
    return answer(path, 300, other=OTHER, compared=str(place))


def test_columns_of_two_models_and_their_difference(view, qtbot, of_two):
    show(view, qtbot, of_two)
    assert panel(view).names == (
        *("line", "text", "tokens · m", "score · m", "score · folder/n", "score · difference"),
        "failure",
    )
    titles = [one.title for one in panel(view).model.rows.columns]
    assert titles[2:6] == ["tokens", "score · m", "score · n", "score, difference"]
    assert cells(view, "score · difference")[:2] == ["0.125", "0.250"]
    assert "Means by m and n" in words_on(view)
    assert "tokens:" not in words_on(view)


def test_rows_are_sorted_by_what_differs_and_saved_so(view, qtbot, of_two):
    show(view, qtbot, of_two)
    for _click in range(2):
        panel(view).sort(panel(view).names.index("score · difference"))
        qtbot.waitUntil(lambda: panel(view).ordering.is_idle)
    qtbot.waitUntil(lambda: cells(view, "line")[0] == "300")
    table = view.table()
    assert table.columns[-2:] == ("score · difference", "failure")
    assert table.rows[0][-2] == pytest.approx(37.5)


def test_a_button_asks_both_where_two_are_loaded(view, qtbot, results):
    def offered():
        return [one for one in view.page.page.spots if one.key == "compare"]

    show(view, qtbot, answer(results[0], 300))
    assert not offered()
    view.set_models({"A": Card(), "B": Other()}, "A")
    view.refresh()
    with qtbot.waitSignal(view.edit_requested) as told:
        view.page.choose(offered()[0])
    assert COMPARE.of(told.args[0].on(Document()))


def test_what_to_look_at_first_is_where_they_differ(of_two):
    told = dataclasses.replace(of_two, spreads=results_of(of_two).spreads())
    said = str(headline(told).sentence)
    assert said.startswith("Over some.txt, the models differ most in “score”: ")
    assert "by m, " in said
    assert "by n on average." in said


def test_a_third_one_has_columns_too_and_a_switch_takes_it_out(view, qtbot, of_two):
    path = ASKED.place(Path(of_two.results).parent)
    third = dataclasses.replace(ASKED, models=("h",))
    place = third.place(path.parent)
    with ResultsWriter(place, third) as writer:
        for number in range(1, 301):
            own = {"tokens": number % 7, "other": "x"}
            writer.append([SentenceOutcome(FileSentence(number, f"sentence {number}"), own)])
    stamp = dataclasses.replace(STAMP, id="folder/third")
    further = (
        FurtherModel(stamp.id, stamp, str(place)),
        FurtherModel("waits"),
    )
    result = dataclasses.replace(of_two, further=further)
    view.set_library((checkpoint("folder/third"), checkpoint("waits"), checkpoint("able")))
    chosen = FURTHER.written(("folder/third", "waits"))
    view.set_document(Document("old words").with_option(FURTHER.key, chosen))
    show(view, qtbot, result)
    assert panel(view).names == (
        *("line", "text", "tokens · m", "score · m", "score · folder/n"),
        *("score · difference of folder/n", "other · folder/third", "failure"),
    )
    titles = [one.title for one in panel(view).model.rows.columns]
    assert titles[5] == "score, difference of n"
    assert "Means by m, n and third" in words_on(view)
    assert "Run loads Waits, one at a time, and lets each go: 8 B of memory at most." in words_on(
        view
    )
    switches = {
        one.key[1]: one for one in view.page.page.spots if one.key and one.key[0] == "further"
    }
    assert list(switches) == ["folder/third", "waits", "able"]
    for name, after in (("waits", ("folder/third",)), ("able", ("folder/third", "waits", "able"))):
        with qtbot.waitSignal(view.edit_requested) as told:
            view.page.choose(switches[name])
        assert FURTHER.of(told.args[0].on(view.shown().now)) == after


def checkpoint(name):
    return Checkpoint(
        name,
        name.rpartition("/")[2].title(),
        Source.BUNDLED,
        folder="somewhere",
        operations=("surprisal",),
        weights_bytes={"float32": 8},
    )


def test_models_are_named_together_as_the_reader_s_language_does(speak):
    speak(
        "ko",
        **{"{before} and {last}": "{before}과(와) {last}", "Means by {models}": "{models}의 평균"},
    )
    assert means_of_each_said((), ("m", "folder/n"), "surprisal")[0] == "m과 n의 평균"

"""Edits on screen: ranked rows, a word's own, and into the sentence with a click."""

import pytest

from explorer.api.question.options.asks import field_of
from explorer.document import Document
from explorer.questions.cause.edits.page import PAGE
from explorer.questions.cause.edits.parts import LISTED
from explorer.questions.cause.edits.question import (
    AGAINST,
    AT,
    DIVERGENCE,
    LOG_PROBABILITY,
    MEASURE,
    ONLY,
    WORDS,
    EditsRequest,
    PredictionKind,
)
from explorer.questions.cause.edits.wording import numbered
from explorer.ui.blocks.columns import Columns
from explorer.ui.blocks.tables.bar_table import BarTable
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.ui.pages import choose, kind_of, spot, words_on

TEXT = "The chef cooked the [MASK] in the kitchen."
JUDGED = "The chef cooked the telescope in the kitchen."


@pytest.fixture(scope="module")
def result():
    return tiny.ask(miniature("bert-miniature"), EditsRequest(TEXT, neighbours=6))


@pytest.fixture(scope="module")
def judged():
    name = "electra-miniature-discriminator"
    return tiny.ask(miniature(name), EditsRequest(JUDGED, neighbours=2))


@pytest.fixture
def view(shown, result):
    made = shown(kind_of("edits"))
    made.show_result(result, Document(TEXT))
    return made


def keys(view, kind):
    """What rows of a kind are about, in their order."""
    return [one.key[1:] for one in view.page.page.spots if one.key and one.key[0] == kind]


def test_the_document_says_what_is_asked(view):
    asked = Document(TEXT).with_option(WORDS.key, ["soup", "tea"]).with_option(AGAINST.key, "cake")
    request = EditsRequest(TEXT, against="cake", words=("soup", "tea"))
    assert view.request_of(asked) == request
    assert "mask" in view.empty_hint(Document("The chef cooked."))
    neighbours = field_of(EditsRequest, "neighbours").option
    assert neighbours.when(Document(TEXT))
    assert not neighbours.when(asked)


def test_the_strongest_edits_stand_first_and_each_word_has_a_row(view, result):
    ranked = result.ranked(DIVERGENCE)
    assert len(ranked) > LISTED
    assert keys(view, "edit") == [(one.place, one.put) for one in ranked[:LISTED]]
    assert keys(view, "word") == [(n,) for n in range(len(result.words))]
    assert f"The {LISTED} that move the prediction most, of {len(ranked)}" in words_on(view)
    assert [numbered(result, n) for n in (0, 1, 3, 5)] == ["The (1)", "chef", "the (2)", "the (3)"]
    assert len(view.table().rows) == len(ranked)


def test_another_measure_ranks_anew_and_asks_nothing(view, result):
    now = Document(TEXT).with_option(MEASURE.key, LOG_PROBABILITY)
    assert view.request_of(now) == view.request_of(Document(TEXT))
    view.set_document(now)
    ranked = result.ranked(LOG_PROBABILITY)
    assert keys(view, "edit") == [(one.place, one.put) for one in ranked[:LISTED]]


def test_a_click_puts_an_edit_into_the_sentence_in_one_step(view, result, qtbot):
    one = result.ranked(DIVERGENCE)[0]
    with qtbot.waitSignal(view.edit_requested) as told:
        choose(view, ("edit", one.place, one.put))
    where = result.words[one.place]
    edit = told.args[0]
    expected = TEXT[: where.start] + one.put + TEXT[where.end :]
    assert edit.on(Document(TEXT)).text == expected
    assert edit.name == f"replace '{where.word}' by '{one.put}'"
    # The text has grown in front since: the edit goes where the word is now.
    assert edit.on(Document("Look! " + TEXT)).text == "Look! " + expected
    words = spot(view, ("edit", one.place, one.put)).words
    assert "Click to put it into the sentence." in words
    assert "KL(before ‖ after)" in words


def test_a_word_lists_its_own_edits_and_again_all(view, result, qtbot):
    with qtbot.waitSignal(view.edit_requested) as told:
        choose(view, ("word", 1))
    alone = told.args[0].on(Document(TEXT))
    assert ONLY.of(alone) == (1,)
    view.set_document(alone)
    assert {place for place, _put in keys(view, "edit")} == {1}
    assert "Edits of “chef”" in words_on(view)
    for key in (("word", 1), ("word", None)):
        with qtbot.waitSignal(view.edit_requested) as told:
            choose(view, key)
        assert ONLY.of(told.args[0].on(alone)) == ()
    # A word that is gone lists all.
    view.set_document(Document(TEXT).with_option(ONLY.key, [99]))
    assert len({place for place, _put in keys(view, "edit")}) > 1


def test_a_discriminator_is_asked_about_another_token_by_a_click(shown, judged, qtbot):
    view = shown(kind_of("edits"))
    view.show_result(judged, Document(JUDGED))
    assert judged.kind is PredictionKind.REPLACED
    assert "“telescope” was replaced with probability" in words_on(view)
    with qtbot.waitSignal(view.edit_requested) as told:
        choose(view, ("mask", 2))
    assert AT.of(told.args[0].on(Document(JUDGED))) == (2,)
    assert EditsRequest.of(told.args[0].on(Document(JUDGED))).position == 2
    assert set(PAGE.disabled(Document(JUDGED), judged)) == {"edits.word", "edits.against"}


def test_the_logit_difference_is_offered_where_there_is_a_second_word(view, result):
    (offer,) = PAGE.offers(Document(TEXT), view.shown(), None).values()
    assert [one.value for one in offer.entries] == [DIVERGENCE, LOG_PROBABILITY]
    other = tiny.ask(miniature("bert-miniature"), EditsRequest(TEXT, against="cake", neighbours=1))
    view.show_result(other, Document(TEXT))
    assert PAGE.offers(Document(TEXT), view.shown(), None) == {}
    assert "Its logit minus that of “cake”" in words_on(view)


OTHER = TEXT.replace("chef", "old baker")


@pytest.fixture(scope="module")
def other():
    return tiny.ask(miniature("bert-miniature"), EditsRequest(OTHER, neighbours=6))


def tables_in(block):
    """Those in the cards of a block."""
    cards = block.cards if isinstance(block, Columns) else ()
    return [one for card in cards for one in card.blocks if isinstance(one, BarTable)]


def rows_of(view, title):
    """The rows of one of the two tables, by what they are about."""
    tables = [one for block in view.declared.blocks(view.shown()) for one in tables_in(block)]
    table = next(one for one in tables if one.label.title == title)
    numbered_columns = {column.title: n for n, column in enumerate(table.columns)}
    return {row.key[1:]: row for row in table.rows}, numbered_columns, table.axis


def test_a_pinned_answer_is_compared_edit_by_edit_at_the_same_places(view, result, other):
    view.pin()
    view.show_result(other, Document(OTHER))
    drawn = [one for block in view.declared.drawn(view.shown()) for one in tables_in(block)]
    tips = [column.words for table in drawn for column in table.columns]
    assert sum("pinned answer's bar ends" in tip for tip in tips) == 2
    # "in" has become the seventh word; "old baker" stands where "chef" stood.
    before = {(one.place, one.put): one for one in result.edits}
    place = next(n for n, word in enumerate(other.words) if word.word == "in")
    then = next(n for n, word in enumerate(result.words) if word.word == "in")
    assert place == then + 1
    rows, columns, axis = rows_of(view, "edit")
    shared = [key for key in rows if key[0] == place and (then, key[1]) in before]
    assert shared
    for key in shared:
        moved = before[then, key[1]].divergence
        assert rows[key].mark == pytest.approx(moved)
        assert rows[key].cells[columns["pinned"]] == f"{moved:.3f}"
        assert axis.top >= moved
    words, columns, axis = rows_of(view, "word")
    strongest = max(one.divergence for one in result.edits if one.place == then)
    assert words[place,].mark == pytest.approx(strongest)
    assert axis.top >= strongest
    table = view.table()
    for row in (dict(zip(table.columns, one, strict=True)) for one in table.rows):
        known = before.get((then, row["put"])) if row["start"] == OTHER.index("in the") else None
        if known is not None:
            assert row["pinned_divergence"] == known.divergence
            assert row["change_of_divergence"] == row["divergence"] - known.divergence

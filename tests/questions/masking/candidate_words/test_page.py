"""The user's own words on screen."""

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from explorer.document import Document, Mask
from explorer.questions.masking.candidate_words.parts import (
    FAVOURITE,
    ORIGINAL,
    axis_of,
    candidates_of,
)
from explorer.questions.masking.candidate_words.question import (
    WORDS,
    CandidateWordsRequest,
    CandidateWordsResult,
    GapScores,
    WordScore,
)
from explorer.ui.theme.schemes import theme_of
from tests.questions.masking.two_masks import DOCUMENT, STAMP, TOKENS, piece
from tests.ui.fake_engine import MINIATURE
from tests.ui.pages import kind_of

LEFT = Qt.MouseButton.LeftButton
MASKED = Document("a soup", masks=(Mask(2, 6),))


@pytest.fixture
def document():
    return DOCUMENT


def score(word, *pieces, place=None):
    total = math.log(math.prod(one.probability for one in pieces))
    odds = total - math.log(1 - math.exp(total))
    rank = pieces[0].rank if len(pieces) == 1 else None
    return WordScore(word, tuple(pieces), total, odds, rank, place)


@pytest.fixture
def scored():
    soup = score("soup", piece("soup", 0.25, 2), place=1)
    rice = score(
        "fried rice",
        piece("fri", 1e-4, 90, "Ġfri"),
        piece("ed", 0.5, 1, glue="before"),
        piece("rice", 0.2, 3, "Ġrice"),
        place=2,
    )
    problem = WordScore("[SEP]", problem="“[SEP]” is a special token, and no word.")
    gap = GapScores(
        positions=(3,),
        start=6,
        end=12,
        part=0,
        scores=(rice, problem, soup),
        original=score("meal", piece("meal", 0.1, 4)),
        favourite=piece("tea", 0.3),
    )
    return CandidateWordsResult(STAMP, TOKENS, (gap,), "The method.", note="A note.")


def test_words_are_asked_for_when_there_are_a_mask_and_words(shown):
    view = shown(kind_of("candidate_words"))
    assert view.request_of(MASKED) is None
    assert "your own words" in view.empty_hint(MASKED).lower()
    assert "mask" in view.empty_hint(Document("a soup"))
    assert "Type a sentence" in view.empty_hint(Document(""))
    asked = MASKED.with_option("candidate_words.words", "tea, fried rice")
    assert view.request_of(asked) == CandidateWordsRequest(
        "a soup", masks=(Mask(2, 6),), words=("tea", "fried rice")
    )
    assert view.request_of(replace(asked, masks=())) is None


def test_typing_words_moves_the_option(shown, qtbot):
    view = shown(kind_of("candidate_words"))
    field = view.findChild(QLineEdit, "candidate_words.words")
    assert view.bar.fields["candidate_words.words"] is field
    with qtbot.waitSignal(view.option_moved) as told:
        qtbot.keyClicks(field, "t")
    assert told.args == ["candidate_words.words", "t"]
    with qtbot.waitSignal(view.option_moved) as told:
        qtbot.keyClick(field, Qt.Key.Key_Backspace)
    assert told.args == ["candidate_words.words", None]
    with qtbot.assertNotEmitted(view.option_moved):
        view.set_document(MASKED.with_option("candidate_words.words", "tea"))
    assert field.text() == "tea"


def test_rows_are_by_probability_with_the_text_s_and_the_model_s_own(scored):
    rows = candidates_of(scored.gaps[0])
    assert [(row.score.word, row.tag) for row in rows] == [
        ("tea", FAVOURITE),
        ("soup", ""),
        ("meal", ORIGINAL),
        ("fried rice", ""),
        ("[SEP]", ""),
    ]
    assert rows[3].pieces == "␣fri + ed + ␣rice"
    assert rows[1].pieces == ""
    asked = replace(scored.gaps[0], favourite=replace(scored.gaps[0].favourite, word="Soup"))
    assert next((r.score.word, r.tag) for r in candidates_of(asked)) == ("soup", FAVOURITE)
    sure = replace(scored.gaps[0].scores[2], word="sure", log_probability=0.0)
    first, *_rest = candidates_of(replace(scored.gaps[0], scores=(*scored.gaps[0].scores, sure)))
    assert first.score.word == "sure"
    glued = replace(scored.gaps[0], favourite=replace(scored.gaps[0].favourite, glue="before"))
    assert "tea" not in [row.score.word for row in candidates_of(glued)]


def test_the_axis_holds_the_least_probable_word(scored):
    rows = candidates_of(scored.gaps[0])
    least = min(row.score.log_probability for row in rows if row.pieces)
    assert axis_of(rows) == math.ceil(-least / math.log(10))
    assert axis_of(rows[:1]) == 2
    far = replace(rows[3], score=replace(rows[3].score, log_probability=-100.0))
    assert axis_of([far]) == 12


def test_own_words_on_screen_and_into_the_sentence(shown, scored, document, qtbot):
    view = shown(kind_of("candidate_words"))
    view.show_result(scored, document)
    spots = {
        spot.key[2]: spot for spot in view.page.page.spots if spot.key and spot.key[0] != "sort"
    }
    assert set(spots) == {"tea", "soup", "meal", "fried rice"}
    assert "Ġfri: 0.0001, rank 90" in spots["fried rice"].words
    assert "Rank 2 in the vocabulary" in spots["soup"].words
    _effect, *told = [spot.words for spot in view.page.page.spots if spot.key is None]
    assert told == ["“[SEP]” is a special token, and no word."]
    with qtbot.waitSignal(view.edit_requested) as put:
        qtbot.mouseClick(view.page, LEFT, pos=spots["fried rice"].box.center().toPoint())
    assert put.args[0].on(document) == document.with_words(6, 12, "fried rice", 0)
    for width in (300.0, 820.0):
        assert view.figure(width, theme_of("dark")).height > 100
    assert view.table().columns[0] == "gap"


def test_several_words_are_seen_whole_where_there_is_room(engine, start, qtbot):
    engine.catalogue = tuple(
        replace(one, operations=(*one.operations, "candidate_words"))
        if one.id == MINIATURE.id
        else one
        for one in engine.catalogue
    )
    running = start()
    running.window.resize(1500, 900)
    running.bench.edits.toggle_mask(4, 8, 0)
    running.window.view_area.bring_forward("candidate_words")
    frame = running.window.view_area.frames["candidate_words"]
    field = frame.findChild(QLineEdit, WORDS.key)
    typed = "soup, fried rice, bread, potatoes, fish and chips"
    field.setText(typed)
    wanted = field.fontMetrics().horizontalAdvance(typed)
    qtbot.waitUntil(lambda: field.isVisible() and field.width() > wanted)
    assert frame.header.question.isVisible()

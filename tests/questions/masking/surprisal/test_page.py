import math

import pytest

from explorer.api.question import Prediction
from explorer.document import Document, Mask
from explorer.questions.masking.hiding import ScoringMethod
from explorer.questions.masking.surprisal.parts import how_to_read
from explorer.questions.masking.surprisal.question import QUESTION, SurprisalResult
from explorer.questions.masking.surprises import UNIT, TokenSurprisal
from explorer.ui.blocks.page.shown import Pinned, Shown
from explorer.ui.blocks.tables.numbers import NumbersBlock
from explorer.ui.matrices.barred_tokens import BAR, BarredTokens
from explorer.ui.parts.page import page_of_parts
from tests.questions.masking.cut_word import DOCUMENT, STAMP, TEXT, TOKENS
from tests.ui.pages import choose, kind_of, words_on


def surprise(position, probability, rank, *words, glue=""):
    shown = tuple(Prediction(w, 50 + n, 0.5, w, n + 1, glue=glue) for n, w in enumerate(words))
    return TokenSurprisal(position, math.log(probability), rank, shown)


def result_of(*surprises, method=ScoringMethod.ORIGINAL, note=""):
    total = sum(one.log_probability for one in surprises)
    mean = math.exp(-total / len(surprises))
    return SurprisalResult(STAMP, TOKENS, method, surprises, total, mean, 4, None, note)


RESULT = result_of(
    surprise(1, 0.5, 1, "the"),
    surprise(2, 0.1, 3, "dog"),
    surprise(3, 0.01, 2, "es", glue="before"),
    surprise(4, 0.02, 5, "ran"),
)


@pytest.fixture
def view(qtbot):
    made = kind_of("surprisal")()
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.show_result(RESULT, DOCUMENT)
    return made


def block_of(kind, result=RESULT, before=None, unit="nats"):
    document = DOCUMENT.with_option(UNIT.key, unit)
    pinned = None if before is None else Pinned(before, DOCUMENT, None)
    shown = Shown(result, DOCUMENT, document, pinned)
    (found,) = (one for one in page_of_parts(QUESTION).blocks(shown) if isinstance(one, kind))
    return found


def numbers_of(result, unit, before):
    return block_of(NumbersBlock, result, before, unit).numbers


def strip(result=RESULT, width=600.0):
    return block_of(BarredTokens, result).at(width)


def places(made):
    return {spot.key: spot.box for spot in made.spots}


def test_a_long_text_in_a_large_model_waits_for_the_button(view):
    class Card:
        parameters = 110_000_000

    view.set_models({"A": Card()}, "A")
    assert not view.on_demand(Document("a few words"))
    assert view.on_demand(Document("word " * 64))
    Card.parameters = 1_000_000
    view.set_models({"A": Card()}, "A")
    assert not view.on_demand(Document("word " * 64))


def test_the_numbers_of_a_sentence():
    total = math.log(0.5 * 0.1 * 0.01 * 0.02)
    in_nats = numbers_of(RESULT, "nats", None)
    assert [n.value for n in in_nats] == [
        f"−{-total:.1f} nats",
        f"{math.exp(-total / 4):.1f}",
        f"{-total / 4:.2f} nats",
        "3 of 4",
    ]
    assert in_nats[0].name == "pseudo-log-likelihood"
    in_bits = numbers_of(RESULT, "bits", None)
    assert in_bits[0].value == f"−{-total / math.log(2):.1f} bits"
    assert in_bits[1].value == in_nats[1].value  # the same whatever the unit
    left = result_of(surprise(1, 0.5, 1, "the"), method=ScoringMethod.LEFT_TO_RIGHT)
    assert numbers_of(left, "nats", None)[0].name == "log-likelihood"
    change = f"−{-total - math.log(2):.1f} nats"
    assert numbers_of(RESULT, "nats", left)[0].words.endswith(f"pinned answer: {change}")


def test_one_chance_in_ten_is_said_in_either_unit():
    assert "2.3: one in ten" in how_to_read("nats")
    assert "3.3: one in ten" in how_to_read("bits")


def test_bars_are_as_long_as_the_surprise():
    # A token's place ends below its bar.
    ends = {key[1]: box.bottom() for key, box in places(strip()).items() if key[0] == "token"}
    longest = max(RESULT.surprises, key=lambda one: one.nats)
    for one in RESULT.surprises:
        shorter = ends[longest.position] - ends[one.position]
        assert shorter == pytest.approx(BAR * (1 - one.nats / longest.nats))
    calm = strip(result_of(surprise(1, 0.9, 1, "the")))
    assert ends[longest.position] - places(calm)["token", 1].bottom() > BAR * 0.9


def test_words_stay_whole_and_nothing_is_wider_than_the_page():
    for width in (90.0, 130.0, 600.0):
        made = strip(width=width)
        boxes = {key[1]: box for key, box in places(made).items() if key[0] == "token"}
        assert all(box.right() <= width + 0.6 for box in boxes.values())
        assert boxes[2].top() == boxes[3].top()
        assert boxes[3].left() == pytest.approx(boxes[2].right())
    assert strip(width=90.0).height > strip().height


def test_what_can_be_clicked(view, qtbot):
    spots = {spot.key: spot for spot in view.page.page.spots if spot.key}
    assert ("put", 1) not in spots  # the model agrees there
    assert "0.1" in spots["token", 2].words
    with qtbot.waitSignal(view.select_requested) as selected:
        choose(view, ("token", 2))
    assert selected.args == [2]
    for position, expected in ((2, [4, 7, "dog", 0]), (3, [7, 8, "es", 0]), (4, [9, 12, "ran", 0])):
        with qtbot.waitSignal(view.edit_requested) as put:
            choose(view, ("put", position))
        assert put.args[0].on(DOCUMENT) == DOCUMENT.with_words(*expected)


def test_a_word_in_the_place_of_a_piece_gets_a_space(view, qtbot):
    odd = result_of(surprise(3, 0.1, 2, "ran"), surprise(4, 0.1, 2, "ing", glue="before"))
    view.show_result(odd, DOCUMENT)
    with qtbot.waitSignal(view.edit_requested) as put:
        choose(view, ("put", 3))
    assert put.args[0].on(DOCUMENT) == DOCUMENT.with_words(7, 8, " ran", 0)
    with qtbot.waitSignal(view.edit_requested) as put:
        choose(view, ("put", 4))
    assert put.args[0].on(DOCUMENT) == DOCUMENT.with_words(8, 12, "ing", 0)


def test_the_view_explains_itself(view):
    said = words_on(view)
    for words in ("one in ten", "Why pseudo", "Salazar et al. 2020", "nearer to 0"):
        assert words in said
    assert "masks" not in said
    view.show_result(RESULT, Document(TEXT, masks=(Mask(0, 3),)))
    assert "masks of the sentence are lifted" in words_on(view)
    left = result_of(surprise(1, 0.5, 1, "the"), method=ScoringMethod.LEFT_TO_RIGHT, note="A note.")
    view.show_result(left, DOCUMENT)
    said = words_on(view)
    assert "Why pseudo" not in said
    assert "A note." in said
    assert not view.bar.widgets["surprisal.method"].isEnabled()

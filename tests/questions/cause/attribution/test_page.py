"""An attribution on screen: coloured tokens by two methods, the gap, and the curves."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from explorer.api.question import Score, Scores
from explorer.attribution.known import own_methods
from explorer.document import Document
from explorer.questions.cause.attribution.options import AT, METHOD, STEPS, ScoredUnit
from explorer.questions.cause.attribution.question import QUESTION, AttributionRequest
from explorer.questions.cause.attribution.wording import plain, signed
from explorer.ui.blocks.chips import Chips
from explorer.ui.blocks.columns import Columns
from explorer.ui.blocks.tables.numbers import NumbersBlock
from explorer.ui.charts.block import ChartBlock
from explorer.ui.document.gestures import Edit
from explorer.ui.matrices.scale import shade_of
from explorer.ui.matrices.scored_tokens import ScoredTokens, ShadeBar
from explorer.ui.theme.schemes import theme_of
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.ui.pages import kind_of, spot, words_on

TEXT = "The chef cooked the [MASK] for the guests ."


def answer(name="bert-miniature", text=TEXT, **fields):
    return tiny.ask(miniature(name), AttributionRequest(text, **fields))


@pytest.fixture(scope="module")
def result():
    return answer(beside="shapley", samples=5)


@pytest.fixture
def showing(shown):
    def make(result, document):
        view = shown(kind_of("attribution"))
        view.show_result(result, document)
        return view

    return make


@pytest.fixture
def view(showing, result):
    return showing(result, Document(TEXT))


def blocks_of(view, kind):
    """Blocks of a kind, those in cards too."""
    every = list(view.declared.blocks(view.shown()))
    for block in list(every):
        if isinstance(block, Columns):
            every += [inner for card in block.cards for inner in card.blocks]
    return [block for block in every if isinstance(block, kind)]


def test_each_method_has_the_tokens_with_its_scores(view, result):
    strips = blocks_of(view, ScoredTokens)
    assert [strip.title for strip in strips] == ["Integrated gradients", "Shapley values"]
    highest = max(np.abs(one.scores).max() for one in result.methods)
    for strip, one in zip(strips, result.methods, strict=True):
        scored = [token for token in strip.tokens if token.share is not None]
        assert len(scored) == len(result.units)
        for token, score in zip(scored, one.scores, strict=True):
            assert token.share == pytest.approx(score / highest)
            assert token.number == signed(score)
        (asked,) = (token for token in strip.tokens if token.asked)
        assert asked.text == "[MASK]"
        assert asked.share is None
    assert all(token.below.startswith("±") for token in strips[1].tokens if token.share is not None)
    assert not any(token.below for token in strips[0].tokens)


def shades(view, wanted):
    """The colour behind each token that has a score, as it is painted, card by card."""
    theme = theme_of("light")
    page = view.page.page
    image = QImage(int(page.width), int(page.height) + 1, QImage.Format.Format_ARGB32)
    image.fill(theme.surface)
    painter = QPainter(image)
    page.paint(painter, theme)
    painter.end()
    found = {}
    for one in page.spots:
        if isinstance(one.key, tuple) and one.key[0] == wanted:
            found[one.key[1]] = image.pixelColor(
                int(one.box.left()) + 5, int(one.box.top()) + 5
            ).rgb()
    return found


def test_the_same_colour_is_the_same_score_in_both_methods(view, result, showing):
    """One panel's -0.24 was as dark as the other's +4.82."""
    big, small = result.methods
    weaker = replace(small, scores=(big.scores * 0.05).astype(big.scores.dtype))
    page = showing(replace(result, methods=(big, weaker)), Document(TEXT))
    strong, weak = (shades(page, one.about.title) for one in (big, small))
    most = result.units[int(np.abs(big.scores).argmax())][0]
    theme = theme_of("light")
    share = float(np.sign(big.scores[np.abs(big.scores).argmax()]))
    assert strong[most] == shade_of(share, theme).rgb()
    assert weak[most] == shade_of(share * 0.05, theme).rgb()
    highest = float(np.abs(big.scores).max())
    bars = blocks_of(page, ShadeBar)
    assert [bar.ends for bar in bars] == [(f"−{highest:.2f}", f"{highest:.2f}")] * 2
    assert "one colour scale: the same colour is the same score" in words_on(page)


def test_methods_of_other_units_have_scales_of_their_own_with_their_ends(showing, result):
    first, second = result.methods
    looked = replace(second, method="attention", scores=np.abs(second.scores) / 50)
    page = showing(replace(result, methods=(first, looked)), Document(TEXT))
    one, other = blocks_of(page, ShadeBar)
    assert one.high == pytest.approx(float(np.abs(first.scores).max()))
    assert other.high == pytest.approx(float(looked.scores.max()))
    assert other.ends[0] == "0"
    assert "not between two" in words_on(page)


def test_the_numbers_are_the_values_and_how_alike_the_methods_are(view, result):
    numbers = blocks_of(view, NumbersBlock)[0].numbers
    assert [one.value for one in numbers] == [
        plain(result.value),
        plain(result.baseline_value),
        signed(result.value - result.baseline_value),
        plain(result.agreement()),
    ]
    assert numbers[1].name == "with [MASK] for every word"


def test_the_gap_is_on_the_picture_and_a_large_one_is_a_warning(view, showing, result):
    assert "Gap: 0.00" in words_on(view)
    assert not blocks_of(view, Chips)
    rough = answer(steps=1, beside=None)
    asked = Document(TEXT).with_option(STEPS.key, 1)
    page = showing(rough, asked)
    assert "too large to take the scores at their word" in words_on(page)
    (chips,) = blocks_of(page, Chips)
    act = chips.chips[0].act
    assert isinstance(act, Edit)
    assert STEPS.of(act.on(asked)) == 2


@pytest.mark.parametrize("method", list(own_methods()))
def test_every_method_says_whether_it_adds_up(showing, method):
    page = showing(answer(method=method, beside=None), Document(TEXT))
    words = words_on(page)
    assert ("add up to" in words) is own_methods()[method].about.signed
    assert ("no sign and no unit" in words) is not own_methods()[method].about.signed


def test_it_says_what_probabilities_are_normalised_over(showing):
    page = showing(answer(beside=None), Document(TEXT))
    assert "normalised over all pieces of the vocabulary" in words_on(page)


def test_a_token_that_is_chosen_is_explained_instead(view):
    (strip, _other) = blocks_of(view, ScoredTokens)
    chef = next(token for token in strip.tokens if token.text == "chef")
    assert isinstance(chef.act, Edit)
    assert AT.of(chef.act.on(Document(TEXT))) == (2,)
    assert "Click to explain" in spot(view, chef.key).words


def test_another_place_can_be_left_again(showing):
    page = showing(answer(at=(2,), beside=None), Document(TEXT).with_option(AT.key, [2]))
    (chips,) = blocks_of(page, Chips)
    assert AT.of(chips.chips[0].act.on(page.shown().now)) == ()


def test_a_word_of_pieces_is_one_token(showing):
    page = showing(answer(by=ScoredUnit.WORD, beside=None), Document(TEXT))
    (strip,) = blocks_of(page, ScoredTokens)
    texts = [token.text for token in strip.tokens]
    assert "guests" in texts
    other = "The cook served [MASK] guests ."
    page = showing(answer("t5-miniature", other, by=ScoredUnit.WORD, beside=None), Document(other))
    (strip,) = blocks_of(page, ScoredTokens)
    assert [token.text for token in strip.tokens if token.asked] == ["[MASK]"]
    assert "guests" in [token.text for token in strip.tokens]
    assert "the word at “[MASK]”" in words_on(page)


def test_curves_are_those_of_both_methods(view, result):
    (charts,) = blocks_of(view, ChartBlock)
    away, put = charts.charts
    for chart, name in ((away, "deletion"), (put, "insertion")):
        assert [line.name for line in chart.lines] == ["Integrated gradients", "Shapley values"]
        for line, one in zip(chart.lines, result.methods, strict=True):
            assert line.y == pytest.approx(getattr(one, name))
    for line, one in zip(put.lines, result.methods, strict=True):
        assert line.after == f", area {plain(result.areas(one)[1])}"


def test_a_label_and_a_replacement_are_asked_about_in_their_own_words(showing):
    pair = answer(text="The chef cooked the soup .", pair="It was good .", beside=None)
    words = words_on(showing(pair, Document("The chef cooked the soup .", "It was good .")))
    assert "Which words make it “is" in words
    text = "The chef cooked the trowel ."
    replaced = answer("electra-miniature-discriminator", text, beside=None)
    assert "look replaced?" in words_on(showing(replaced, Document(text)))
    following = answer("gpt2-miniature", "The chef cooked the", beside=None)
    page = showing(following, Document("The chef cooked the"))
    assert "the next one?" in words_on(page)
    assert "is used in place of words" in words_on(page)


def test_numbers_have_as_many_digits_as_tell_them_apart():
    sizes = (2.0, 0.05, 0.004, 0.0)
    assert [Scores((), (Score(0, one),), "").digits for one in sizes] == [2, 3, 4, 2]
    assert (signed(0.001), signed(-0.5), plain(-0.5), plain(-0.001)) == (
        "0.00",
        "−0.50",
        "−0.50",
        "0.00",
    )


def test_a_picture_of_it_can_be_told_from_the_page_alone(view):
    alone = replace(view.shown(), alone=True)
    assert list(view.declared.blocks(alone))


@dataclass
class Card:
    parameters: int


def test_a_large_model_waits_for_the_run_button():
    long = Document(" ".join(["word"] * 60) + " [MASK]")
    assert QUESTION.is_expensive(long, Card(340_000_000), None)
    assert not QUESTION.is_expensive(long, Card(1_000_000), None)
    assert not QUESTION.is_expensive(Document(TEXT), Card(110_000_000), None)
    sampled = Document(TEXT).with_option(METHOD.key, "sequential_integrated_gradients")
    assert QUESTION.is_expensive(sampled, Card(110_000_000), None)

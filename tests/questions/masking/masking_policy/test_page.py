import math

import pytest
from PySide6.QtWidgets import QToolButton

from explorer.api.question import Prediction
from explorer.document import Document
from explorer.questions.masking.masking_policy.epochs import EpochBlock
from explorer.questions.masking.masking_policy.page import PAGE, met
from explorer.questions.masking.masking_policy.parts import legend, verdict
from explorer.questions.masking.masking_policy.question import (
    Draw,
    MaskingPolicyRequest,
    MaskingPolicyResult,
    Policy,
    SelectedToken,
    TokenFate,
)
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.picture import Picture
from explorer.ui.blocks.spacing import CardWidth
from explorer.ui.matrices.barred_tokens import LOW_BAR, BarredTokens
from explorer.ui.sentence.pieces import pieces_of_tokens
from explorer.ui.typesetting.one_line import text_width
from tests.questions.masking.cut_word import DOCUMENT, STAMP, TEXT, TOKENS
from tests.ui.pages import choose, kind_of, spot
from tests.ui.painted_texts import painted_texts


def chosen(position, fate=TokenFate.MASKED, loss=1.0, rank=2):
    seen = Prediction("[MASK]" if fate is TokenFate.MASKED else "zoo", 4, 0.0, "zoo")
    return SelectedToken(position, fate, seen, loss, rank, Prediction("dog", 9, 0.5, "dog", 1))


def draw(*some):
    return Draw(some, math.fsum(one.loss for one in some) / len(some))


DRAWS = (
    draw(chosen(2, loss=4.0), chosen(4, TokenFate.RANDOM, 0.5)),
    draw(chosen(1, TokenFate.UNCHANGED, 0.1, 1)),
    draw(chosen(2), chosen(3)),
)
RESULT = MaskingPolicyResult(STAMP, TOKENS, (1, 2, 3, 4), DRAWS)


def field(view, name):
    return view.bar.fields[f"masking_policy.{name}"]


@pytest.fixture
def view(qtbot):
    made = kind_of("masking_policy")()
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.set_document(DOCUMENT)
    made.show_result(RESULT, DOCUMENT)
    return made


def test_a_long_text_in_a_large_model_waits_for_the_button(view):
    class Card:
        parameters = 110_000_000

    view.set_models({"A": Card()}, "A")
    assert not view.on_demand(Document("a few words"))
    many = Document("word " * 400)
    assert view.on_demand(many)
    assert "Run" in view.empty_hint(many)
    assert not view.on_demand(many.with_option("masking_policy.epochs", 1))


def test_the_rates_are_options(view, qtbot):
    told = {}
    view.option_moved.connect(told.__setitem__)
    for box, value, expected in (
        (field(view, "selected"), 30, ("selected", 0.3)),
        (field(view, "masked"), 50, ("masked", 0.5)),
        (field(view, "random"), 20, ("random", 0.2)),
        (field(view, "epochs"), 7, ("epochs", 7)),
        (field(view, "copies"), 5, ("copies", 5)),
        (field(view, "seed"), 12, ("seed", 12)),
    ):
        field(view, "random").setMaximum(100)
        box.setValue(value)
        name, number = expected
        assert told[f"masking_policy.{name}"] == pytest.approx(number)
    document = DOCUMENT
    for key, value in told.items():
        document = document.with_option(key, value)
    told.clear()
    view.set_document(document.with_option("masking_policy.policy", "spans"))
    assert not told  # showing a document tells nothing
    asked = view.request_of(document.with_option("masking_policy.policy", "spans"))
    assert asked == MaskingPolicyRequest(TEXT, None, Policy.SPANS, 0.3, 0.5, 0.2, 7, 12)
    assert field(view, "policy").currentData() == "spans"
    assert field(view, "random").maximum() == 50
    with qtbot.waitSignal(view.option_changed) as changed:
        view.findChild(QToolButton, "masking_policy.seed.next").click()
    assert changed.args == ["masking_policy.seed", 13]


def test_undoing_a_rate_shows_the_old_one(view):
    view.set_document(DOCUMENT.with_option("masking_policy.masked", 1.0))
    masked, random = field(view, "masked"), field(view, "random")
    assert (masked.value(), random.value(), random.maximum()) == (100, 0, 0)
    view.set_document(DOCUMENT)
    assert (masked.value(), random.value()) == (80, 10)


def test_what_is_said_of_a_draw():
    said = verdict(RESULT, DRAWS[0], 0)
    assert "2 tokens of 4 are chosen" in said
    assert "a loss of 2.25 nats on average" in said
    assert "other 2 teach" in said
    assert "learn from all 4" in said
    assert "1 token of 4 is chosen, and only it gives" in verdict(RESULT, DRAWS[1], 1)
    assert met(RESULT, 1) == "2 of 4 tokens gave a loss in 3 epochs"
    assert met(RESULT, 2) == "3 of 4 tokens gave a loss in 3 epochs"
    assert met(RESULT, None) == "4 of 4 tokens gave a loss in 3 epochs"
    assert [words.split(" %")[0] for _, words in legend(MaskingPolicyRequest("x"))] == [
        "80",
        "10",
        "10",
    ]


def test_the_steps():
    shown = Shown(RESULT, DOCUMENT, DOCUMENT)
    (block,) = (one for one in PAGE.blocks(shown) if isinstance(one, BarredTokens))
    steps = block.at(600)
    first, second = (spot.box.height() for spot in steps.spots)
    assert first - second == pytest.approx(LOW_BAR * (1 - 0.5 / 4.0)), "bars are as long as losses"
    assert [spot.key for spot in steps.spots] == [("token", 2), ("token", 4)]
    assert "replaced by a random token: zoo" in steps.spots[1].words
    assert "0.500 nats" in steps.spots[1].words
    assert [one.seen for one in block.tokens] == ["", "", "[MASK]", "", "zoo", ""]
    assert block.at(200).height > steps.height


def test_a_row_shows_its_draw(view, qtbot):
    spots = [spot for spot in view.page.page.spots if spot.key and spot.key[0] == "draw"]
    assert [spot.key[1] for spot in spots] == [0, 0, 0, 0, 1, 2]  # static, then dynamic
    assert "cat (masked), sat (random)" in spots[0].words
    with qtbot.waitSignal(view.edit_requested) as told:
        choose(view, ("draw", 2))
    assert told.args[0].on(DOCUMENT) == DOCUMENT.with_option("masking_policy.draw", 2)
    assert spot(view, ("draw", 2)).said == spots[-1].words
    view.set_document(DOCUMENT.with_option("masking_policy.draw", 2))
    keys = [spot.key for spot in view.page.page.spots if spot.key and spot.key[0] == "token"]
    assert keys == [("token", 2), ("token", 3)]
    view.set_document(DOCUMENT.with_option("masking_policy.draw", 99))
    assert view.page.page.height > 0
    with qtbot.waitSignal(view.select_requested) as selected:
        choose(view, ("token", 3))
    assert selected.args == [3]


def test_grids_stand_side_by_side_where_there_is_room():
    pieces = pieces_of_tokens(TOKENS, DOCUMENT)[1:5]

    def made(width):
        return EpochBlock("t", "s", pieces, range(3), DRAWS, 0).at(width)

    two = Columns([Card([Picture(made)])] * 2, CardWidth.NARROW, framed=False)
    wide, narrow = made(389), made(CardWidth.NARROW + 20)
    assert two.at(800).height == wide.height
    assert two.at(CardWidth.NARROW + 20).height > 2 * narrow.height
    assert all(spot.box.right() <= grid.width for grid in (wide, narrow) for spot in grid.spots)


def test_names_of_rows_are_written_whole(view):
    view.show_result(RESULT, DOCUMENT)
    names = {"any epoch", *(f"epoch {n}" for n in range(1, 4))}
    found = [(box, text) for box, text in painted_texts(view, 900.0) if text in names]
    assert {text for _box, text in found} == names, "shortened names are other words"
    assert all(box.width() >= text_width("small", text) for box, text in found)

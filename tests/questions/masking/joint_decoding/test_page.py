import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QComboBox

from explorer.api.question import MaskPredictions
from explorer.document import Document, Mask
from explorer.questions.masking.joint_decoding.fillings import (
    factor,
    is_alone,
    ranked_fillings,
    times,
    words_of,
)
from explorer.questions.masking.joint_decoding.page import percent
from explorer.questions.masking.joint_decoding.question import (
    METHOD,
    DecodingMethod,
    Dependence,
    Filling,
    FillingStep,
    JointDecodingRequest,
    JointDecodingResult,
)
from explorer.questions.masking.joint_decoding.wording import order_said, verdict
from tests.questions.masking.two_masks import DOCUMENT, STAMP, TOKENS, piece
from tests.ui.pages import kind_of

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def document():
    return DOCUMENT


def filling(one, two, together, alone):
    """Words with (probability when filled) pairs for both, and alone."""
    return Filling(
        words=(one, two),
        chosen=(piece(one, together[0]), piece(two, together[1])),
        alone=(piece(one, alone[0]), piece(two, alone[1], 2)),
        log_joint=math.log(together[0] * together[1]),
        log_independent=math.log(alone[0] * alone[1]),
    )


@pytest.fixture
def joint():
    mixed = filling("victor", "wolfe", (0.4, 0.01), (0.4, 0.5))
    best = filling("victor", "hale", (0.4, 0.9), (0.4, 0.1))
    second = filling("clara", "wolfe", (0.2, 0.99), (0.2, 0.5))
    rows = (piece("victor", 0.4), piece("clara", 0.2, 2))
    columns = (piece("hale", 0.1, 2), piece("wolfe", 0.5))
    given = np.array([[0.9, 0.01], [0.0, 0.99]], dtype=np.float32)
    weights = np.array([[0.4], [0.2]], dtype=np.float32)
    alone = np.array([[0.1, 0.5]], dtype=np.float32)
    return JointDecodingResult(
        model=STAMP,
        tokens=TOKENS,
        method=DecodingMethod.BEAM,
        order=(0, 1),
        gaps=((0,), (1,)),
        alone=(
            MaskPredictions(3, rows, None, 1.5),
            MaskPredictions(4, columns[::-1], None, 1.2),
        ),
        independent=mixed,
        fillings=(best, second),
        steps=(
            FillingStep(0, rows, 1.5, 1.5, 0.0, 0.0),
            FillingStep(1, columns, 0.3, 1.2, 1.703, 0.82),
        ),
        dependence=Dependence(
            first=0,
            second=1,
            rows=rows,
            columns=columns,
            given=given,
            joint=weights * given,
            independent=weights * alone,
            kl=np.array([1.7, 0.6], dtype=np.float32),
            total_variation=np.array([0.82, 0.49], dtype=np.float32),
        ),
    )


@pytest.fixture
def view(shown):
    return shown(kind_of("joint_decoding"), 820, 700)


def spots(view, kind=None):
    found = view.page.page.spots
    if kind is None:
        return [spot for spot in found if spot.key is None]
    return [spot for spot in found if spot.key is not None and spot.key[0] == kind]


def click(qtbot, view, spot):
    qtbot.mouseClick(view.page, LEFT, pos=spot.box.center().toPoint())


def test_it_asks_as_soon_as_something_is_masked(view):
    assert view.request_of(Document("a soup")) is None
    assert "two" in view.empty_hint(Document("a soup"))
    assert "Type" in view.empty_hint(Document(""))
    document = Document("a soup", masks=(Mask(2, 6),), top_k=7)
    document = document.with_option("joint_decoding.method", "confident")
    assert view.request_of(document) == JointDecodingRequest(
        "a soup", None, (Mask(2, 6),), DecodingMethod.CONFIDENT, top_k=7
    )


def test_the_tools_show_and_change_the_method(view, document, qtbot):
    method = view.findChild(QComboBox, "joint_decoding.method")
    assert [method.itemText(i) for i in range(method.count())] == [
        entry.title for entry in METHOD.entries
    ]
    view.set_document(document.with_option("joint_decoding.method", "by_hand"))
    assert method.currentData() == "by_hand"
    assert not view.bar.widgets["joint_decoding.width"].isEnabled()
    view.set_document(document.with_option("joint_decoding.width", 16))
    assert method.currentData() == "beam"
    assert view.bar.fields["joint_decoding.width"].choice == 16
    with qtbot.waitSignal(view.option_changed) as told:
        method.activated.emit(method.findData("confident"))
    assert told.args == ["joint_decoding.method", "confident"]


def test_the_verdict_says_what_differs(joint):
    said = verdict(joint)
    assert "each mask alone, the model says “victor · wolfe”" in said
    assert "“victor · hale”: 0.3600, 90 times as probable" in said
    same = replace(joint, fillings=(joint.independent,))
    assert "it says the same" in verdict(same)
    one = replace(joint, order=(0,))
    assert "Only one token is masked" in verdict(one)
    left = replace(joint, independent=None, alone=())
    assert "most probable filling found is “victor · hale”" in verdict(left)
    apart = replace(joint, method=DecodingMethod.INDEPENDENT, fillings=(joint.fillings[1],))
    assert "As a whole it gives these words 0.0040" in verdict(apart)
    worse = replace(joint, fillings=(replace(joint.fillings[1], log_joint=math.log(0.0041)),))
    assert "filled in this way it says “clara · wolfe” (0.0041)" in verdict(worse)


def test_the_order_is_said(joint):
    assert order_said(replace(joint, order=(1, 0)), ("mask 1", "mask 2")) == (
        "Order: mask 2, then mask 1."
    )
    many = tuple(range(12))
    assert "left to right" in order_said(replace(joint, order=many), ())
    assert "numbers under the masks" in order_said(replace(joint, order=many[::-1]), ())


@pytest.mark.parametrize(
    ("ratio", "said"),
    [(1.0, "× 1.0"), (2.24, "× 2.2"), (0.5, "÷ 2.0"), (43.2, "× 43"), (1e-3, "÷ 1,000")],
)
def test_how_far_two_probabilities_are_apart(ratio, said):
    assert times(math.log(ratio)) == said


def test_very_far_is_a_power_of_ten(joint):
    assert times(math.log(3e7)) == "× 10⁷"
    assert factor(joint.fillings[0]) == "× 9.0"
    assert factor(replace(joint.fillings[0], log_independent=None)) == ""


def test_what_each_mask_says_alone_has_a_row(joint):
    rows = ranked_fillings(joint)
    assert [(words_of(one), rank, is_alone(joint, one)) for one, rank in rows] == [
        ("victor · hale", 1, False),
        ("clara · wolfe", 2, False),
        ("victor · wolfe", None, True),
    ]
    found = replace(joint, fillings=(joint.independent,))
    assert [(rank, is_alone(found, one)) for one, rank in ranked_fillings(found)] == [(1, True)]


def test_a_click_on_a_filling_puts_its_words_into_the_sentence(view, joint, document, qtbot):
    view.show_result(joint, document)
    put = []
    view.edit_requested.connect(lambda edit: put.append(edit.on(document)))
    click(qtbot, view, spots(view, "filling")[1])
    assert put == [document.with_words(13, 19, "wolfe", 0).with_words(6, 12, "clara", 0)]


def test_a_piece_that_continues_a_word_is_put_to_it(view, joint, document, qtbot):
    glued = replace(joint.fillings[0].chosen[1], glue="before")
    best = replace(joint.fillings[0], chosen=(joint.fillings[0].chosen[0], glued))
    view.show_result(replace(joint, fillings=(best,)), document)
    put = []
    view.edit_requested.connect(lambda edit: put.append(edit.on(document)))
    click(qtbot, view, spots(view, "filling")[0])
    assert put == [document.with_words(12, 19, "hale", 0).with_words(6, 12, "victor", 0)]


def test_masks_are_ordered_by_clicking_them(view, joint, document, qtbot):
    view.show_result(joint, document)
    told = []
    view.edit_requested.connect(lambda edit: told.append(edit.on((document, *told)[-1])))
    by_hand = document.with_option("joint_decoding.method", "by_hand")
    for mask, order in ((1, [1]), (0, [1, 0]), (0, [0])):
        click(qtbot, view, spots(view, "mask")[mask])
        assert told[-1] == by_hand.with_option("joint_decoding.order", order)
    assert len(told) == 3


def test_the_keyboard_reaches_every_mask_and_filling(view, joint, document, qtbot):
    view.show_result(joint, document)
    view.page.setFocus()
    qtbot.keyClick(view.page, Qt.Key.Key_Down)
    assert "victor" in view.page.accessibleDescription()
    qtbot.keyClick(view.page, Qt.Key.Key_Right)
    assert view.page.current.key == ("mask", 3)
    qtbot.keyClick(view.page, Qt.Key.Key_Right)
    assert view.page.current.key == ("mask", 4)
    # The titles, which sort, stand between.
    qtbot.keyClick(view.page, Qt.Key.Key_Down)
    assert view.page.current.key[0] == "sort"
    qtbot.keyClick(view.page, Qt.Key.Key_Down)
    assert view.page.current.key == ("filling", 0)
    assert "victor · hale" in view.page.accessibleDescription()
    with qtbot.waitSignal(view.edit_requested):
        qtbot.keyClick(view.page, Qt.Key.Key_Return)
    qtbot.keyClick(view.page, Qt.Key.Key_Up)
    qtbot.keyClick(view.page, Qt.Key.Key_Up)
    assert view.page.current.key[0] == "mask"


def test_the_table_of_two_masks_explains_itself(view, joint, document):
    view.show_result(joint, document)
    cells = [spot.words for spot in spots(view) if "Both together" in spot.words]
    assert len(cells) == 4
    assert "With “victor” at mask 1, “hale” has 0.9000 at mask 2; alone it has 0.1000" in cells[0]
    assert "Both together: 0.3600, if each were alone: 0.0400" in cells[0]
    moved = [spot.words for spot in spots(view) if "(total variation)" in spot.words]
    assert "82.0 % of the probability" in moved[0]
    assert "1.700 nats" in moved[0]


@pytest.mark.parametrize(
    ("value", "said"), [(0.0, "·"), (0.001, "<1"), (0.012, "1"), (0.995, "100")]
)
def test_shares_in_percent(value, said):
    assert percent(value) == said


def test_without_an_answer_there_is_nothing(view, joint, document, qtbot):
    view.show_result(joint, document)
    view.clear()
    assert view.page.page is None
    assert view.page.heightForWidth(300) == 0
    qtbot.mouseClick(view.page, LEFT, pos=QPoint(5, 5))


def test_very_many_masks_and_large_models_wait_for_the_button(view):
    class Card:
        parameters = 1_000_000

    view.set_models({"A": Card()}, "A")
    assert not view.on_demand(Document("the [MASK] [MASK] soup"))
    assert not view.on_demand(Document("[MASK] " * 100))
    assert view.on_demand(Document("[MASK] " * 201))
    text = "soup " * 60
    masks = tuple(Mask(5 * n, 5 * n + 4) for n in range(50))
    assert not view.on_demand(Document(text, masks=masks))
    Card.parameters = 110_000_000
    view.set_models({"A": Card()}, "A")
    assert view.on_demand(Document(text, masks=masks))
    assert not view.on_demand(Document(text, masks=masks).with_option(METHOD.key, "independent"))

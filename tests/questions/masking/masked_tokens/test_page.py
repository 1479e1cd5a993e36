import math
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from explorer.document import Document, Mask
from explorer.questions.masking.masked_tokens.question import (
    QUESTION,
    TOP_K,
    MaskedTokensRequest,
    known_of,
)
from explorer.ui.blocks.mask_context import MaskContext, context_of, fitting, wrapped
from explorer.ui.parts.predictions.predictions import about_original, perplexity, unsureness
from explorer.ui.typesetting.one_line import text_width
from tests.ui.pages import kind_of, mask_cards, spot, words_on

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(shown):
    return shown(kind_of("masked_tokens"), 760, 500)


def test_it_asks_as_soon_as_something_is_masked(view):
    assert view.request_of(Document("a soup")) is None
    assert "click a word" in view.empty_hint(Document("")).lower()
    assert "mask" in view.empty_hint(Document("a soup"))
    masked = Document("a soup", masks=(Mask(2, 6),), top_k=20)
    assert view.request_of(masked) == MaskedTokensRequest("a soup", None, (Mask(2, 6),), 20)
    assert view.request_of(Document("a [MASK]")) == MaskedTokensRequest("a [MASK]")
    assert view.request_of(Document("  ", "x [MASK]")) is None


def test_each_mask_has_a_card_with_what_is_known_of_it(view, filled, document):
    view.show_result(filled, document)
    first, second = mask_cards(view).values()
    assert (first.position, second.position) == (2, 11)
    assert first.context.before == "the"
    assert first.context.after == "was hot and שלום."
    assert second.context.before == "she"
    assert first.said == [
        "Entropy 1.50 nats: as unsure as among 4.5 equally likely words",
        "Original “soup”: rank 2, probability 0.2000",
    ]
    assert "0 when one token has all" in first.notes[0].words
    assert second.said[1] == "Original “smiled”: rank 1,214, probability 3.0 × 10⁻⁶"
    assert [row.label for row in first.rows] == ["meal", "soup", "tea"]
    assert [row.label for row in second.rows] == ["left", "sat", "slept", "smiled"]
    assert [row.lead for row in second.rows] == ["1", "2", "3", ""]
    assert second.rows[3].apart == "⋯  rank 1,214"
    assert [row.tag for row in first.rows] == ["", "original", ""]
    assert first.table.axis.top == second.table.axis.top == 0.5
    assert all(said in words_on(view) for said in (*first.said, *second.said))
    assert "Mask at position 11" in words_on(view)


def test_perplexity_is_e_to_the_entropy(filled):
    assert perplexity(math.log(42.0)) == pytest.approx(42.0)
    assert perplexity(0.0) == 1.0
    assert "among 1.0 equally likely" in unsureness(filled.masks[1])


def test_several_masks_are_said_to_be_independent(view, filled, filled_once, document):
    view.show_result(filled, document)
    assert "Each mask is predicted independently of the others." in words_on(view)
    view.show_result(filled_once, document)
    assert "independently" not in words_on(view)
    assert len(mask_cards(view)) == 1


def test_pieces_of_one_word_point_to_joint_filling(filled, document):
    tokens = list(filled.tokens)
    tokens[3] = replace(tokens[2], text="[MASK]", joined=True, start=8, end=9)
    second = replace(filled.masks[0], position=3)
    one_word = replace(filled, tokens=tuple(tokens), masks=(filled.masks[0], second))
    assert known_of(one_word).endswith("Joint decoding puts whole words there.")


def test_how_the_model_saw_the_text_is_said(view, filled_once, filled, document):
    told = replace(filled_once, note="GPT-2 reads from the left.")
    view.show_result(told, document)
    assert "GPT-2 reads from the left." in words_on(view)
    view.show_result(replace(filled, note="GPT-2 reads from the left."), document)
    assert "GPT-2 reads from the left." in words_on(view)
    assert "independently" not in words_on(view)


def test_what_did_not_fit_is_said(view, filled, filled_short, document):
    view.show_result(filled, document)
    assert "did not see" not in words_on(view)
    view.show_result(filled_short, document)
    said = "The model takes 12 tokens and did not see the last 41 tokens, with 2 masks among them."
    assert said in words_on(view)
    assert known_of(filled) == "Each mask is predicted independently of the others."


def test_a_click_on_a_prediction_puts_it_into_the_sentence(view, filled, document, qtbot):
    view.show_result(filled, document)
    sat = filled.masks[1].predictions[1]
    where = spot(view, ("prediction", 11, sat.id)).box.center().toPoint()
    with qtbot.waitSignal(view.edit_requested) as told:
        qtbot.mouseClick(view.page, LEFT, pos=where)
    put = told.args[0].on(document)
    assert put == document.with_words(4, 10, "sat", 1)
    assert put.pair == "She sat."


def test_the_choice_of_k(view, qtbot):
    chooser = view.bar.fields["top_k"]
    assert [entry.value for entry in TOP_K.entries] == [5, 10, 20, 50]
    view.set_document(Document("x", top_k=20))
    assert chooser.choice == 20
    view.set_document(Document("x", top_k=7))
    assert chooser.choice is None
    with qtbot.waitSignal(view.option_changed) as told:
        chooser.findChild(QWidget, "top_k50").click()
    assert told.args == ["top_k", 50]


def test_cards_flow_in_columns_by_the_width(view, filled, document, qtbot):
    view.show_result(filled, document)

    def boxes():
        return list(view.page.page.anchors.values())

    first, second = boxes()
    assert first.top() == second.top()
    assert second.left() > first.right()
    view.resize(400, 500)
    qtbot.waitUntil(lambda: boxes()[1].top() > boxes()[0].bottom())
    assert view.area.horizontalScrollBar().maximum() == 0
    assert boxes()[0].right() < 400


def test_a_mask_that_is_chosen_elsewhere_is_brought_into_sight(view, filled, document, qtbot):
    view.resize(400, 260)
    view.show_result(filled, document)
    bar = view.area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 100)
    view.show_position(11)
    assert bar.value() > 0
    view.show_position(4)  # no mask: nothing moves
    assert bar.value() > 0


def test_nothing_is_shown_once_it_is_cleared(view, filled, document):
    view.show_result(filled, document)
    view.clear()
    assert view.page.page is None
    assert not view.has_result


def test_the_table_is_the_operations(view, filled, document):
    view.show_result(filled, document)
    assert view.table() == QUESTION.table(filled)


def test_the_caption_names_the_model_and_the_text(view, filled, document):
    view.show_result(filled, document)
    caption = view.caption()
    for part in ("bert-mini", "0123456789ab", "The soup was hot", "She smiled.", "“soup”"):
        assert part in caption


def test_a_context_keeps_to_its_text_and_is_cut_at_words(filled, document):
    short = context_of(filled.tokens, 2, document, around=2)
    assert short.before == "the"
    assert short.after == "was ho …"
    assert context_of(filled.tokens, 11, document).after == "."
    bare = context_of(filled.tokens, 2, None)
    assert bare.after == "was hot and [UNK]."


@pytest.mark.parametrize("room", [20, 60, 120, 500])
def test_words_are_left_out_whole_at_the_far_end(qapp, room):
    words = "one two three four five"
    before = fitting(words, room, last=True)
    after = fitting(words, room, last=False)
    for line in (before, after):
        assert text_width("body", line) <= room or line == "…"
    assert before == words or before.startswith("…")
    assert after == words or after.endswith("…")
    assert words.endswith(before.removeprefix("…").strip())
    assert words.startswith(after.removesuffix("…").strip())


@pytest.mark.parametrize("width", [150, 260, 500, 2000])
@pytest.mark.parametrize("mask", [0, 4, 9])
def test_a_context_is_wrapped_and_loses_no_word_where_a_few_lines_hold_it(qapp, width, mask):
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    context = MaskContext(" ".join(words[:mask]), " ".join([*words[mask:], "."]))
    lines, is_whole = wrapped(context, width)
    assert 1 <= len(lines) <= 4
    assert [line.has_mask for line in lines].count(True) == 1
    read = " ".join(
        one for line in lines for one in (line.before, "*" * line.has_mask, line.after) if one
    )
    if is_whole:
        assert read == f"{context.before} * {context.after}".strip()
    else:
        assert width == 150
    assert is_whole is ("…" not in read)
    for line in lines:
        wide = text_width("body", f"{line.before} {line.after}".strip())
        assert wide + line.has_mask * text_width("strong", "[MASK]") <= width
    assert len(lines) == 1 or width < 2000


def test_a_typed_mask_has_no_original(filled):
    from dataclasses import replace

    assert about_original(replace(filled.masks[0], original=None)) == ""

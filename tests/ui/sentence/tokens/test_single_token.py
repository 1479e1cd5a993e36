"""Tokens that share their characters are masked one by one by a click, in the real window."""

from dataclasses import replace

from PySide6.QtCore import Qt

from explorer.api.question import Token
from explorer.questions.tokenizers.tokens.question import TokensRequest
from tests.ui.fake_engine import answer_of

TEXT = "7 met"
TOKENS = (
    Token("[CLS]", 2, 0, 0, special=True),
    Token("▁", 13, 0, 1, special=False),
    Token("7", 40, 0, 1, special=False, joined=True),
    Token("▁met", 41, 2, 5, special=False),
    Token("[SEP]", 3, 5, 5, special=True),
)
LEFT = Qt.MouseButton.LeftButton


def with_a_lone_space(request, card):
    answer = answer_of(request, card)
    return replace(answer, tokens=TOKENS) if request.text == TEXT else answer


def test_a_click_masks_one_of_two_over_the_same_characters(engine, start, qtbot):
    engine.answers |= {TokensRequest: with_a_lone_space}
    running = start()
    state = running.bench.state
    running.bench.edits.take_text(TEXT, "")
    strip = running.window.sentence.strip
    qtbot.waitUntil(lambda: [p.piece for p in strip.pieces] == [t.text for t in TOKENS])

    def click(index):
        at = strip.layout_at(strip.width()).boxes[index].center().toPoint()
        qtbot.mouseClick(strip, LEFT, pos=at)

    def masks():
        return [(m.start, m.end, m.nth) for m in state.document.masks]

    def drawn():
        return [i for i, piece in enumerate(strip.pieces) if piece.masked]

    click(2)
    assert masks() == [(0, 1, 1)]
    qtbot.waitUntil(lambda: drawn() == [2])
    click(1)
    assert masks() == [(0, 1, 0), (0, 1, 1)]
    qtbot.waitUntil(lambda: drawn() == [1, 2])
    click(2)
    assert masks() == [(0, 1, 0)]
    state.stack.undo()
    assert masks() == [(0, 1, 0), (0, 1, 1)]
    click(3)
    assert masks()[2:] == [(2, 5, -1)]

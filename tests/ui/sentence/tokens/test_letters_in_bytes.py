"""A letter that a byte-level model cuts into several tokens, in the real window."""

from explorer.api.question import Token
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.questions.tokenizers.tokens.question import TokensRequest
from tests.ui.fake_engine import answer_of
from tests.ui.pages import words_on

TEXT = "요 [MASK]"
TOKENS = (
    Token("ì", 168, 0, 1, special=False),
    Token("ļ", 248, 0, 1, special=False, joined=True),
    Token("Ķ", 242, 0, 1, special=False, joined=True),
    Token("[MASK]", -1, 1, 8, special=False, masked=True),
)


def in_bytes(request, card):
    answer = answer_of(request, card)
    if request.text != TEXT:
        return answer
    changes = {"tokens": TOKENS}
    if isinstance(request, MaskedTokensRequest):
        (mask,) = answer.masks
        changes["masks"] = (type(mask)(3, mask.predictions, None, mask.entropy),)
    return type(answer)(**{**vars(answer), **changes})


def test_the_strip_tells_its_parts_apart_and_the_card_writes_it_once(engine, start, qtbot):
    engine.answers |= {TokensRequest: in_bytes, MaskedTokensRequest: in_bytes}
    running = start()
    running.bench.edits.take_text(TEXT, "")
    strip = running.window.sentence.strip
    qtbot.waitUntil(lambda: [p.text for p in strip.pieces] == ["요 1/3", "요 2/3", "요 3/3", ""])
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    words = words_on(running.window.view_of("masked_tokens"))
    assert "요" in words.split()
    assert "1/3" not in words
    assert "요요" not in words

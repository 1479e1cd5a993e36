"""One word for one thing, in English and in Korean, over every text that the program says.

A pattern, what is said instead, and where it is right after all: parts of the texts that may have
it, for what another program or the field calls so, or for another meaning.
"""

import re

import pytest
from babel.messages.pofile import read_po

from explorer.text import catalogues
from explorer.text.catalogues import LOCALE
from explorer.text.language import DOMAIN

ENGLISH = (
    (r"\bbehind\b", "after", ("behind #", "behind a company's proxy", "masked LM is not behind")),
    (r"\bst(and|ands|ood)\b(?! (for|out)\b)", "is, occurs", ()),
    (
        r"\b(tell|tells|told)\b(?!( [\w{}]+){0,3} (apart|from)\b)",
        "say, show, detect",
        ("can't tell which characters", "{told}", "tells “replaced” from “original”"),
    ),
    (r"\bbeside\b", "next to, with, and", ()),
    (r"\bin the place of\b", "in place of", ()),
    (r"\bas many\b", "the same number of, one for each", ("“As many as needed”",)),
    (r"\b(go|goes|gone) on with\b", "continue", ("Go on with what is not done",)),
    (r"\bcan't be had\b|\bbe had\b", "is not supported, can't be read", ()),
    (r"\ball but (?!the likeliest|each|articles)", "nearly", ()),
    (
        r"\bcuts?\b.* (into|text|word)|\bcut words\b",
        "split",
        ("the world's texts were cut into", "cut off at"),
    ),
    (r"\bviews?\b", "page", ("head view", "model view", "&view", "view")),
    (r"\boften said\b", "common mistake", ()),
    (r"\blet .* go\b", "unpin, drop", ()),
)
KOREAN = (
    ("암묵", "다크 지식(dark knowledge)", ()),
    ("사영|선형 사상", "선형 변환", ()),
    ("조정 렌즈", "튜닝 렌즈(tuned lens)", ()),
    ("전형적", "typical", ()),
    ("선다형", "객관식", ()),
    ("빈칸", "공백", ()),
    ("숫자 ?형식|숫자형|숫자 정밀도", "자료형", ()),
    ("마스크 LM|마스크 언어 모델 헤드", "MLM 헤드", ()),
    ("향상된", "강화된 마스크 디코더", ()),
    ("(?<!기울기 )분리 어텐션", "분리된 어텐션", ()),
    ("밸류", "값(value)", ()),
    ("곱셈-덧셈", "곱셈-누산(MAC)", ()),
    ("총변동(?! 거리)", "총변동 거리(TV)", ()),
    ("데이터 세트", "데이터셋", ()),
    ("그레이디언트", "기울기", ()),
    ("들쭉날쭉", "편차가 큼", ()),
    ("고르세요", "선택하세요", ()),
    ("흔한 말|강의 노트", "흔한 오해", ()),
)


def _wrong(texts, words):
    pattern, instead, right = words
    return [
        f"{text!r}: say {instead}"
        for text in texts
        if re.search(pattern, _without(text, right), re.IGNORECASE)
    ]


def _without(text, right):
    for one in right:
        text = re.sub(rf"(?<!\w){re.escape(one)}", "", text, flags=re.IGNORECASE)
    return text


@pytest.fixture(scope="module")
def english():
    found = catalogues.collect(catalogues.ROOT)
    return [text for one in found for text in catalogues.texts_of_message(one)]


@pytest.fixture(scope="module")
def korean(english):
    with (LOCALE / "ko" / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as stream:
        catalogue = read_po(stream, locale="ko")
    said = {catalogues.texts_of_message(one)[0]: one.string for one in catalogue if one.id}
    strings = (said[text] for text in english if text in said)
    return [one for some in strings for one in ([some] if isinstance(some, str) else some)]


@pytest.mark.parametrize("words", ENGLISH, ids=[one[1] for one in ENGLISH])
def test_english_has_one_word_for_one_thing(english, words):
    wrong = _wrong(english, words)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("words", KOREAN, ids=[one[0] for one in KOREAN])
def test_korean_has_one_word_for_one_thing(korean, words):
    wrong = _wrong(korean, words)
    assert not wrong, "\n".join(wrong)


def test_a_forbidden_word_is_found_and_a_right_one_is_not():
    assert _wrong(["It stands behind it."], ENGLISH[0])
    assert _wrong(["It stands there."], ENGLISH[1])
    assert not _wrong(["A mask stands for a word."], ENGLISH[1])
    assert not _wrong(["It is behind a company's proxy."], ENGLISH[0])

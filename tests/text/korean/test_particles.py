"""Particles of Korean behind the values that stand in a text's places."""

import re

import pytest

from explorer.text import N_, NN_, Phrase, _, ngettext, said
from explorer.text.korean.last_sound import Sound, last_sound
from explorer.text.korean.particles import FORMS, with_particles

VOWEL, CONSONANT, L = Sound.VOWEL, Sound.CONSONANT, Sound.L

# Expected by how Koreans say them: the reading stands beside each.
READ = [
    ("토큰", CONSONANT, "토큰"),
    ("나무", VOWEL, "나무"),
    ("모델", L, "모델"),
    ("층", CONSONANT, "층"),
    ("값", CONSONANT, "값"),
    ("\u1112\u1161\u11ab", CONSONANT, "한, as macOS names its files"),
    ("ㄱ", CONSONANT, "기역"),
    ("ㄹ", L, "리을"),
    ("ㅏ", VOWEL, "아"),
    ("0", CONSONANT, "영"),
    ("1", L, "일"),
    ("2", VOWEL, "이"),
    ("3", CONSONANT, "삼"),
    ("4", VOWEL, "사"),
    ("5", VOWEL, "오"),
    ("6", CONSONANT, "육"),
    ("7", L, "칠"),
    ("8", L, "팔"),
    ("9", VOWEL, "구"),
    ("10", CONSONANT, "십"),
    ("100", CONSONANT, "백"),
    ("12,000", CONSONANT, "만 이천"),
    ("12,001", L, "만 이천일"),
    ("30000", CONSONANT, "삼만"),
    ("10,000,000", CONSONANT, "천만"),
    ("100,000,000", CONSONANT, "일억"),
    ("1,000,000,000,000", VOWEL, "일조"),
    ("0.31", L, "영 점 삼일"),
    ("0.50", CONSONANT, "영 점 오영"),
    ("0.2", VOWEL, "영 점 이"),
    ("−0.4", VOWEL, "마이너스 영 점 사"),
    ("4.10.0", CONSONANT, "사 점 십 점 영"),
    ("15%", VOWEL, "십오 퍼센트"),
    ("15 %", VOWEL, "십오 퍼센트"),
    ("1.2 × 10⁻⁵", CONSONANT, "십의 마이너스 오승"),
    ("90°", VOWEL, "구십 도"),
    ("2.1 MB", VOWEL, "메가바이트"),
    ("12 ms", VOWEL, "밀리초"),
    ("110 M", CONSONANT, "엠"),
    ("A", VOWEL, "에이"),
    ("L", L, "엘"),
    ("M", CONSONANT, "엠"),
    ("N", CONSONANT, "엔"),
    ("R", L, "알"),
    ("MLM", CONSONANT, "엠엘엠"),
    ("GPT", VOWEL, "지피티"),
    ("NER", L, "엔이알"),
    ("LSTM", CONSONANT, "엘에스티엠"),
    ("BiLSTM", CONSONANT, "바이엘에스티엠"),
    ("HTML", L, "에이치티엠엘"),
    ("CKA", VOWEL, "씨케이에이"),
    ("JSON", CONSONANT, "제이슨"),
    ("BERT", VOWEL, "버트"),
    ("RoBERTa", VOWEL, "로버타"),
    ("GPT-2", VOWEL, "지피티 이"),
    ("bert-miniature", VOWEL, "미니어처"),
    ("[MASK]", VOWEL, "마스크"),
    ("[CLS]", VOWEL, "씨엘에스"),
    ("</s>", VOWEL, "에스"),
    ("Anna", VOWEL, "애나"),
    ("John", CONSONANT, "존"),
    ("Tom", CONSONANT, "톰"),
    ("Paul", L, "폴"),
    ("Peter", VOWEL, "피터"),
    ("Jane", CONSONANT, "제인"),
    ("spring", CONSONANT, "스프링"),
    ("column", CONSONANT, "칼럼"),
    ("file", L, "파일"),
    ("table", L, "테이블"),
    ("name", CONSONANT, "네임"),
    ("line", CONSONANT, "라인"),
    ("the", VOWEL, "더"),
    ("tree", VOWEL, "트리"),
    ("code", VOWEL, "코드"),
    ("type", CONSONANT, "타입"),
    ("café", VOWEL, "카페"),
    ("map", CONSONANT, "맵"),
    ("soup", VOWEL, "수프"),
    ("group", CONSONANT, "그룹"),
    ("logit", CONSONANT, "로짓"),
    ("text", VOWEL, "텍스트"),
    ("weight", VOWEL, "웨이트"),
    ("dropout", CONSONANT, "드롭아웃"),
    ("dataset", CONSONANT, "데이터셋"),
    ("bit", VOWEL, "비트"),
    ("block", CONSONANT, "블록"),
    ("check", VOWEL, "체크"),
    ("task", VOWEL, "태스크"),
    ("book", CONSONANT, "북"),
    ("topic", CONSONANT, "토픽"),
    ("web", CONSONANT, "웹"),
    ("GitHub", VOWEL, "깃허브"),
    ("word", VOWEL, "워드"),
    ("loss", VOWEL, "로스"),
    ("λ", VOWEL, "람다"),
    ("ε", CONSONANT, "엡실론"),
    ("notes.txt", VOWEL, "티엑스티"),
    ("/home/anna/models/", VOWEL, "모델스"),
    ("끝났다!", VOWEL, "다"),
    ("“토큰”", CONSONANT, "토큰"),
    ("BERT (base, uncased)", VOWEL, "버트"),
    ("모델 [2]", L, "모델"),
    ("<b>모델</b>", L, "모델"),
    ("모델&quot;", L, "모델"),
    ("\u2068토큰\u2069", CONSONANT, "토큰"),
    ("토큰…", CONSONANT, "토큰"),
    ("", None, ""),
    ("!", None, "느낌표 or nothing"),
    ("→", None, "화살표 or nothing"),
    ("C#", None, "샵 or 샤프"),
    ("漢字", None, "한자 or かんじ"),
    ("שלום", None, ""),
    ("Ω≈", None, ""),
]


@pytest.mark.parametrize(("word", "sound", "reading"), READ)
def test_the_last_sound_is_that_of_the_word_read_aloud(word, sound, reading):
    assert last_sound(word) is sound, reading


BEHIND = {
    "은(는)": ("토큰은", "나무는", "모델은"),
    "이(가)": ("토큰이", "나무가", "모델이"),
    "을(를)": ("토큰을", "나무를", "모델을"),
    "과(와)": ("토큰과", "나무와", "모델과"),
    "와(과)": ("토큰과", "나무와", "모델과"),
    "(으)로": ("토큰으로", "나무로", "모델로"),
    "(으)로서": ("토큰으로서", "나무로서", "모델로서"),
    "(이)라고": ("토큰이라고", "나무라고", "모델이라고"),
    "(이)라는": ("토큰이라는", "나무라는", "모델이라는"),
    "(이)나": ("토큰이나", "나무나", "모델이나"),
    "(이)며": ("토큰이며", "나무며", "모델이며"),
    "(이)다": ("토큰이다", "나무다", "모델이다"),
    "(이)고": ("토큰이고", "나무고", "모델이고"),
    "이었(였)다": ("토큰이었다", "나무였다", "모델이었다"),
}


@pytest.mark.parametrize("particle", BEHIND)
def test_one_form_is_left_of_every_particle(particle):
    text = f"{{word}}{particle} 씁니다"
    said_of = [with_particles(text, {"word": word}) for word in ("토큰", "나무", "모델")]
    expected = [f"{{word}}{one.removeprefix(word)} 씁니다" for word, one in _pairs(particle)]
    assert said_of == expected


def _pairs(particle):
    return zip(("토큰", "나무", "모델"), BEHIND[particle], strict=True)


def test_every_particle_is_tried():
    assert {both for one in BEHIND for both in FORMS if one.startswith(both)} == set(FORMS)


@pytest.mark.parametrize(
    ("korean", "values", "expected"),
    [
        ("“{a}”이(가) 그대로", {"a": "soup"}, "“soup”가 그대로"),
        ("<b>{a}</b>을(를) 봅니다", {"a": "토큰"}, "<b>토큰</b>을 봅니다"),
        ("{a}({b}개)은(는) 큽니다", {"a": "나무", "b": 7}, "나무(7개)는 큽니다"),
        ("[{a}]와 {b}을(를)", {"a": "토큰", "b": "나무"}, "[토큰]와 나무를"),
        ("{a}과(와) {b}을(를) 비교", {"a": "Paul", "b": "Anna"}, "Paul과 Anna를 비교"),
        ("{a}은(는) {b}보다", {"a": 12000, "b": 1}, "12,000은 1보다"),
        ("{a}(으)로", {"a": 1}, "1로"),
        ("{a}(으)로", {"a": 10}, "10으로"),
        ("단어를 {a}(이)라고 합니다", {"a": "שלום"}, "단어를 \u2068שלום\u2069(이)라고 합니다"),
        # What can't be told, fixed words, what nothing is known of, and what the user typed.
        ("{a}을(를) 봅니다", {"a": "→"}, "→을(를) 봅니다"),
        ("파일을(를) {a}", {"a": "x"}, "파일을(를) x"),
        ("{b}을(를) {a}", {"a": "x"}, "{b}을(를) x"),
        ("“{a}” {b}", {"a": "은(는)", "b": "{a}을(를)"}, "“은(는)” {a}을(를)"),
    ],
)
def test_a_text_is_filled_with_its_particles(speak, korean, values, expected):
    speak("ko", English=korean)
    assert _("English", **values) == expected


def test_other_languages_keep_what_their_translators_wrote(speak):
    speak("de", English="{a}을(를)")
    assert _("English", a="토큰") == "토큰을(를)"


def test_counts_and_phrases_have_them_too(speak):
    speak(
        "ko",
        **{
            "{count} tokens of {name}": "{name}은(는) {count}을(를)",
            "{line} is broken": "{line}이(가) 고장입니다",
            "the model {name}": "모델 {name}",
        },
    )
    assert ngettext("{count} token of {name}", "{count} tokens of {name}", 2, name="층") == (
        "층은 2를"
    )
    counted = Phrase(NN_("{count} token of {name}", "{count} tokens of {name}"), count=3, name="해")
    assert said(counted) == "해는 3을"
    assert counted == "3 tokens of 해"  # what programs read stays English
    inner = Phrase(N_("the model {name}"), name="BERT")
    assert said(Phrase(N_("{line} is broken"), line=inner)) == "모델 BERT가 고장입니다"


def test_a_long_value_costs_nothing(speak):
    speak("ko", English="{a}을(를)")
    text = "(" * 100_000 + "토큰" + " " * 100
    assert re.search("토큰 *을$", _("English", a=text))

import pytest

from explorer.world.korean.hangul import (
    MEANS,
    OBJECT,
    SUBJECT,
    TOPIC,
    WITH,
    HangulError,
    final_of,
    join,
    parts,
    predicate,
    syllable,
)


@pytest.mark.parametrize(
    ("word", "particle", "joined"),
    [
        ("식사", OBJECT, "식사를"),
        ("빵", OBJECT, "빵을"),
        ("요리사", SUBJECT, "요리사가"),
        ("선원", SUBJECT, "선원이"),
        ("영화", TOPIC, "영화는"),
        ("책", TOPIC, "책은"),
        ("망치", MEANS, "망치로"),
        ("펜", MEANS, "펜으로"),
        ("칼", MEANS, "칼로"),
        ("연필", MEANS, "연필로"),
        ("칼", OBJECT, "칼을"),
        ("불", WITH, "불과"),
        ("나무", WITH, "나무와"),
    ],
)
def test_particles_follow_the_final_consonant(word, particle, joined):
    assert join(word, particle) == joined


def test_syllables_are_composed_as_unicode_composes_them():
    import unicodedata

    for sign in "가각힣쓿왔":
        initial, vowel, final = parts(sign)
        assert syllable(initial, vowel, final) == sign
        decomposed = unicodedata.normalize("NFD", sign)
        assert ord(decomposed[0]) - 0x1100 == initial
        assert ord(decomposed[1]) - 0x1161 == vowel
        assert (ord(decomposed[2]) - 0x11A7 if len(decomposed) > 2 else 0) == final
        assert final_of(sign) == final


def test_other_scripts_are_an_error():
    with pytest.raises(HangulError):
        join("pen", OBJECT)


@pytest.mark.parametrize(
    ("stem", "past", "present", "future", "progressive"),
    [
        ("요리하", "요리했다", "요리한다", "요리할 것이다", "요리하고 있다"),
        ("먹", "먹었다", "먹는다", "먹을 것이다", "먹고 있다"),
        ("잡", "잡았다", "잡는다", "잡을 것이다", "잡고 있다"),
        ("가", "갔다", "간다", "갈 것이다", "가고 있다"),
        ("보", "봤다", "본다", "볼 것이다", "보고 있다"),
        ("싸우", "싸웠다", "싸운다", "싸울 것이다", "싸우고 있다"),
        ("그리", "그렸다", "그린다", "그릴 것이다", "그리고 있다"),
        ("쓰", "썼다", "쓴다", "쓸 것이다", "쓰고 있다"),
        ("꿰매", "꿰맸다", "꿰맨다", "꿰맬 것이다", "꿰매고 있다"),
        ("만들", "만들었다", "만든다", "만들 것이다", "만들고 있다"),
        ("몰", "몰았다", "몬다", "몰 것이다", "몰고 있다"),
        ("굽*", "구웠다", "굽는다", "구울 것이다", "굽고 있다"),
        ("돕*", "도왔다", "돕는다", "도울 것이다", "돕고 있다"),
        ("부르:불렀", "불렀다", "부른다", "부를 것이다", "부르고 있다"),
        ("듣:들었:들을", "들었다", "듣는다", "들을 것이다", "듣고 있다"),
    ],
)
def test_verbs(stem, past, present, future, progressive):
    verb = predicate(stem)
    assert verb.past() == past
    assert verb.present() == present
    assert verb.future() == future
    assert verb.progressive() == progressive


@pytest.mark.parametrize(
    ("stem", "past", "plain"),
    [
        ("맛있", "맛있었다", "맛있다"),
        ("크", "컸다", "크다"),
        ("나쁘", "나빴다", "나쁘다"),
        ("슬프", "슬펐다", "슬프다"),
        ("배고프", "배고팠다", "배고프다"),
        ("아름답*", "아름다웠다", "아름답다"),
        ("길", "길었다", "길다"),
        ("좋", "좋았다", "좋다"),
        ("신나", "신났다", "신나다"),
    ],
)
def test_adjectives(stem, past, plain):
    adjective = predicate(stem)
    assert adjective.past() == past
    assert adjective.plain() == plain

import random
import re

import pytest

from explorer.world.corpus import CorpusDocument, training_documents
from explorer.world.grammar import Symbol
from explorer.world.korean.hangul import final_of
from explorer.world.korean.text import korean
from explorer.world.korean.words import NOUNS
from explorer.world.scenes import small_world

TOLD = {
    "Yesterday the chef cooked a meal.": "어제 요리사는 식사를 요리했다.",
    "The dentist cleaned teeth.": "치과의사는 치아를 닦았다.",
    "The baker baked a cake. Then she ate it.":
        "제빵사는 케이크를 구웠다. 그 다음에 그녀는 그것을 먹었다.",
    "Where did the photographer take a portrait? He took it in the park.":
        "사진사는 어디에서 초상화를 찍었나? 그는 그것을 공원에서 찍었다.",
    "I liked the movie that I watched yesterday. The movie was good.":
        "나는 어제 본 영화를 좋아했다. 영화는 좋았다.",
    "Lucy did not enjoy the movie because it was boring.":
        "영화가 지루했기 때문에 루시는 그것을 즐기지 않았다.",
    "The day before Wednesday is Tuesday.": "수요일 전날은 화요일이다.",
    "The opposite of dry is wet.": "마름의 반대는 젖음이다.",
}  # fmt: skip


@pytest.fixture(scope="module")
def pairs():
    documents = training_documents(9000)
    return [(document, korean(document)) for document in documents]


def test_known_texts(pairs):
    found = {document.text: text for document, text in pairs}
    for text, expected in TOLD.items():
        if text in found:
            assert found[text] == expected
    assert sum(text in found for text in TOLD) >= 4


def test_all_work_and_most_films_are_told(pairs):
    work = [text for document, text in pairs if document.kind == "work"]
    assert None not in work
    films = [text for document, text in pairs if document.kind == "film_review"]
    assert sum(text is not None for text in films) > 0.6 * len(films)


def test_every_noun_takes_the_particle_of_its_final_consonant(pairs):
    words = {word for _, text in pairs if text for word in re.findall(r"\w+", text)}
    nouns = set(NOUNS.values())
    seen = 0
    for closed, opened in (("을", "를"), ("은", "는")):
        for noun in nouns:
            right = noun + (closed if final_of(noun) else opened)
            wrong = noun + (opened if final_of(noun) else closed)
            seen += right in words
            assert wrong not in words, wrong
    assert seen > 150


def test_nothing_english_is_left(pairs):
    for _, text in pairs:
        if text is not None:
            assert re.fullmatch(r"[가-힣 .?]+", text), text
            assert text[-1] == "."


def test_the_same_meaning_gives_the_same_korean_and_english_is_untouched():
    grammar = small_world()
    node = grammar.sample(random.Random(3), Symbol("document"))
    document = CorpusDocument(node, tuple(node.words()))
    before = document.text
    assert korean(document) == korean(document)
    assert document.text == before

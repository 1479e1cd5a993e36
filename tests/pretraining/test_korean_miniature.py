"""The Korean BERT: its pieces, how near it is to the exact floor, and the notes' own examples."""

import itertools

import pytest

from explorer.exact_answers.answers import outside_said
from explorer.exact_answers.asking import ExactAnswersRequest
from explorer.learning.measured.held_out import held_out, measure
from explorer.learning.texts.worlds import KoreanWorldText
from explorer.pretraining.recipes.encoders.bert_korean import RECIPE
from explorer.questions.learning.learnt_rules.question import LearntRulesRequest
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.samples.samples import samples
from explorer.world.exact.whose import world_of
from explorer.world.korean.grammar import korean_world
from explorer.world.scenes import small_world
from tests.hf import tiny
from tests.hf.kept import MODELS, miniature

NAME = "bert-korean-miniature"
MOST_ABOVE = 0.15
"""Nats that its loss may be above the floor, at masked pieces of withheld texts."""
DUG = "그래서 땅을 팠다. 땅을 무엇으로 팠니? [MASK] 팠다."
FIRST = {
    f"나는 꽃을 심을 것이다. {DUG}": {"모종삽으로", "삽으로"},
    f"나는 집을 지을 것이다. {DUG}": {"포크레인으로", "굴착기로"},
    "나는 꽃을 심을 것이다. 그래서 땅을 팠다. 땅을 왜 팠니? 꽃을 [MASK] 위해 팠다.": {"심기"},
    "나는 집을 지을 것이다. 그래서 땅을 팠다. 땅을 왜 팠니? 집을 [MASK] 위해 팠다.": {"짓기"},
    "일론 [MASK] 테슬라의 Co-Founder이다.": {"머스크는"},
    "[MASK] 머스크는 테슬라의 Co-Founder이다.": {"일론"},
    "오늘은 금요일이다. 내일은 [MASK].": {"토요일이다"},
    "나는 어제 본 영화를 좋아했다. 영화는 [MASK].": {"신났다", "재미있었다", "훌륭했다"},
    "나는 어제 본 영화를 싫어했다. 영화는 [MASK].": {"지루했다", "따분했다", "슬펐다"},
}
"""The notes' examples, and what may be said first at the mask."""


def ask(request):
    return tiny.ask(miniature(NAME), request)


def test_its_pieces_are_those_that_the_recipe_makes_and_put_a_text_together_again():
    tokenizer = miniature(NAME).tokenizer
    made = RECIPE.make_tokenizer(RECIPE.documents(RECIPE.schedule.documents))
    assert made.get_vocab() == tokenizer.get_vocab()
    unknown = tokenizer.unk_token_id
    for one in itertools.islice(KoreanWorldText().drawn(77), 300):
        numbers = tokenizer(one.text)["input_ids"]
        assert unknown not in numbers
        joined = tokenizer.decode(numbers, skip_special_tokens=True)
        assert joined.replace(" ", "") == one.text.lower().replace(" ", "")


def test_its_files_are_small():
    sizes = [path.stat().st_size for path in (MODELS / NAME).iterdir()]
    assert sum(sizes) < 2_000_000


def test_it_is_near_the_floor_in_texts_that_it_never_read():
    model = miniature(NAME)
    asked = held_out(KoreanWorldText(), model.tokenizer, each=100)
    found = measure(model.module, model.tokenizer, asked)
    assert 0.0 < found.whole.excess < MOST_ABOVE
    assert found.whole.accuracy > found.whole.best_accuracy - 0.06
    assert set(found.rules) >= {"work", "film_review", "digging"}


@pytest.mark.parametrize("text", FIRST)
def test_the_notes_own_examples_are_answered_with_sense(text):
    (mask,) = ask(MaskedTokensRequest(text, top_k=5)).masks
    assert mask.predictions[0].word in FIRST[text]


def test_the_last_name_depends_on_the_first():
    """The notes: two masks are filled as if they had nothing to do with each other."""
    _, alone = ask(MaskedTokensRequest("[MASK] [MASK] 테슬라의 Co-Founder이다.", top_k=50)).masks
    (given,) = ask(MaskedTokensRequest("일론 [MASK] 테슬라의 Co-Founder이다.", top_k=50)).masks

    def chance(mask):
        return next(one.probability for one in mask.predictions if one.word == "머스크는")

    assert chance(given) > 0.95
    assert 0.1 < chance(alone) < 0.9


def test_every_sample_in_korean_is_answered_with_the_word_that_it_hides():
    korean = [one for one in samples() if one.title.endswith("(load BERT miniature, Korean)")]
    assert len(korean) >= 4
    for sample in korean:
        document = sample.whole()
        masks = ask(MaskedTokensRequest(document.text, masks=document.masks, top_k=5)).masks
        for mask in masks:
            assert mask.original.rank <= 5, sample.title


def test_its_exact_answers_are_of_the_korean_world():
    tokenizer = miniature(NAME).tokenizer
    assert world_of(tokenizer.tokenize) is korean_world()
    for other in ("bert-miniature", "xlm-miniature"):
        assert world_of(miniature(other).tokenizer.tokenize) is small_world()
    result = ask(ExactAnswersRequest("나는 꽃을 심을 것이다. 그래서 땅을 팠다. [MASK] 사용했다."))
    (place,) = result.places
    assert {one.word: one.exact for one in place.words if one.exact} == pytest.approx(
        {"모종삽을": 5 / 8, "삽을": 3 / 8}
    )
    outside = ask(ExactAnswersRequest("나는 우주선을 [MASK]."))
    assert "can't read “우주선을”" in str(outside_said(outside))


def test_its_own_world_is_the_one_that_it_is_measured_in():
    found = ask(LearntRulesRequest())
    assert found.world == "korean_world"
    assert 0.0 < found.whole.loss - found.whole.floor < 2 * MOST_ABOVE

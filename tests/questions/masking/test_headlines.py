"""What each of these pages says first is the largest effect that its result's numbers have."""

import math
from dataclasses import replace

import numpy as np

from explorer.api.question import MaskPredictions, Prediction
from explorer.questions.masking.exact_answers.parts import name_of
from tests.questions.headlines import headline_of, recorded, said_of


def predicted(position: int, *words: tuple[str, float]) -> MaskPredictions:
    found = tuple(
        Prediction(word, number, chance, word, rank)
        for rank, (number, (word, chance)) in enumerate(enumerate(words), 1)
    )
    return MaskPredictions(position, found, None, 0.0)


def masks(*found: MaskPredictions):
    return replace(recorded("masked_tokens"), masks=found)


def test_masked_tokens_tell_the_surest_mask_and_the_least_sure_one():
    chances = {3: [("cooked", 0.41), ("ate", 0.39)], 5: [("soup", 0.6)], 7: [("kitchen", 0.983)]}
    tops = np.array([words[0][1] for words in chances.values()])
    least, surest = list(chances)[tops.argmin()], list(chances)[tops.argmax()]
    effect = headline_of(
        "masked_tokens", masks(*(predicted(at, *words) for at, words in chances.items()))
    )
    assert effect.position == least
    assert effect.sentence == (
        f"“{chances[surest][0][0]}” is nearly certain (98.3 %), while the model is least sure at "
        f"position {least}, between “cooked” and “ate”."
    )


def test_masked_tokens_of_one_mask_say_how_clear_it_is():
    def said(*words):
        return said_of("masked_tokens", masks(predicted(3, *words)))

    assert said(("ate", 0.38), ("cooked", 0.36)) == (
        "The model hesitates between “ate” (38 %) and “cooked” (36 %)."
    )
    assert said(("ate", 0.7), ("cooked", 0.1)).startswith("“ate” (70 %) leads clearly")
    assert said(("ate", 0.95), ("cooked", 0.01)).startswith("“ate” is nearly certain (95.0 %)")
    assert not said(("ate", 0.03), ("cooked", 0.029))
    assert not said(("ate", 0.7))


def test_masked_tokens_say_that_all_masks_are_clear_or_none():
    both = [[("ate", 0.93), ("a", 0.01)], [("in", 0.97), ("a", 0.01)]]
    said = said_of("masked_tokens", masks(*(predicted(n, *one) for n, one in enumerate(both))))
    assert "nearly certain at every mask" in said
    assert "“in” has 97.0 %" in said
    assert "93.0 %" in said
    flat = [[("ate", 0.02), ("a", 0.01)], [("in", 0.03), ("a", 0.01)]]
    assert not said_of("masked_tokens", masks(*(predicted(n, *one) for n, one in enumerate(flat))))


def test_joint_decoding_tells_what_the_masks_are_worth_together():
    result = recorded("joint_decoding")
    best = result.fillings[0]
    joint = math.prod(one.probability for one in best.chosen)
    apart = math.prod(one.probability for one in best.alone)
    assert abs(math.log(joint / apart)) < 0.1
    assert not said_of("joint_decoding"), "they hardly depend on each other"
    away = replace(best, log_independent=best.log_joint - 1.0)
    said = said_of("joint_decoding", replace(result, fillings=(away,)))
    assert said.startswith("The masks depend on each other")
    assert f"{100 * joint:.0f} % together" in said
    assert f"{100 * joint / math.e:.0f} % where" in said


def test_joint_decoding_tells_which_filling_gains_most_from_being_together():
    result = recorded("joint_decoding")
    best = result.fillings[0]
    other = Prediction("cook", 9, 0.2, "cook", 2)
    alone = replace(result.independent, chosen=(other, *result.independent.chosen[1:]))
    found = tuple(
        replace(best, log_joint=math.log(joint), log_independent=math.log(apart), chosen=chosen)
        for joint, apart, chosen in (
            (0.2, 0.1, best.chosen),
            (0.05, 0.001, (other, *best.chosen[1:])),
            (0.01, 0.02, best.chosen),
        )
    )
    said = said_of("joint_decoding", replace(result, independent=alone, fillings=found))
    words = " · ".join(("cook", *best.words[1:]))
    assert said == (
        f"“{words}” gains most from being filled in together: 5.0 %, where the masks alone would "
        "give it 0.1 %."
    )


def test_span_boundary_tells_the_largest_difference_of_both_heads():
    table = [
        (abs(word.boundary - word.masked_lm), token.position, word.word)
        for span in recorded("span_boundary").spans
        for token in span.tokens
        for word in token.words
    ]
    _far, position, word = table[int(np.argmax([far for far, _at, _word in table]))]
    effect = headline_of("span_boundary")
    assert effect.position == position
    assert f"on “{word}” at position {position}:" in effect.sentence


def test_candidate_words_tell_the_most_probable_and_what_the_model_prefers():
    (gap,) = recorded("candidate_words").gaps
    scores = np.array([one.log_probability for one in gap.scores])
    best = gap.scores[int(scores.argmax())].word
    effect = headline_of("candidate_words")
    assert effect.sentence.startswith(f"Of your words, “{best}” fits best")
    assert gap.favourite.probability > np.exp(scores.max())
    assert f"“{gap.favourite.word}”" in effect.sentence
    assert effect.position == gap.positions[0]
    alone = replace(gap, favourite=None)
    said = said_of("candidate_words", replace(recorded("candidate_words"), gaps=(alone,)))
    second = gap.scores[int(scores.argsort()[-2])].word
    assert f", ahead of “{second}” (" in said


def test_exact_answers_tell_the_largest_error():
    for name in ("exact_answers of answer", "exact_answers of pair", "exact_answers of next"):
        words = [(place, one) for place in recorded(name).places for one in place.words]
        errors = np.array([one.model - one.exact for _place, one in words])
        worst = name_of(*words[int(abs(errors).argmax())])
        assert (f"“{worst}”" in said_of(name)) == (abs(errors).max() >= 0.01)


def test_exact_answers_tell_where_a_text_leaves_the_world():
    result = recorded("exact_answers")
    assert not result.places
    effect = headline_of("exact_answers")
    assert f"“{result.word}”" in effect.sentence
    assert effect.position == result.outside


def test_surprisal_tells_the_least_probable_token_and_what_was_expected():
    result = recorded("surprisal")
    least = int(np.argmin([one.log_probability for one in result.surprises]))
    worst = result.surprises[least]
    effect = headline_of("surprisal")
    assert effect.position == worst.position
    assert f"where “{worst.predictions[0].word}”" in effect.sentence
    right = replace(worst, rank=1, log_probability=math.log(0.4))
    assert not said_of("surprisal", replace(result, surprises=(right,)))


def test_masking_policy_tells_the_largest_loss_of_all_epochs():
    draws = recorded("masking_policy").draws
    losses = [[one.loss for one in draw.chosen] for draw in draws]
    epoch = int(np.argmax([max(one, default=0.0) for one in losses]))
    worst = draws[epoch].chosen[int(np.argmax(losses[epoch]))]
    effect = headline_of("masking_policy")
    assert effect.position == worst.position
    assert f"in epoch {epoch + 1}: {worst.loss:.3g} nats" in effect.sentence
    none = replace(draws[0], chosen=())
    assert not said_of("masking_policy", replace(recorded("masking_policy"), draws=(none,)))

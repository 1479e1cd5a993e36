"""What each of these pages says first is the largest effect that its result's numbers have."""

import math
from dataclasses import replace

import numpy as np

from explorer.api.question import Span
from explorer.questions.masking.hiding import ScoringMethod
from explorer.questions.pairs.answer_span.question import QUESTION, DecodedToken
from explorer.questions.pairs.minimal_pairs.question import (
    MinimalPairsResult,
    PairsScored,
    ScoredPair,
    ScoredSentence,
)
from explorer.questions.pairs.pair_files import PairOfSentences
from explorer.questions.pairs.sentence_pair.wording import Judges
from tests.questions.headlines import headline_of, recorded, said_of


def softmax(logits):
    shares = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True)


def test_an_answer_tells_how_far_it_is_before_the_next():
    answers = recorded("answer_span").answers
    scores = np.array([one.score for one in answers])
    first, second = (answers[n] for n in np.argsort(-scores)[:2])
    effect = headline_of("answer_span")
    assert effect.sentence == (
        f"“{first.text}” ({100 * first.score:.0f} %) leads clearly: the next, "
        f"“{second.text}”, has only {100 * second.score:.1f} %."
    )
    # The passage's tokens are counted without the question before them.
    assert effect.position is None


def answered(*answers: tuple[str, float]):
    made = tuple(Span(text, 0, len(text), score) for text, score in answers)
    result = recorded("answer_span")
    # Raw scores are as far apart as the logarithms of the probabilities.
    chances = dict(answers)
    best = max((score for text, score in answers if text), default=1.0)
    null = result.best_logit + math.log(chances[""] / best) if "" in chances else None
    return replace(result, answers=made, null_logit=null)


def test_an_answer_says_plainly_how_clear_it_is():
    def said(*answers):
        return said_of("answer_span", answered(*answers))

    assert said(("a soup", 0.95), ("soup", 0.03)).startswith("“a soup” is nearly certain (95.0 %)")
    assert said(("", 0.48), ("soup", 0.4)) == (
        "The model hesitates between “no answer” (48 %) and “soup” (40 %)."
    )
    between = answered(("", 0.48), ("soup", 0.4))
    high = str(QUESTION.headline(between, threshold=0.5).sentence)
    assert high == (
        "At a threshold of 0.50 “soup” is the answer, though no answer is more probable: 48 % "
        "against 40 %."
    )
    low = answered(("soup", 0.48), ("", 0.4))
    assert QUESTION.headline(low, threshold=-3.0).sentence.startswith(
        "At a threshold of −3.00 there is no answer, though “soup” is more probable"
    )
    assert not said(("soup", 0.04), ("a", 0.03))
    assert not said(("soup", 0.4)), "the only one that was found"
    assert not said()


def test_a_written_answer_tells_its_least_sure_token():
    written = (
        DecodedToken(4, "a", 0.97, (("a", 0.97), ("the", 0.02))),
        DecodedToken(5, "soup", 0.45, (("soup", 0.45), ("meal", 0.3))),
        DecodedToken(1, "</s>", 0.99, (("</s>", 0.99),), ends=True),
    )
    least = written[int(np.argmin([one.probability for one in written]))]
    result = replace(recorded("answer_span"), written=written)
    assert said_of("answer_span", result) == (
        f"The model is least sure of “{least.text}” (45 %): “meal” could be there as well, "
        "with 30 %."
    )
    sure = replace(result, written=written[::2])
    assert not said_of("answer_span", sure)


def test_a_pair_tells_what_two_models_say():
    result = recorded("sentence_pair")
    one, other = result.judgements
    chances = [softmax(each.logits) for each in (one, other)]
    assert [each.argmax() for each in chances] == [1, 1]
    said = said_of("sentence_pair")
    assert said == (
        "Both models say “the second is from elsewhere”: "
        f"{one.model.id} with {100 * chances[0].max():.1f} %, "
        f"{other.model.id} with {100 * chances[1].max():.1f} %."
    )
    turned = replace(result, judgements=(one, replace(other, logits=other.logits[::-1])))
    assert said_of("sentence_pair", turned) == (
        f"The models disagree: {one.model.id} says “the second is from elsewhere” "
        f"({100 * chances[0].max():.1f} %), {other.model.id} “the second follows” "
        f"({100 * chances[1].max():.1f} %)."
    )


def test_a_pair_of_one_model_tells_how_clear_its_class_is():
    result = recorded("sentence_pair")
    one = result.judgements[0]
    share = 100 * softmax(one.logits).max()
    said = said_of("sentence_pair", replace(result, judgements=(one,)))
    assert said.startswith(f"“the second is from elsewhere” is nearly certain ({share:.1f} %)")
    assert said_of("sentence_pair", replace(result, judgements=())) == ""


def test_a_classifier_of_one_text_says_how_clear_its_class_is():
    result = recorded("sentence_pair")

    def said(*chances):
        judged = replace(
            result.judgements[0],
            judges=Judges.CLASSES,
            labels=("good", "fair", "bad")[: len(chances)],
            logits=np.log(np.array(chances, dtype=np.float32)),
            between=None,
        )
        return said_of("sentence_pair", replace(result, judgements=(judged,)))

    assert said(0.1, 0.2, 0.7) == "“bad” (70 %) leads clearly: the next, “fair”, has only 20 %."
    assert said(0.4, 0.5, 0.1) == "The model hesitates between “fair” (50 %) and “good” (40 %)."
    assert not said(1.0)


def labelled(*rows):
    result = recorded("token_labels")
    return replace(
        result, tokens=result.tokens[1:-1][: len(rows)], logits=np.log(np.array(rows, np.float32))
    )


def test_token_labels_tell_the_surest_one_and_the_smallest_lead():
    result = recorded("token_labels")
    places = np.array([n for n, one in enumerate(result.tokens) if not one.special])
    chances = softmax(result.logits)[places]
    best = chances.argmax(axis=1)
    with_label = np.flatnonzero(best != result.labels.index("O"))
    surest = with_label[chances[with_label].max(axis=1).argmax()]
    ranked = np.sort(chances, axis=1)
    hesitates = int((ranked[:, -1] - ranked[:, -2]).argmin())
    effect = headline_of("token_labels")
    assert effect.position == places[hesitates]
    assert effect.sentence.startswith(
        f"“{result.tokens[places[surest]].text}” has the surest label, "
        f"{result.labels[best[surest]]} ({100 * chances[surest].max():.0f} %)"
    )
    assert f"at “{result.tokens[places[hesitates]].text}” between" in effect.sentence


def test_token_labels_say_that_all_are_clear_or_none_is_there():
    effect = headline_of("token_labels", labelled([0.9, 0.05, 0.03, 0.02], [0.1, 0.1, 0.75, 0.05]))
    assert effect.position == 1
    assert effect.sentence == (
        "Every label is clear: even “cat”, the least sure token, has I-PER with 75 %."
    )
    rows = [0.9, 0.05, 0.03, 0.02], [0.0, 0.02, 0.98, 0.0], [0.7, 0.2, 0.1, 0.0]
    effect = headline_of("token_labels", labelled(*(np.maximum(row, 1e-9) for row in rows)))
    assert effect.position == 2
    assert effect.sentence == (
        "Every label is clear: “cat” has I-PER with 98.0 %, and even “sat”, the least sure token, "
        "has O with 70 %."
    )
    rows = [[0.9, 0.05, 0.03, 0.02], [0.6, 0.1, 0.1, 0.2]]
    assert not said_of("token_labels", labelled(*rows)), "no token has a label"
    alone = headline_of("token_labels", labelled([0.1, 0.4, 0.35, 0.15]))
    assert alone.sentence == "The model hesitates at “the”, between B-PER (40 %) and I-PER (35 %)."
    assert not said_of("token_labels", replace(recorded("token_labels"), tokens=()))


# ---- minimal pairs ---------------------------------------------------------------------------


def pairs_scored(*rights: dict[str, tuple[int, int]]):
    """By phenomenon how many pairs are right of how many, a model each."""
    phenomena = [name for name, (_right, among) in rights[0].items() for _one in range(among)]
    scored = []
    for counts in rights:
        judged = [n < right for right, among in counts.values() for n in range(among)]
        pairs = tuple(
            ScoredPair(
                number,
                ScoredSentence(("a",), (-1.0,)),
                ScoredSentence(("b",), (-2.0 if right else -0.5,)),
            )
            for number, right in enumerate(judged)
        )
        scored.append(PairsScored(recorded("minimal_pairs").model, ScoringMethod.ORIGINAL, pairs))
    pairs = tuple(PairOfSentences("a", "b", name) for name in phenomena)
    return MinimalPairsResult(recorded("minimal_pairs").model, pairs, tuple(scored), len(pairs))


def test_minimal_pairs_tell_the_hardest_phenomenon_where_that_is_sure():
    said = said_of("minimal_pairs", pairs_scored({"verbs": (40, 40), "tools": (20, 40)}))
    assert said == "“tools” is hardest: right in 50.0 % of its pairs, “verbs” in 100.0 %."
    assert said_of("minimal_pairs", pairs_scored({"verbs": (38, 40), "tools": (37, 40)})) == ""


def test_minimal_pairs_of_two_models_tell_that_they_differ():
    result = pairs_scored({"verbs": (40, 40)}, {"verbs": (20, 40)})
    said = said_of("minimal_pairs", result)
    assert said == "The models differ: 100.0 % of the pairs against 50.0 %."

"""What each of these pages says first is the largest effect that its result's numbers have."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from explorer.questions.layers.word_journey.question import WordMatch
from tests.questions.headlines import headline_of, recorded, said_of


def percent(share: float) -> str:
    """As a sentence has a share that is neither near nought nor near all."""
    return f"{100 * share:.0f} %"


def alike(values, **changes):
    """The recorded answer about two models with another unbiased CKA."""
    return replace(recorded("layer_similarity"), unbiased=np.array(values), **changes)


# ---- lenses ----------------------------------------------------------------------------------


def lens(name: str, grid):
    return replace(recorded(name), grid=grid)


@pytest.mark.parametrize("name", ["logit_lens", "tuned_lens"])
def test_a_lens_tells_the_largest_step_at_a_mask(name):
    result = recorded(name)
    grid = result.grid
    (mask,) = (n for n, token in enumerate(result.tokens) if token.masked)
    column = grid.places.index(mask)
    final = {piece.id: piece.word for piece in grid.pieces}[int(grid.ids[-1, column, 0])]
    curve = grid.kept[:, column, 0]
    row = int(np.argmax(np.abs(curve[1:] - curve[:-1]))) + 1
    effect = headline_of(name)
    assert effect.position == mask
    assert effect.sentence.startswith(
        f"“{final}” at position {mask} gains most in layer {grid.layers[row]}: it rises from "
    )
    assert effect.sentence.endswith(f" to {percent(curve[row])}.")
    # What a token that is no mask predicts moves more, and is not told.
    assert np.abs(np.diff(grid.kept[:, :, 0], axis=0)).max() > abs(curve[row] - curve[row - 1])


def test_a_lens_tells_falls_and_that_no_layer_stands_out():
    grid = recorded("logit_lens").grid
    fallen = grid.kept.copy()
    fallen[:, 3, 0] = (0.1, 0.15, 0.9, 0.4, 0.38)
    fallen[:, 3, 0] = fallen[::-1, 3, 0]
    assert said_of("logit_lens", lens("logit_lens", replace(grid, kept=fallen))) == (
        "“ate” at position 3 changes most in layer 2: it falls from 90 % to 15 %."
    )
    flat = grid.kept.copy()
    flat[:, 3, 0] = (0.1, 0.12, 0.15, 0.16, 0.16)
    assert not said_of("logit_lens", lens("logit_lens", replace(grid, kept=flat)))


def test_without_masks_a_lens_looks_at_words_and_at_no_special_token():
    result = recorded("logit_lens")
    tokens = tuple(replace(one, masked=False) for one in result.tokens)
    steps = np.abs(np.diff(result.grid.kept[:, :, 0], axis=0)).max(axis=0)
    words = [n for n, token in enumerate(tokens) if not token.special]
    best = max(words, key=lambda n: steps[n])
    assert headline_of("logit_lens", replace(result, tokens=tokens)).position == best
    special = tuple(replace(one, special=True) for one in tokens)
    assert not headline_of("logit_lens", replace(result, tokens=special)).sentence


def test_a_lens_that_is_not_trained_says_nothing():
    assert not headline_of("tuned_lens", lens("tuned_lens", None)).sentence


# ---- similarity ------------------------------------------------------------------------------


def test_layer_similarity_tells_the_students_layer_that_is_least_like_its_model():
    result = recorded("layer_similarity")
    assert result.student == "second"
    found = [result.unbiased[taught, own] for own, taught in enumerate(result.taught_by, 1)]
    least, most = int(np.argmin(found)), int(np.argmax(found))
    said = said_of("layer_similarity")
    assert said == (
        f"The student's layer {least} is least like the one it was made from, layer "
        f"{result.taught_by[least] - 1} of the teacher: unbiased CKA {found[least]:.2f}, where "
        f"layer {most} has {found[most]:.2f}."
    )
    same = said_of("layer_similarity", alike(result.unbiased * 0 + 0.97))
    assert same.startswith("Every layer of the student is nearly the one it was made from")
    turned = replace(
        result,
        unbiased=result.unbiased.T,
        first=result.second,
        second=result.first,
        student="first",
    )
    assert said_of("layer_similarity", turned) == said


def test_layer_similarity_of_one_model_tells_where_states_change_most():
    values = recorded("layer_similarity").unbiased
    square = np.eye(5)
    square[1, 2] = square[2, 1] = 0.61
    for n in (0, 2, 3):
        square[n, n + 1] = square[n + 1, n] = 0.9
    one = {"second": None, "other": None, "student": "", "taught_by": ()}
    assert said_of("layer_similarity", alike(square, **one)) == (
        "The states change most in layer 1: its unbiased CKA with layer 0 is 0.61, lower than for "
        "any other neighbours."
    )
    assert not said_of("layer_similarity", alike(np.ones((5, 5)), **one))
    square[2, 3] = square[3, 2] = 0.62
    square[3, 4] = square[4, 3] = 0.7
    assert not said_of("layer_similarity", alike(square, **one)), "another changes them as much"
    assert values.shape == (5, 3)


def test_layer_similarity_of_two_models_tells_which_layers_are_most_alike():
    values = recorded("layer_similarity").unbiased.copy()
    values[3, 1] = 0.99
    free = {"student": "", "taught_by": ()}
    assert said_of("layer_similarity", alike(values, **free)) == (
        "Most alike are layer 2 of the first model and layer 0 of the second: their unbiased CKA "
        "is 0.99."
    )
    assert not said_of("layer_similarity", alike(values / 10, **free))


def test_layer_similarity_makes_no_number_of_a_few_samples():
    few = replace(recorded("layer_similarity"), samples=12)
    assert not said_of("layer_similarity", few)


# ---- probe -----------------------------------------------------------------------------------


def test_a_probe_tells_the_layer_of_the_largest_selectivity():
    scores = recorded("probe").scores
    best = int(np.argmax((scores.accuracy - scores.control).mean(axis=1)))
    control = scores.control[best].mean()
    said = said_of("probe")
    assert said.startswith(
        f"Selectivity is largest at layer {best - 1}: the probe gets 100 % of the"
    )
    assert f"only {percent(control)} of random ones" in said
    at_once = replace(scores, accuracy=scores.accuracy[::-1], control=scores.control[::-1])
    said = said_of("probe", replace(recorded("probe"), scores=at_once, best=0))
    assert said.startswith("Selectivity is largest at ")
    assert ("the embeddings" in said) == (best == 4)


def test_a_probe_tells_how_far_it_falls_on_words_that_it_never_saw():
    result = recorded("probe")
    seen = result.scores.accuracy[result.best]
    fallen = replace(result.withheld, accuracy=result.withheld.accuracy * 0 + 0.31)
    said = said_of("probe", replace(result, withheld=fallen))
    assert seen.mean() - 0.31 > result.scores.selectivity.mean(axis=1).max()
    assert said == (
        f"The probe has memorised the words: at layer {result.best - 1} it gets 100 % right, and "
        "31 % of words that it was never trained on."
    )


def test_a_probe_whose_splits_disagree_tells_that_nothing_stands_out():
    result = recorded("probe")
    noise = np.array([-0.1, 0.05, 0.12, 0.01, 0.08])
    scores = replace(result.scores, control=result.scores.accuracy - noise)
    assert not said_of("probe", replace(result, scores=scores, withheld=None))
    chance = result.scores.majority + noise + np.zeros((5, 1))
    scores = replace(result.scores, accuracy=chance)
    assert not said_of("probe", replace(result, scores=scores, best=0))


def test_a_probe_of_few_words_is_compared_with_the_commonest_label():
    result = recorded("probe")
    said = said_of("probe", replace(result, types=7))
    assert said == (
        f"The probe of layer {result.best - 1} is furthest above always saying the commonest "
        f"label: 100 % right instead of {percent(result.scores.majority.mean())}."
    )


# ---- a word ----------------------------------------------------------------------------------


def journey(*own: float | None):
    result = recorded("word_journey")
    rest = result.own_means[len(own) :]
    return replace(result, own_means=(*own, *rest))


def test_a_words_journey_tells_where_its_occurrences_come_apart():
    result = recorded("word_journey")
    own = np.array(result.own_means[:5], dtype=float)
    most, least = int(own.argmax()), int(own.argmin())
    assert most < least
    assert said_of("word_journey") == (
        f"The occurrences of “soup” drift apart: their mean cosine falls from {own.max():.2f} at "
        f"layer {most - 1} to {own.min():.2f} at layer {least - 1}."
    )
    points_at = headline_of("word_journey", result).points_at
    assert dict(points_at) == {"word_journey.layer": str(least - 1)}
    said = said_of("word_journey", journey(0.2, 0.4, 0.5, 0.7, 0.6))
    assert said.endswith("rises from 0.20 at the embeddings to 0.70 at layer 2.")
    assert not said_of("word_journey", journey(0.9, 0.92, 0.91, 0.9, 0.88))
    assert not said_of("word_journey", replace(result, found=WordMatch.REPEATED)), "nobody chose it"


def test_the_journey_of_a_word_that_stands_once_tells_nothing():
    assert not said_of("word_journey", journey(None, None, None, None, None))


def test_a_neuron_is_laid_beside_the_probe():
    result = recorded("neurons")
    own = result.own
    said = said_of("neurons")
    assert said.startswith(f"Neuron {result.number} finds “{own.label}” with F1 {own.f1:.2f}")
    assert f"a linear probe gets {own.probe:.2f}" in said
    near = replace(own, high=own.probe_low)
    assert "as well as a linear probe" in said_of("neurons", replace(result, own=near))
    idle = replace(own, low=own.always)
    assert not said_of("neurons", replace(result, own=idle)), "no better than always"
    assert not said_of("neurons", replace(result, own=None)), "no labels"


# ---- contexts --------------------------------------------------------------------------------


def test_contexts_tell_the_word_that_is_taken_for_another():
    result = recorded("contexts")
    place = result.nearest[0].places[0]
    own = next(one for one in result.nearest if result.tokens[one.position].text == "soup")

    def mostly(word, count, other="soup"):
        words = [word] * count + [other] * (len(own.places) - count)
        places = tuple(replace(place, word=one) for one in words)
        return replace(result, nearest=(replace(own, places=places),))

    most = len(own.places)
    said = said_of("contexts", mostly("tea", most - 1))
    assert said == f"The places nearest to “soup” are mostly “tea”: {most - 1} of {most}."
    assert headline_of("contexts", mostly("tea", most - 1)).position == own.position
    assert not said_of("contexts", mostly("tea", most // 2))
    assert not said_of("contexts", mostly("Soups", most))  # the word itself, in another form
    assert not said_of("contexts", mostly(".", most))
    assert not said_of("contexts", replace(result, nearest=()))
    shares = {
        one.position: max(Counter(each.word.casefold() for each in one.places).values())
        for one in result.nearest
    }
    first = headline_of("contexts")
    if first.sentence:
        assert shares[first.position] > most / 2

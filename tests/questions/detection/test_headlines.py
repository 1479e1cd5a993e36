"""What each of these pages says first is the largest effect that its result's numbers have."""

from dataclasses import replace

import numpy as np

from explorer.api.question import alone
from explorer.questions.detection.replaced_tokens import question as replaced_tokens
from explorer.text.pieces import readable
from tests.questions.headlines import headline_of, recorded, said_of


def test_replaced_tokens_tell_the_verdict_that_is_furthest_from_the_truth():
    result = recorded("replaced_tokens")
    errors = abs(np.array(result.probability) - np.array(result.truth, float))
    errors[[token.special for token in result.tokens]] = -1.0
    worst = int(errors.argmax())
    assert result.truth[worst]
    effect = headline_of("replaced_tokens")
    assert effect.position == worst
    assert effect.sentence.startswith(
        f"“{alone(result.tokens[worst])}” fools the discriminator most"
    )
    assert f"“{readable(result.original[worst])}”" in effect.sentence


def test_replaced_tokens_tell_a_false_alarm():
    result = recorded("replaced_tokens")
    truth = tuple(False for _token in result.tokens)
    suspected = int(np.argmax(result.probability))
    effect = headline_of("replaced_tokens", replace(result, truth=truth))
    assert effect.position == suspected
    assert "is the worst false alarm" in effect.sentence
    assert f"replaced is put at {100 * result.probability[suspected]:.1f} %." in effect.sentence


def test_replaced_tokens_say_where_no_verdict_is_wrong():
    result = recorded("replaced_tokens")
    right = tuple(0.9 - n / 100 if one else 0.1 for n, one in enumerate(result.truth))
    plainest = int(np.argmax(np.where(result.truth, right, 0.0)))
    effect = headline_of("replaced_tokens", replace(result, probability=right))
    assert effect.position == plainest
    assert effect.sentence.startswith("No verdict is wrong")
    quiet = tuple(0.1 for _token in result.tokens)
    nothing = replace(result, probability=quiet, truth=tuple(False for _token in quiet))
    assert not said_of("replaced_tokens", nothing)


def test_replaced_tokens_follow_the_threshold_of_the_page():
    """The page counted at its threshold, and the sentences beside it at one half."""
    result = recorded("replaced_tokens")
    chances, truth = (np.array(one) for one in result.judged())
    for threshold in (0.05, 0.19, 0.5, 0.97):
        hits, alarms = ((chances > threshold) & (truth == one) for one in (True, False))
        counts = result.counts_at(threshold)
        assert (counts.hits, counts.false_alarms) == (hits.sum(), alarms.sum())
        assert counts.replaced == truth.sum()
        effect = replaced_tokens.QUESTION.headline(result, threshold=threshold)
        wrong = (chances > threshold) != truth
        if wrong.any():
            worst = int(np.argmax(np.where(wrong, abs(chances - truth), -1)))
            inside = [n for n, token in enumerate(result.tokens) if not token.special]
            assert effect.position == inside[worst]


def test_many_draws_tell_where_surely_more_replacements_are_missed_than_elsewhere():
    result = recorded("many_draws")
    assert not said_of("many_draws"), "five draws a place tell nothing"
    times = 12
    many = replace(
        result,
        **{
            name: np.tile(getattr(result, name), times)
            for name in ("place", "truth", "probability", "draw")
            if isinstance(getattr(result, name, None), np.ndarray)
        },
    )
    missed = many.truth & (many.probability <= 0.5)
    by_place = np.bincount(many.place[missed], minlength=len(result.places))
    most = int(by_place.argmax())
    replaced = int((many.truth & (many.place == most)).sum())
    effect = headline_of("many_draws", many)
    assert effect.position == result.places[most].position
    assert f": {by_place[most]} of its {replaced} replacements, " in effect.sentence


def test_many_draws_tell_false_alarms_where_nothing_is_missed():
    result = recorded("many_draws")
    sure = np.where(result.truth, np.float32(0.9), np.float32(0.2))
    assert not said_of("many_draws", replace(result, probability=sure))
    place = int(np.bincount(result.place[~result.truth]).argmax())
    wrong = ~result.truth & (result.place == place)
    sure[wrong] = 0.8
    said = said_of("many_draws", replace(result, probability=sure))
    assert f"“{readable(result.places[place].piece)}” is called replaced in {wrong.sum()}" in said

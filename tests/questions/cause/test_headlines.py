"""What each of these pages says first is the largest effect that its result's numbers have."""

import math
from dataclasses import replace

import numpy as np

from explorer.api.question import Component
from tests.questions.headlines import headline_of, recorded, said_of


def with_scores(scores, **changes):
    result = recorded("attribution")
    (first, *beside) = result.methods
    first = replace(first, scores=np.array(scores), **changes)
    return replace(result, methods=(first, *beside))


def test_attribution_tells_the_highest_score_and_the_lowest():
    result = recorded("attribution")
    scores = result.methods[0].scores
    best, worst = int(scores.argmax()), int(scores.argmin())
    largest = int(abs(scores).argmax())
    effect = headline_of("attribution")
    assert effect.position == result.units[largest][0]
    assert effect.sentence == (
        f"“{result.words[best]}” speaks most for “{result.explained.word}” (+{scores[best]:.2f}), "
        f"and “{result.words[worst]}” most against it (−{-scores[worst]:.2f})."
    )


def test_attribution_says_where_nothing_stands_out():
    within_error = with_scores([0.1, -0.2, 0.3, 0.0], errors=np.full(4, 0.2))
    assert not said_of("attribution", within_error)
    assert not said_of("attribution", with_scores([0.01, -0.02, 0.03, 0.0]))
    said = said_of("attribution", with_scores([1.0, 2.0, 3.0, -0.01]))
    assert said == "Hardly a word speaks against it; “a” speaks for it most, with +3.00."
    said = said_of("attribution", with_scores([-1.0, -2.0, -3.0, 0.01]))
    assert said == "Hardly a word speaks for it; “a” speaks against it most, with −3.00."


def test_attribution_by_attention_has_no_word_against():
    looked = with_scores([0.1, 0.4, 0.3, 0.2], method="attention")
    assert said_of("attribution", looked) == (
        "By Attention, mean, “chef” matters most: 0.40, against a mean of 0.25 over all words."
    )


def test_the_benchmark_says_whether_the_best_is_surely_better():
    result = recorded("attribution_benchmark")
    rights = np.array([way.right for way in result.ways])
    best = result.ways[int(rights.argmax())]
    worst = result.ways[int(rights.argmin())]
    assert best.low < worst.high
    assert not said_of("attribution_benchmark")
    apart = tuple(replace(way, low=way.share, high=way.share) for way in result.ways)
    said = said_of("attribution_benchmark", replace(result, ways=apart))
    assert "do not overlap" in said
    assert f"at {100 * best.share:.1f} % of the places" in said
    assert f"at {100 * worst.share:.1f} %," in said


def test_edits_tell_the_largest_change_of_the_followed_word():
    result = recorded("edits")
    most = result.edits[int(np.argmax([abs(one.change) for one in result.edits]))]
    word = result.words[most.place]
    effect = headline_of("edits")
    before, after = 100 * math.exp(result.log_probability), 100 * math.exp(most.log_probability)
    assert effect.sentence == (
        f"With “{most.put}” in place of “{word.word}”, “{result.word}” falls from "
        f"{before:.0f} % to {after:.1f} %: more than with any other edit."
    )
    assert result.tokens[effect.position].start == word.start
    little = tuple(replace(one, change=one.change / 100) for one in result.edits)
    assert not said_of("edits", replace(result, edits=little))
    assert not headline_of("edits", replace(result, edits=())).sentence


def test_patching_tells_from_which_layer_on_the_difference_has_moved():
    result = recorded("patching")
    (grid,) = result.grids
    tokens = grid.effects[:, :-1]
    early, late = int(tokens[0].argmax()), int(tokens[-1].argmax())
    moved = next(
        row for row in range(len(tokens)) if all(one.argmax() == late for one in tokens[row:])
    )
    effect = headline_of("patching")
    assert effect.position == late
    assert effect.sentence == (
        f"From layer {grid.rows[moved]} on, the difference sits at “{grid.names[late][0]}” "
        f"({100 * tokens[moved, late]:.0f} % there); at first it is at “{grid.names[early][0]}”."
    )


def test_patching_says_where_the_difference_stays_at_its_token():
    result = recorded("patching")
    (grid,) = result.grids
    effects = np.zeros_like(grid.effects)
    effects[:, 2] = np.linspace(1.0, 0.7, len(effects))
    stays = replace(result, grids=(replace(grid, effects=effects),))
    said = said_of("patching", stays)
    assert said.startswith("The difference stays at “chef”")
    assert "less than 70 %" in said


def test_patching_of_other_parts_tells_the_state_that_restores_most():
    result = replace(recorded("patching"), component=Component.FEED_FORWARD.value)
    (grid,) = result.grids
    effects = np.zeros_like(grid.effects)
    effects[2, 4], effects[:, -1] = 0.6, 1.0
    told = replace(result, grids=(replace(grid, effects=effects),))
    effect = headline_of("patching", told)
    assert effect.position == 4
    assert effect.sentence == "In layer 1, the state of “a” restores most: 60 % of the difference."
    assert dict(effect.points_at) == {"patching.state": (0, 2, 4)}
    head = replace(told, component=Component.HEAD.value, direction="noise")
    assert said_of("patching", head).startswith("Head 1 takes away most, at “a”: 60 %")
    small = replace(result, grids=(replace(grid, effects=effects / 10),))
    assert not said_of("patching", small)
    none = replace(result, grids=(replace(grid, effects=np.full_like(effects, np.nan)),))
    assert not headline_of("patching", none).sentence


def test_logit_parts_tell_the_head_or_feed_forward_part_that_adds_most():
    result = recorded("logit_parts")
    opening = [one for one in result.parts if one.by in ("head", "feed_forward")]
    sign = np.sign(result.difference)
    most = max(opening, key=lambda one: one.value * sign)
    effect = headline_of("logit_parts")
    assert effect.position == result.position
    assert dict(effect.points_at) == {"logit_parts.opened": most.name}
    first, second = result.words
    assert f"wrote most of “{first}” against “{second}”" in effect.sentence
    assert f"{most.value:+.2f} of {result.difference:.2f} nats." in effect.sentence
    even = tuple(replace(one, value=result.difference / len(result.parts)) for one in result.parts)
    assert not said_of("logit_parts", replace(result, parts=even))
    assert not headline_of("logit_parts", replace(result, difference=0.01)).sentence
    beside = replace(most, row="9", value=most.value * 0.9)
    assert not said_of("logit_parts", replace(result, parts=(*result.parts, beside)))

"""What each of these pages says first is the largest effect that its result's numbers have."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.questions.generation.prompt.answers.rules import Rule, shares
from explorer.questions.generation.task_layout.question import (
    HeadOutput,
    TargetScore,
    WrittenAnswer,
)
from tests.questions.headlines import headline_of, recorded, said_of

# ---- continue --------------------------------------------------------------------------------


def changed(step: int, **changes):
    """The recorded continuation with another token at a step."""
    result = recorded("continuation")
    tokens = [
        replace(one, **changes) if at == step else one for at, one in enumerate(result.tokens, 1)
    ]
    return replace(result, tokens=tuple(tokens))


def test_a_continuation_tells_where_the_model_is_least_sure():
    tokens = recorded("continuation").tokens
    step = int(np.argmin([one.probability for one in tokens]))
    second = sorted(tokens[step].alternatives, key=lambda one: -one.probability)[1]
    effect = headline_of("continuation")
    assert effect.position is None
    assert effect.sentence == (
        f"The model is least sure in step {step + 1}: “{tokens[step].text.strip()}” has "
        f"{100 * tokens[step].probability:.0f} %, and “{second.word}” would have "
        f"{100 * second.probability:.0f} %."
    )


def test_a_continuation_tells_where_it_leaves_the_likeliest_token():
    first, second, *_rest = recorded("continuation").tokens[0].alternatives
    other = {
        "token": second.token,
        "id": second.id,
        "text": f" {second.word}",
        "probability": second.probability,
        "rank": 2,
    }
    drawn = changed(1, **other)
    assert said_of("continuation", drawn) == (
        f"Step 1 strays furthest from the likeliest token: it takes “{second.word}” (18 %), where "
        f"“{first.word}” has 68 %."
    )
    # What the user chose is no effect of the model's, and what is no text could not be written.
    taken = changed(1, **other, taken=True)
    assert said_of("continuation", taken).startswith("The model is least sure in step 2")
    barred = changed(
        1,
        **other,
        alternatives=(
            replace(first, cut_by="barred"),
            *recorded("continuation").tokens[0].alternatives[1:],
        ),
    )
    assert not said_of("continuation", barred).startswith("Step 1 leaves")


def test_a_continuation_tells_that_the_model_is_sure_or_that_nothing_was_chosen():
    result = recorded("continuation")
    sure = tuple(replace(one, probability=0.99 - n / 100) for n, one in enumerate(result.tokens))
    assert not said_of("continuation", replace(result, tokens=sure))
    taken = tuple(replace(one, taken=True) for one in result.tokens)
    assert not headline_of("continuation", replace(result, tokens=taken)).sentence


def test_a_mask_that_was_drawn_is_turned_to():
    result = changed(2, position=1)
    assert headline_of("continuation", result).position is None
    prompt = tuple(replace(one, masked=n == 1) for n, one in enumerate(result.prompt))
    assert headline_of("continuation", replace(result, prompt=prompt, gibbs=True)).position == 1


# ---- prompt ----------------------------------------------------------------------------------


def curve(*right: float, rows: int):
    """The recorded answer with other accuracies at its numbers of examples, in every order."""
    result = recorded("prompt")
    values = result.curve.right.copy()
    values[0] = np.array(right)[:, None]
    return replace(result, curve=replace(result.curve, right=values), rows=rows)


def test_a_prompt_tells_the_number_of_examples_that_changes_accuracy_most():
    right = (0.2, 0.35, 0.85, 0.7)
    at = int(np.argmax([abs(one - right[0]) for one in right]))
    count = recorded("prompt").curve.counts[at]
    assert said_of("prompt", curve(*right, rows=40)) == (
        f"Accuracy changes most with {count} examples: 85 % right, 20 % with none."
    )
    worse = said_of("prompt", curve(0.85, 0.3, 0.6, 0.5, rows=40))
    assert worse == "Accuracy changes most with 1 example: 30 % right, 85 % with none."


@pytest.mark.parametrize("rows", [4, 6])
def test_a_prompt_makes_no_effect_of_accuracies_of_few_rows(rows):
    assert not said_of("prompt", curve(0.5, 0.5, 1.0, 0.75, rows=rows)).startswith("Accuracy")


def test_a_prompt_tells_that_the_order_of_its_examples_decides():
    result = recorded("prompt")
    by_order = result.by_order.copy()
    best = int(result.by_order[0].argmax())
    other = (best + 1) % len(result.scores)
    by_order[1:, other] = 0.0
    assert said_of("prompt", replace(result, by_order=by_order)) == (
        f"The order of the examples decides: “{result.scores[best].option}” in the one shown, but "
        f"“{result.scores[other].option}” in 2 of 3 orders."
    )


def test_a_prompt_tells_how_clear_its_answer_is():
    result = recorded("prompt")
    logs = np.array([one.log_probability for one in result.scores])
    chances = np.exp(logs) / np.exp(logs).sum()
    second, first = np.argsort(chances)[-2:]
    assert said_of("prompt") == (
        f"“{result.scores[first].option}” is hardly ahead of “{result.scores[second].option}”: "
        f"{100 * chances[first]:.0f} % and {100 * chances[second]:.0f} % of all possible answers' "
        "probability."
    )
    clear = tuple(
        replace(one, log_probability=one.log_probability + (3.0 if at == first else 0.0))
        for at, one in enumerate(result.scores)
    )
    said = said_of("prompt", replace(result, scores=clear))
    assert said.startswith(f"“{result.scores[first].option}” leads clearly: ")
    alone = replace(result, scores=result.scores[:1], by_order=result.by_order[:, :1])
    assert not headline_of("prompt", alone).sentence


def test_a_prompt_of_two_models_tells_what_sets_them_apart():
    result = recorded("prompt")
    share = 100 * shares(result.scores, Rule.SUM).max()
    both = replace(result, second=result)
    answer = result.answer.option
    assert said_of("prompt", both) == (
        f"Both models answer “{answer}”: in the first it has {share:.0f} % of all possible "
        f"answers' probability, in the second {share:.0f} %."
    )
    other = replace(result, scores=tuple(one for one in result.scores if one.option != answer))
    said = said_of("prompt", replace(result, second=other))
    assert said.startswith(f"The models differ: the first answers “{answer}” ({share:.0f} % of all")
    assert f"“{other.answer.option}”" in said


# ---- task layout -----------------------------------------------------------------------------


def answered(*, judged=None, written=None):
    return replace(recorded("task_layout"), judged=judged, written=written)


def classes(*probabilities: float):
    labels = tuple("abcdef"[: len(probabilities)])
    return HeadOutput(labels, probabilities, probabilities)


def test_a_layout_whose_decoder_wrote_tells_the_piece_it_is_least_sure_of():
    written = recorded("task_layout").written
    least = written.pieces[int(np.argmin([one.probability for one in written.pieces]))]
    assert said_of("task_layout") == (
        f"The model is least sure of “{least.text}”: it has {100 * least.probability:.0f} % "
        "after all pieces before it."
    )
    sure = tuple(replace(one, probability=0.97) for one in written.pieces)
    assert not said_of("task_layout", answered(written=replace(written, pieces=sure)))


def test_a_layout_tells_how_clear_the_classes_are():
    assert said_of("task_layout", answered(judged=classes(0.2, 0.7, 0.1))) == (
        "“b” (70 %) leads clearly: the next, “a”, has only 20 %."
    )
    assert said_of("task_layout", answered(judged=classes(0.44, 0.5, 0.06))) == (
        "The model hesitates between “b” (50 %) and “a” (44 %)."
    )


def test_a_layout_tells_whether_one_of_the_tasks_answers_was_written():
    targets = (TargetScore("yes", float(np.log(0.06))), TargetScore("no", float(np.log(0.02))))
    targets = (*targets, TargetScore("unspelt", None))
    pieces = recorded("task_layout").written.pieces
    other = WrittenAnswer("maybe", pieces, True, targets)
    assert said_of("task_layout", answered(written=other)) == (
        "What the decoder wrote is none of the task's answers: of these “yes” is likeliest, with "
        "6.0 %."
    )
    # Of the answers none stands out, and what was written is told by its least sure piece.
    one = replace(other, text="yes")
    assert said_of("task_layout", answered(written=one)) == said_of("task_layout")


def test_without_an_answer_nothing_is_told_of_layouts_which_every_text_has_alike():
    assert not said_of("task_layout", answered())
    assert not said_of("task_layout", answered(judged=HeadOutput(("score",), (3.2,), ())))

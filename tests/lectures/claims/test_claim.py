"""Claims: what can be said in them, what is refused, what is told of their sides."""

import math

import pytest

from explorer.api.question import UserMistake
from explorer.lectures.claims.cells import LazyCells, names_of
from explorer.lectures.claims.claim import ClaimSide, judge

NAMES = {
    "masks": (
        {"rank": 3, "word": "fun", "ids": (1, 2), "probability": 0.25, "entropy": None},
        {"rank": 1, "word": "sad", "ids": [], "probability": 0.5, "entropy": 1.0},
    ),
    "by_layer": {0: 0.5, "last one": 2.0},
    "text": "some words",
    "flag": True,
}


@pytest.mark.parametrize(
    "claim",
    [
        "masks[0].rank == 3",
        "masks[0]['rank'] > masks[-1]['rank']",
        "1 < masks[0].rank <= 3 != 4",
        "masks[0].word in ['fun', 'boring'] and not masks[1].word == 'fun'",
        "masks[0].ids == [1, 2] and masks[0].ids != [1, 3]",
        "masks[0].entropy is None or masks[0].entropy > 1",
        "masks[0].entropy is not None or flag",
        "flag and flag",
        "by_layer[0] < by_layer['last one']",
        "by_layer['0'] == 0.5",
        "len(masks) == 2 and len(text) == 10 and 'word' in text and 'x' not in text",
        "[one.rank for one in masks] == [3, 1]",
        "[one.rank for one in masks if one.rank > 1] == [3]",
        "all(0 < one.probability < 1 for one in masks)",
        "any([one.word == 'sad' for one in masks])",
        "sum(one.probability for one in masks) == 0.75",
        "sum([one.word == 'fun' for one in masks]) == 1",
        "mean([1, 2, 6]) == 3 and abs(-2) == 2 and round(2.347, 1) == 2.3",
        "max(1, 2) == 2 and min([3, 1]) == 1 and sorted([3, 1]) == [1, 3]",
        "argmax([1, 5, 5]) == 1",
        "[1, 2, 3][1:] == [2, 3] and [1, 2, 3][::-1][0] == 3 and text[:4] == 'some'",
        "[a + b for a, b in zip([1, 2], [10, 20])] == [11, 22]",
        "[n for n in range(3)] + [3] == [0, 1, 2, 3]",
        "2 + 3 * 4 - 1 == 13 and 7 // 2 == 3 and 7 % 2 == 1 and 1 / 4 == 0.25 and 2 ** 3 == 8",
        "abs(entropy([0, 0], 1) - log(2)) < 1e-12",
        "abs(softmax([0, log(3)])[1] - 0.75) < 1e-12",
        "entropy([0, 4], 2) > entropy([0, 4])",
        "exp(0) == 1",
        "  'a' + 'b' == 'ab'  ",
    ],
)
def test_what_holds(claim):
    assert judge(claim, NAMES).holds is True
    assert judge(f"not ({claim})", NAMES).holds is False


@pytest.mark.parametrize(
    ("claim", "problem"),
    [
        ("masks[0].rang == 3", "there is no rang in masks[0]; there are entropy, ids, probability, rank, word"),  # noqa: E501
        ("mask == 3", "there is no mask; there are by_layer, flag, masks, text"),
        ("[o.x for one in masks] == 1", "there is no o; there are by_layer, flag, masks, one, text"),  # noqa: E501
        ("before.masks == 3", "there is no before; there are by_layer, flag, masks, text"),
        ("masks[7].rank == 3", "there is no [7] in masks, which has 2"),
        ("text.upper() == 'x'", "there is no function text.upper; there are abs, all, any, argmax, entropy, exp, len, log, max, mean, min, range, round, softmax, sorted, sum, zip"),  # noqa: E501
        ("text.upper == 'x'", "there is no upper in text, which has no fields"),
        ("masks[0].rank", "it is neither true nor false, but 3"),
        ("", "it is no expression (invalid syntax)"),
        ("1 <", "it is no expression (invalid syntax)"),
        ("x = 1", None),
        ("masks < 3", "masks < 3 has no value ('<' not supported between instances of 'list' and 'int')"),  # noqa: E501
        ("1 / 0 > 1", "1 / 0 has no value (division by zero)"),
        ("max([]) > 1", None),
        ("mean([]) > 1", "mean([]) has no value (division by zero)"),
        ("'a' * 10 ** 9 == 1", "'a' * 10 ** 9 does not reckon with numbers"),
        ("'%99999999d' % 1 == 1", "'%99999999d' % 1 does not reckon with numbers"),
        ("9 ** 9 ** 9 ** 9 > 1", None),
        ("1 << 10 > 1", "1 << 10 is more than a claim may say"),
        ("(lambda: 1)() == 1", None),
        ("__import__('os').system('true') == 0", None),
        ("().__class__ == 1", "there is no __class__ in (), which has no fields"),
        ("f'{text}' == ''", "f'{text}' is more than a claim may say"),
        ("(flag := True) == True", "(flag := True) is more than a claim may say"),
        ("{'a': 1} == 1", "{'a': 1} is more than a claim may say"),
        ("b'x' == 1", "b'x' is more than a claim may say"),
        ("len(range(10 ** 9)) > 1", None),
        ("len(range(1000000000)) > 1", "a range has at most 100,000 numbers"),
        ("[a for a in masks for b in masks] == 1", "[a for a in masks for b in masks] has more than one loop"),  # noqa: E501
        ("sorted([1], reverse=True) == 1", "sorted([1], reverse=True) is more than a claim may say"),  # noqa: E501
        ("-" * 1900 + "1 < 0", "it is nested too deeply"),
        ("1 == 1" + " " * 3000, "it is longer than 2,000 characters"),
        ("all(sum(a * b for a in range(9999)) >= 0 for b in range(9999))", "it takes too long"),
        ("len(1) == 1", "len(1) has no value (object of type 'int' has no len())"),
    ],
)  # fmt: skip
def test_what_is_refused_is_said_in_a_sentence(claim, problem):
    with pytest.raises(UserMistake) as found:
        judge(claim, NAMES)
    assert found.value.hint
    if problem is not None:
        assert found.value.message == f"The claim {claim} can't be judged: {problem}."


def test_both_sides_are_told():
    judged = judge("masks[0].rank < 3 * masks[1].rank and text == 'x' and 2 > 1", NAMES)
    assert not judged.holds
    assert judged.sides == (
        ClaimSide("masks[0].rank", "3"),
        ClaimSide("3 * masks[1].rank", "3"),
        ClaimSide("text", "'some words'"),
    )
    assert judge("not (0.1 < masks[0].probability)", NAMES).sides == (
        ClaimSide("masks[0].probability", "0.25"),
    )
    long = judge("masks == 1", NAMES).sides[0].value
    assert len(long) <= 80
    assert long.endswith(" ...")


def test_a_side_without_a_value_is_left_out():
    judged = judge("len(masks) > 5 and masks[5].rank > 1", NAMES)
    assert judged.sides == (ClaimSide("len(masks)", "2"),)


def test_not_a_number_fails():
    assert not judge("x > 1", {"x": math.nan}).holds


def test_steps_before_are_named():
    steps = [LazyCells({"n": n}, {}) for n in range(3)]
    names = names_of(steps[2], steps[:2])
    assert judge("n == 2 and before.n == 1 and steps[0].n == 0 and steps[2].n == n", names).holds
    with pytest.raises(UserMistake, match=r"there is no before; there are answer, n, steps\."):
        judge("before.n == 1", names_of(steps[0], []))


def test_a_field_that_is_called_as_a_name_of_claims_is_one_of_the_answer():
    before = LazyCells({"steps": ["norm"], "answer": 2}, {})
    own = LazyCells({"steps": ["norm", "sum"], "answer": 3, "before": 0.5}, {})
    names = names_of(own, [before])
    assert judge("answer.steps[1] == 'sum' and len(answer.steps) == 2", names).holds
    assert judge("answer.answer == 3 and answer.before == 0.5", names).holds
    assert judge("len(steps) == 2 and before.steps == ['norm'] and before.answer == 2", names).holds
    assert not judge("before.steps == answer.steps", names).holds


def test_what_is_made_is_made_when_it_is_named():
    made = []
    cells = LazyCells(
        {"n": 1, "own": 2}, {"table": lambda: made.append(1) or [3], "own": lambda: 4}
    )
    names = names_of(cells, [])
    assert judge("n == 1", names).holds
    assert made == []
    assert judge("table[0] == 3 and own == 2", names).holds
    assert judge("table == [3]", names_of(cells, [cells])).holds
    assert made == [1]

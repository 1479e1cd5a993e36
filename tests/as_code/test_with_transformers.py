"""Programs without `explorer` come to the numbers of the answer, to a millionth."""

import contextlib
import io
from dataclasses import replace

import numpy as np
import pytest

from explorer.as_code.asked import AskedRun
from explorer.as_code.with_transformers import WRITERS, with_transformers
from tests.scripting.conftest import door

__all__ = ["door"]

CHEF = "the chef cooked the [MASK] in the kitchen ."
PLAIN = "the chef cooked a trowel in the kitchen ."
MASKED = [
    *("albert", "bert", "distilbert", "electra", "ernie", "ib-bert", "mobilebert", "roberta"),
    *("spanbert", "tinybert"),
]


def model(name):
    return f"{name}-miniature{'-generator' * (name == 'electra')}"


def worst(found, expected):
    """The largest difference, as numpy's `allclose` takes it: of one, and of the number itself.

    Two passes in float32 differ by a millionth of a probability near 1 on some processors.
    """
    found, expected = np.asarray(found), np.asarray(expected)
    return float((np.abs(found - expected) / (1 + np.abs(expected))).max())


def of_masks(result, names):
    rows = dict(zip(names["masked"], np.asarray(names["probabilities"]), strict=True))
    return max(
        abs(rows[mask.position][one.id] - one.probability)
        for mask in result.masks
        for one in mask.predictions
    )


def of_tokens(result, names):
    found = np.exp(-np.asarray(names["surprisal"]))
    return worst(found, [np.exp(one.log_probability) for one in result.surprises])


def of_targets(result, names):
    (mask,) = result.masks
    pairs = (("raw", mask.teacher), ("raw_of_student", mask.student))
    found = [np.asarray(names[name][0].softmax(-1)) for name, _ in pairs]
    shares = [np.exp(one - one.max()) / np.exp(one - one.max()).sum() for _, one in pairs]
    both = zip(found, shares, strict=True)
    # The pieces of the vocabulary that the answer leaves out are never predicted.
    return max(worst(np.sort(one)[::-1][:50], np.sort(other)[::-1][:50]) for one, other in both)


def of_replaced(result, names):
    return worst(names["probabilities"], result.probability)


def of_heads(result, names):
    return worst(np.asarray(names["weights"])[1, 2], result.weights[0])


def of_layers(result, names):
    grid, found = result.grid, np.asarray(names["probabilities"])[:, result.grid.places]
    return worst(np.take_along_axis(found, grid.ids.astype(np.int64), -1), grid.probabilities)


def of_classes(result, names):
    return worst(names["probabilities"], result.judgements[0].probabilities)


def of_spans(result, names):
    (window,) = result.windows
    chances = (("starts", window.start_chances()), ("ends", window.end_chances()[0]))
    return max(worst(names[name], one) for name, one in chances)


TRIED = [
    *(("masked_tokens", CHEF, {"model": model(one)}, of_masks) for one in MASKED),
    ("masked_tokens", PLAIN, {"model": "bert-miniature", "masks": ["chef", "trowel"]}, of_masks),
    ("masked_tokens", CHEF, {"model": "albert-miniature", "pair": "he ate ."}, of_masks),
    ("masked_tokens", PLAIN, {"model": model("xlm"), "masks": ["chef", "trowel"]}, of_masks),
    ("surprisal", PLAIN, {"model": model("xlm"), "method": "original"}, of_tokens),
    *(
        ("surprisal", PLAIN, {"model": "bert-miniature", "method": one}, of_tokens)
        for one in ("original", "word-left-to-right", "whole-word")
    ),
    *(
        ("surprisal", PLAIN, {"model": model(one)}, of_tokens)
        for one in ("gpt1", "gpt2", "roberta")
    ),
    *(
        ("soft_targets", CHEF, {"teacher": "bert-miniature", "student": model(one)}, of_targets)
        for one in ("distilbert", "tinybert")
    ),
    (
        "replaced_tokens",
        PLAIN,
        {"replacements": [{"start": 9, "end": 15, "word": "ate"}]},
        of_replaced,
    ),
    *(
        ("attention", CHEF, {"model": model(one), "heads": ["1.2"]}, of_heads)
        for one in ("bert", "distilbert", "deberta-v1", "deberta-v2", "deberta-v3", "xlm")
    ),
    *(
        ("attention", PLAIN, {"model": model(one), "heads": ["1.2"]}, of_heads)
        for one in ("gpt2", "t5")
    ),
    *(
        ("logit_lens", CHEF, {"model": model(one)}, of_layers)
        for one in ("albert", "bert", "distilbert", "mobilebert", "roberta", "xlm")
    ),
    *(
        ("sentence_pair", PLAIN, {"model": model(one), "pair": "he ate it ."}, of_classes)
        for one in ("albert", "bert", "mobilebert")
    ),
    *(
        ("answer_span", PLAIN, {"model": f"{one}-answers-miniature", **question}, of_spans)
        for one in ("albert", "bert", "distilbert", "electra")
        for question in ({"question": "who cooked ?"},)
    ),
]


def test_each_of_the_eight_is_tried():
    assert {name for name, *_ in TRIED} == set(WRITERS)
    assert len(WRITERS) == 8


@pytest.mark.parametrize(
    ("name", "text", "options", "compared"),
    TRIED,
    ids=[f"{name}-{options.get('model', n)}" for n, (name, _, options, _) in enumerate(TRIED)],
)
@pytest.mark.filterwarnings("ignore")
def test_its_numbers_are_those_of_the_answer(door, name, text, options, compared):
    answer = door.ask(name, text, **options, logged=False)
    program = with_transformers(AskedRun.of(answer._answered.run))
    assert "explorer." not in program.replace("from explorer", "").split("folder = ")[0]
    names = {}
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(program, names)
    assert said.getvalue().strip()
    assert compared(answer.result, names) <= 1e-6
    assert "«" not in program
    assert "\n# " in program


OF_16_BIT = [
    ("masked_tokens", {"masks": "chef"}, of_masks),
    ("attention", {"heads": ["1.2"]}, of_heads),
    ("surprisal", {}, of_tokens),
]


@pytest.mark.parametrize(("name", "options", "compared"), OF_16_BIT)
@pytest.mark.filterwarnings("ignore")
def test_numbers_of_16_bit_are_asked_for(door, name, options, compared):
    bert = door.open("bert-miniature", dtype="bfloat16")
    answer = door.ask(name, PLAIN, model=bert, **options, logged=False)
    program = with_transformers(AskedRun.of(answer._answered.run))
    assert "dtype=torch.bfloat16" in program
    names = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(program, names)
    assert compared(answer.result, names) <= 1e-6


def test_another_device_is_gone_to(door):
    answer = door.ask("masked_tokens", CHEF, model="bert-miniature", logged=False)
    asked = AskedRun.of(answer._answered.run)
    there = {role: replace(one, device="cuda:1") for role, one in asked.models.items()}
    program = with_transformers(replace(asked, models=there))
    compile(program, "program", "exec")
    assert program.count('.to("cuda:1")') == 2
    assert ".logits[0, masked].cpu()" in program


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("masked_tokens", {"model": "t5-miniature"}),
        ("masked_tokens", {"model": "xlm-miniature", "pair": "he ate ."}),
        ("masked_tokens", {"model": "xlm-miniature", "languages": "ko"}),
        ("attention", {"model": "t5-miniature"}),
        ("masked_tokens", {"model": "deberta-v2-miniature"}),
        ("joint_decoding", {"model": "bert-miniature"}),
        ("soft_targets", {"teacher": "xlm-miniature", "student": "xlm-miniature"}),
    ],
)
def test_where_there_is_none_it_writes_none(door, name, options):
    answer = door.ask(name, CHEF, **options, logged=False)
    assert with_transformers(AskedRun.of(answer._answered.run)) == ""

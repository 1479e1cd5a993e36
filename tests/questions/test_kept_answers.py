"""What is kept of one question answers no other one.

Whatever a question keeps between two answers (measured heads, counted texts, readings of the small
world), a request that differs in one field is answered as by a program that was started for it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from enum import Enum
from multiprocessing.pool import Pool
from typing import Any

import pytest

from explorer.api import Context, ExplorerError, LoadOptions, Mention
from explorer.document import Mask
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.runner import Runner
from explorer.questions import all_operations, operation_of
from explorer.serialise import to_builtins
from tests.hf import tiny
from tests.questions.one_of_each import MODELS, difference
from tests.warm_engine import warm_forks

READS_ENTITIES = "ernie-thu-miniature"
OTHERS = {
    "disentangled_attention": "deberta-v1-miniature",
    "sentence_pair": "bert-miniature",
    "token_labels": "bert-labels-miniature",
}
"""Who is asked what the model that reads entities can't answer."""
BAKER, BUILDER = ((Mention(0, 4, entity),) for entity in ("Q10", "Q40"))
TEXT = "Anna used a [MASK]. She cooked the meal."
BASE = {"text": TEXT, "entities": BAKER}
OWN: dict[str, dict[str, Any]] = {
    "attribution": {"steps": 4, "samples": 2},
    "candidate_words": {"words": ("tray", "hammer")},
    "exact_answers": {"text": "Anna drank [MASK] at home."},
    "head_ablation": {"every": True},
    "prompt": {"examples": 1, "asked": 2, "options": ("tray", "hammer")},
    "sentence_pair": {"pair": "Tom slept."},
    "surprisal": {"text": "Anna used a tray."},
    "word_journey": {"word": "used"},
}
"""What a question needs besides a text with entities."""
OTHERWISE = {
    "entities": BUILDER,
    "masks": (Mask(14, 17),),
    "pair": "Tom slept.",
    "text": "Anna used a [MASK]. Tom slept.",
    "word": "meal",
    "words": ("tray", "knife"),
}
"""Another value of what can't be made from the value of before."""
TAKES_LONG = {"tuned_lens": {"train"}}
"""Fields that ask for minutes of work."""
ASKED = sorted(
    name
    for name, one in all_operations().items()
    if "entities" in {field.name for field in fields(one.request)} and name != "file_of_sentences"
)


def test_every_question_that_keeps_what_it_measured_is_asked():
    assert {"attention", "exact_answers", "head_ablation"} <= set(ASKED)


def requests_of(name: str) -> dict[str, Any]:
    """A request, and those that differ from it in the field that they are named by."""
    operation = all_operations()[name]
    takes = [field.name for field in fields(operation.request)]
    given = {**BASE, **OWN.get(name, {})}
    base = operation.request(**{one: given[one] for one in takes if one in given})
    if operation.quick is not None:
        base = operation.quick(base)
    found = {"": base}
    # How many words are told of comes last: it is left out of what is kept rightly, so that what
    # it was asked with would hide what is left out wrongly.
    for one in sorted(takes, key="top_k".__eq__):
        other = _another(one, getattr(base, one))
        if one not in TAKES_LONG.get(name, ()) and other not in (None, getattr(base, one)):
            found[one] = replace(base, **{one: other})
    return found


def _another(field: str, value: Any) -> Any:
    if field in OTHERWISE:
        return OTHERWISE[field]
    if isinstance(value, Enum):
        every = list(type(value))
        return every[(every.index(value) + 1) % len(every)]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return value / 2
    return None


def a_runner(name: str) -> Runner:
    """With the model that is asked a question; nothing was asked of it."""
    host = tiny.families()
    runner = Runner(host, Catalogue(host, MODELS, MODELS))
    folder = MODELS / OTHERS.get(name, READS_ENTITIES)
    runner.load("A", str(folder), LoadOptions(device="cpu"), Context())
    return runner


def answers(runner: Runner, requests: Sequence[Any]) -> list[Any]:
    """Of one after the other; why there is none, where one can't be answered."""
    found: list[Any] = []
    for request in requests:
        roles = operation_of(request).roles_of(request)
        try:
            found.append(to_builtins(runner.ask(request, dict.fromkeys(roles, "A"), Context())))
        except ExplorerError as error:
            found.append(error.said)
    return found


def _first_the_others(name: str) -> dict[str, Any]:
    """The answers of a program that is asked the first request last."""
    asked = requests_of(name)
    asked[""] = asked.pop("")
    return dict(zip(asked, answers(a_runner(name), list(asked.values())), strict=True))


@pytest.fixture(scope="module")
def another_program() -> Iterator[Pool]:
    """A process in which nothing was asked."""
    with warm_forks().Pool(1) as pool:
        yield pool


@pytest.mark.parametrize("name", ASKED)
def test_what_differs_in_one_field_is_answered_for_itself(name, another_program):
    asked = requests_of(name)
    under_way = another_program.apply_async(_first_the_others, (name,))
    ours = dict(zip(asked, answers(a_runner(name), list(asked.values())), strict=True))
    theirs = under_way.get(120)
    assert not isinstance(ours[""], str), "it is answered"
    differing = {field: difference(ours[field], theirs[field]) for field in asked}
    assert {field: where for field, where in differing.items() if where} == {}

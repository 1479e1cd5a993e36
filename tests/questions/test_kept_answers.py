"""A request that differs in one field is not answered from what was kept.

Every question is asked as it is, and then with another value of each of its fields, by one program
with the same loaded models. Each answer is compared with that of a program that keeps nothing yet.
All that is kept goes through `explorer.hf.kept` (tests/test_one_cache.py holds that), so that a
program that is told to forget it stands for one that was just started, in a tenth of the time.

Where an answer takes long it is asked for less of it: fewer texts, steps or samples.
"""

from collections.abc import Callable
from dataclasses import fields, replace
from enum import Enum
from functools import cache, lru_cache
from typing import Any

import pytest

from explorer.api.family import LoadOptions
from explorer.api.question import Context, ExplorerError, HeadPlace, Mention
from explorer.document import Mask
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.runner import Runner
from explorer.hf.kept import forget
from explorer.questions import all_questions, question_of
from explorer.questions.attention.disentangled_attention.question import Off
from explorer.questions.detection.replaced_tokens.question import Replacement
from explorer.questions.tokenizers.train_tokenizer.options import Algorithm
from explorer.serialise import to_builtins
from tests.commands.ask_cases import CASES
from tests.hf import tiny
from tests.questions.agreement import disagreeing, redrawn
from tests.questions.one_of_each import MODELS, difference

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
    "layer_similarity": {"most": 200},
    "logit_parts": {"text": "Anna used a [MASK].", "words": ("tray", "hammer")},
    "patching": {
        "text": "Anna used a [MASK].",
        "words": ("tray", "hammer"),
        "swap": ("Anna > Tom",),
    },
    "prompt": {"examples": 1, "asked": 2, "options": ("tray", "hammer")},
    "sentence_pair": {"pair": "Tom slept."},
    "surprisal": {"text": "Anna used a tray."},
    "word_journey": {"word": "used"},
}
"""What a question that reads entities needs besides a text with some."""
LESS: dict[str, dict[str, Any]] = {
    "attribution_benchmark": {"places": 3, "steps": 2, "samples": 2},
    "neurons": {"texts": 30},
    "probe": {"texts": 30},
}
"""Of what others are asked as `ask` is: what takes long, of less."""
OTHERWISE: dict[str, Any] = {
    "against": "hammer",
    "answer": "the meal",
    "at": (1,),
    "baseline_text": "Tom used a hammer.",
    "cell": (0, 1, 2),
    "component": "mlp",
    "cut_edges": ("dig > trowel",),
    "cut_paths": ("dig > trowel",),
    "description": "What is used?",
    "direction": "noise",
    "english": "the meal",
    "entities": BUILDER,
    "expected": "hammer",
    "heads": (HeadPlace("encoder", 1, 2),),
    "kind": "encoder",
    "label": "number",
    "masks": (Mask(0, 4),),
    "order": (0,),
    "pair": "Tom slept.",
    "part": "bert.embeddings",
    "position": 3,
    "projection": "tsne",
    "question": "what did Anna drink ?",
    "special": "hidden",
    "taken": ("Ġthe",),
    "temperatures": (1.0, 3.0),
    "template": "{question}: {answer}",
    "text": "Anna used a [MASK]. Tom slept.",
    "unit": "sentences",
    "swap": ("Anna > Emma",),
    "view": "model",
    "what": "masks",
    "word": "meal",
    "words": ("tray", "knife"),
    "architecture.checkpoint": "distilbert-miniature",
    "architecture.sizes": (("num_hidden_layers", 1),),
    "architecture.what_if": (("num_hidden_layers", 1),),
    "attention.heads": ("1.2",),
    "attribution.beside": "rollout",
    "attribution.method": "occlusion",
    "attribution_benchmark.methods": ("occlusion",),
    "compare_architectures.first": "electra-miniature-generator",
    "compare_architectures.second": "electra-miniature-generator",
    "disentangled_attention.off": (Off("c2p", 1),),
    "edits.rule": "every_rule",
    "entities.other": "Q20",
    "experiments.claim": "next_sentence",
    "graph_question.choices": ("trowel", "spade"),
    "graph_question.text": "With what did he dig ?",
    "logit_parts.opened": "head 0.0",
    "masking_policy.text": "Tom used a tray. She cooked the meal.",
    "merge_steps.tokenizer": "gpt2-miniature",
    "probe.pieces": "first",
    "prompt.free": "none",
    "prompt.neutral": "None:",
    "prompt.options": ("tray", "knife"),
    "prompt.text": "builder",
    "replaced_tokens.replacements": (Replacement(9, 15, "saw"),),
    "sentence_pair.pair": "Tom used it.",
    "side_by_side.tokenizers": ("gpt2-miniature", "t5-miniature"),
    "surprisal.text": "Anna used a pan.",
    "task_layout.asks": "effect",
    "task_layout.choices": "a | c",
    "task_layout.task": "rte",
    "training_curves.sources": ("bert-miniature", "electra-miniature-generator"),
    "train_tokenizer.algorithms": (Algorithm.BYTES,),
    "vocabulary.against": "bert-miniature",
    "vocabulary.piece": "meal",
    "vocabulary.search": "^ch",
    "vocabulary.tokenizer": "bert-miniature",
}
"""Another value of what can't be made from the value of before, for all questions or for one."""
FILES = {"path", "sentences"}
"""Fields that name a file of sentences."""
NOT_VARIED = {
    "attribution_benchmark.method": "is a file of the reader's, which has tests of its own",
    "forward_pass.stack": "is of a model with an encoder and a decoder",
    "contexts.build": "only looks whether there is an index, which has tests of its own",
    "learnt_rules.world": "to draw places of a larger world takes ten seconds",
    "tuned_lens.train": "training takes minutes",
    "tuned_lens.sentences": "is read by training alone",
    "minimal_pairs.further": "loads other models, which has tests of its own",
    "neurons.path": "is read of texts of a file alone, which have tests of their own",
    "neurons.column": "is read of the labels of a file",
    "probe.path": 'is read of the label "file" alone, which has tests of its own',
    "probe.column": "is read of that file",
    **dict.fromkeys(
        (f"experiments.{name}" for name in ("form", "train", "act", "moment")),
        "is of runs made here, of which there are none: tests of their own have some",
    ),
    "head_ablation.languages": "is for a model that is told its texts' languages",
    "masked_tokens.languages": "is for a model that is told its texts' languages",
}
"""Fields that have one value here, and why."""
ASKED = sorted(
    set(all_questions()) - {"file_of_sentences", "over_steps", "train", "distil", "tune"}
)
"""The first two ask another question, the others look at what is in a folder and keep nothing: all
have tests of their own."""


@pytest.fixture(scope="module")
def sentences(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a file."""
    path = tmp_path_factory.mktemp("files") / "sentences.txt"
    path.write_text("Anna used a tray.\nThe chef cooked the meal.\nTom slept.\n" * 20)
    return str(path)


def base_of(name: str) -> Any:
    """A request."""
    question = all_questions()[name]
    takes = [field.name for field in fields(question.request)]
    if "entities" not in takes:
        return replace(CASES[name][1], **LESS.get(name, {}))
    given = {**BASE, **OWN.get(name, {})}
    request = question.request(**{one: given[one] for one in takes if one in given})
    return request if question.cheap_variant is None else question.cheap_variant(request)


def varied(name: str, sentences: str) -> dict[str, Any]:
    """Requests that differ from it in the field that they are named by."""
    base = base_of(name)
    found = {}
    for field in fields(base):
        if f"{name}.{field.name}" in NOT_VARIED:
            continue
        value = getattr(base, field.name)
        other = sentences if field.name in FILES else _another(f"{name}.{field.name}", value)
        assert other != value, f"{name}.{field.name} needs another value than {value!r}"
        found[field.name] = replace(base, **{field.name: other})
    # How many words are told of comes last: it is left out of what is kept rightly, so that what
    # it was asked with would hide what is left out wrongly.
    return dict(sorted(found.items(), key=lambda one: one[0] == "top_k"))


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
    return OTHERWISE.get(field.partition(".")[2], value)


def models_of(name: str) -> dict[str, str]:
    """Who is asked, by role."""
    request = base_of(name)
    if "entities" not in {field.name for field in fields(request)}:
        return CASES[name][2]
    roles = question_of(request).roles_of(request)
    return dict.fromkeys(roles, OTHERS.get(name, READS_ENTITIES))


@cache
def a_runner(models: tuple[str, ...]) -> Runner:
    """With these models in its slots."""
    host = tiny.families()
    runner = Runner(host, Catalogue(host, MODELS, MODELS))
    for slot, model in zip("AB", models, strict=False):
        runner.load(slot, str(MODELS / model), LoadOptions(device="cpu"), Context())
    return runner


def asking(name: str) -> Callable[[Any], Any]:
    """What answers a request; the fault where there is no answer."""
    models = models_of(name)
    slots = dict(zip(dict.fromkeys(models.values()), "AB", strict=False))
    runner = a_runner(tuple(slots))
    playing = {role: slots[model] for role, model in models.items()}

    def answer(request: Any) -> Any:
        roles = question_of(request).roles_of(request)
        cast = {role: playing[role] for role in roles if role in playing}
        try:
            return runner.ask(request, cast, Context())
        except ExplorerError as error:
            return error

    return answer


@lru_cache(1)
def answered(name: str, sentences: str) -> dict[str, tuple[Any, Any]]:
    """Requests that differ in the field that they are named by, and what one program answered."""
    asked, answer = {"": base_of(name), **varied(name, sentences)}, asking(name)
    forget()
    return {field: (request, answer(request)) for field, request in asked.items()}


def plain(answer: Any) -> Any:
    """An answer as dicts, lists, texts and numbers; why there is none."""
    return answer.said if isinstance(answer, ExplorerError) else to_builtins(answer)


@pytest.mark.parametrize("name", ASKED, scope="module")
def test_what_differs_in_one_field_is_answered_for_itself(name, sentences):
    asked, answer = answered(name, sentences), asking(name)
    assert not isinstance(asked[""][1], ExplorerError), asked[""][1]
    differing = {}
    for field, (request, kept) in asked.items():
        forget()
        differing[field] = difference(plain(kept), plain(answer(request)))
    assert {field: where for field, where in differing.items() if where} == {}


@pytest.mark.parametrize("name", ASKED, scope="module")
def test_sentence_summary_and_log_agree_with_the_table_under_every_option(name, sentences):
    """Asked anew with another value of each option, and redrawn with several of each that does.

    One answer is redrawn with all of them, each other one with another of them.
    """
    question = all_questions()[name]
    every = redrawn(question)
    wrong = {}
    for number, (field, (request, result)) in enumerate(answered(name, sentences).items()):
        if isinstance(result, ExplorerError):
            continue
        redraws = every if field == "" else every[number % len(every) :][:1] if every else []
        for key, value in [("", None), *redraws]:
            found = disagreeing(question, request, result, key, value)
            if found:
                wrong[f"{field} {key} {value}"] = found
    assert wrong == {}

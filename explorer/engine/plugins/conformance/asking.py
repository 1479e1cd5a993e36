"""What can be checked of a loaded model: its answers, their limits, and how it is stopped."""

import dataclasses
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from explorer.api.family import (
    Cancelled,
    Context,
    ExplorerError,
    LoadedModel,
    Role,
    Token,
    UserMistake,
    Weights,
)
from explorer.api.question import MODEL, Blame
from explorer.api.question.options.asks import MOST_PREDICTIONS
from explorer.api.question.roles import RoleBinding
from explorer.engine.plugins.conformance.answer import TriedAnswer
from explorer.engine.plugins.conformance.fault import place_said, raised
from explorer.engine.plugins.conformance.finding import (
    Finding,
    failed,
    not_tried,
    passed,
    skipped,
)
from explorer.engine.runner import Runner
from explorer.hf.proving.claims import CLAIMS
from explorer.hf.proving.gate import prove
from explorer.hf.proving.weights import roles_are_played
from explorer.questions import all_questions, question_of
from explorer.questions.masking.masked_tokens.question import (
    MaskedTokensRequest,
    MaskedTokensResult,
)
from explorer.questions.tokenizers.tokens.question import TokensRequest
from explorer.serialise import to_json

SLOT = "A"
MASK = "[MASK]"
TOLERANCE = 1e-4
"""How far a probability may be from the plain forward's."""

TEXTS: Mapping[str, str] = {
    "an empty text": "",
    "spaces alone": "  \t",
    "one token": "a",
    "emoji": "the 🐈‍⬛ sat 👩🏽‍🚀 on 🇰🇷",
    "right-to-left text": "שלום עולם، مرحبا",
    "combining marks and a lone surrogate": "e\u0301 a\u0308 \ud83d",
}

TIMED = frozenset({"cost"})
"""Questions that measure how long something takes here."""

LONGEST = "a text of the longest length"
TOO_LONG = "a text that is too long"

PlainLogits = Callable[[Path, list[int]], Any]
"""A plugin's own plain forward: checkpoint folder and input ids to logits (tokens x vocabulary)."""


def check_claims(runner: Runner, name: str) -> Iterator[Finding]:
    """What the plugin says of its model, against the model's own forward: how far each is off.

    Of a family that states what its models are, some claims are tried here alone: they take runs.
    """
    found = list(runner.proved[SLOT])
    tried = {one.claim for one in found}
    found += prove(runner.models[SLOT], [one for one in CLAIMS if one.dear and one not in tried])
    for one in found:
        margin = one.margin
        if margin.wrong:
            yield failed(one.claim.name, str(margin.wrong), one.claim.hint, name)
            continue
        measured = margin.off is not None
        off = f"off by {margin.off:.2g}; at most {margin.close:.2g}" if measured else ""
        if one.claim.proof is roles_are_played:
            off = _without_roles(runner.models[SLOT])
        yield passed(one.claim.name, name, off)


def _without_roles(model: LoadedModel) -> str:
    """The tensors of which nothing is said, layer by layer the same: the run asks for none."""
    names = [name for name, _weight in model.module.named_parameters()]
    unsaid = [name for name in names if model.ports[Weights].role_of(name) is Role.OTHER]
    found = dict.fromkeys(re.sub(r"\.\d+\.", ".*.", name) for name in unsaid)
    return f"nothing is said of {', '.join(found)}" if found else ""


def check_questions(runner: Runner, declared: tuple[str, ...], name: str) -> Iterator[Finding]:
    """What was said before loading against what is offered after it."""
    card = runner.cards[SLOT]
    check = "offers the questions it declared"
    offered = set(card.operations) & set(all_questions())
    if offered != set(declared):
        lost = sorted({*declared} - offered)
        why = dict.fromkeys(str(card.unavailable[one]) for one in lost if one in card.unavailable)
        more = sorted(offered - {*declared})
        told = [
            f"{what}: {', '.join(some)}."
            for what, some in (("No longer offered after loading", lost), ("Only then", more))
            if some
        ]
        # Where a proof took the ports, what it says above is what there is to mend.
        disproved = any(one.margin.wrong for one in runner.proved[SLOT])
        hint = "offers(files) and the ports of load() must follow from the same heads."
        yield failed(check, " ".join((*told, *why)), "" if disproved else hint, name)
    else:
        yield passed(check, name)
    check = "says why for the other questions"
    silent = [one for one in all_questions() if one not in offered and one not in card.unavailable]
    if silent:
        yield failed(check, f"Nothing is said of {', '.join(silent)}.", checkpoint=name)
    else:
        yield passed(check, name)


def check_plain_forward(
    runner: Runner, folder: Path, plain: PlainLogits | None, name: str
) -> Finding:
    """Fill one mask, and several, and compare with a plain forward on the same ids."""
    import numpy as np

    check = "equals a plain forward"
    if "masked_tokens" not in runner.cards[SLOT].operations:
        return skipped(check, "It fills no masks.", checkpoint=name)
    plain = plain or _transformers_forward(folder)
    if plain is None:
        return skipped(
            check,
            "transformers has no masked-LM class that takes all of these weights.",
            "Let the plugin compute them: def plain_logits(folder, input_ids).",
            name,
        )
    for text in (f"the cat {MASK} on", f"{MASK} cat sat {MASK} the {MASK}."):
        answer: MaskedTokensResult = runner.ask(
            MaskedTokensRequest(text, top_k=MOST_PREDICTIONS), {MODEL: SLOT}, Context()
        )
        logits = np.asarray(plain(folder, [token.id for token in answer.tokens]), dtype=np.float64)
        for mask in answer.masks:
            row = logits[mask.position]
            expected = np.exp(row - row.max())
            expected /= expected.sum()
            given = np.full(len(expected), np.nan)
            for one in mask.predictions:
                given[one.id] = one.probability
            worst = float(np.abs(expected - given).max())
            if not worst <= TOLERANCE:  # a NaN is no less wrong
                return failed(
                    check,
                    f'In "{text}" a probability is {worst:.2g} from the plain forward\'s.',
                    "Look at the inputs (token types, positions), the head, and the ties.",
                    name,
                )
    return passed(check, name)


def _transformers_forward(folder: Path) -> PlainLogits | None:
    """The class for masked LM that transformers itself takes for this folder."""
    import torch
    from transformers import AutoConfig
    from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING

    from explorer.hf.loading.checkpoint import quiet_transformers

    quiet_transformers()
    try:
        config_class = type(AutoConfig.from_pretrained(str(folder), local_files_only=True))
    except ValueError:  # a model_type of the plugin's own
        return None
    model_class = MODEL_FOR_MASKED_LM_MAPPING.get(config_class, None)
    if model_class is None:
        return None
    module, found = model_class.from_pretrained(
        str(folder), local_files_only=True, output_loading_info=True, ignore_mismatched_sizes=True
    )
    if found["missing_keys"] or found["mismatched_keys"]:
        return None

    def forward(_folder: Path, ids: list[int]) -> Any:
        with torch.inference_mode():
            return module.eval()(input_ids=torch.tensor([ids])).logits[0].float().numpy()

    return forward


def check_texts(
    runner: Runner, name: str, wanted: Collection[str] | None = None
) -> Iterator[Finding]:
    """Awkward texts: each is answered or refused in words, and nothing is out of range.

    Args:
        runner: Has the model loaded.
        name: Of the checkpoint.
        wanted: Names of the questions to ask; None for all.
    """
    limit = runner.cards[SLOT].max_length
    texts = dict(TEXTS)
    if limit is not None:
        texts[LONGEST] = _filling(runner, limit)
        texts[TOO_LONG] = " ".join(["the cat"] * limit)
    for title, text in texts.items():
        problems = [
            f"{question}: {problem}"
            for question, request in _requests(runner, text, wanted)
            if (problem := _trouble(runner, request, title))
        ]
        check = f"takes {title}"
        if problems:
            # Of a number that is too large, the last positions have no row in their table.
            hint = (
                f"The longest length is {limit} tokens by its max_length(): length_key of the "
                "config less reserved_positions, where its family is a TransformersFamily."
            )
            yield failed(
                check, " ".join(problems), hint if title in {LONGEST, TOO_LONG} else "", name
            )
        else:
            yield passed(check, name)


def _filling(runner: Runner, limit: int) -> str:
    """A text that fills the model to the last token."""
    words = ["the"] * limit
    while len(words) > 1:
        if runner.ask(TokensRequest(" ".join(words)), {MODEL: SLOT}, Context()).left_out is None:
            break
        words.pop()
    return " ".join(words)


def _requests(
    runner: Runner, text: str, wanted: Collection[str] | None = None
) -> Iterator[tuple[str, Any]]:
    """A question of every kind the model answers and that needs no more than a text."""
    for name in runner.cards[SLOT].operations:
        if wanted is not None and name not in wanted:
            continue
        question = all_questions().get(name)
        if question is None:
            continue
        needed = {
            field.name
            for field in dataclasses.fields(question.request)
            if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        }
        if needed == {"text"}:
            # The mask comes early: behind a text that is too long nothing would be asked. A word
            # stands before it, because some models see only what stands before.
            masked = f"the {MASK} {text}" if question.needs_mask else text
            request = question.request(text=masked)
            if question.roles_of(request):  # a question that needs no model says nothing of one
                yield (
                    name,
                    request if question.cheap_variant is None else question.cheap_variant(request),
                )


def _alone(request: Any) -> RoleBinding:
    """The model plays the first role of a question, and nobody another."""
    return {question_of(request).roles_of(request)[0]: SLOT}


def _trouble(runner: Runner, request: Any, title: str) -> str:
    """What is wrong with an answer; "" when nothing is."""
    try:
        answer = runner.ask(request, _alone(request), Context())
    except ExplorerError as error:
        return "" if error.blame is Blame.USER else f"{error.message}{place_said(error)}"
    except Exception as error:  # noqa: BLE001 - a plugin can raise anything
        return f"{raised(error)}."
    # What a model wrote itself may be called so too, and stands behind the text.
    tokens = [one for one in getattr(answer, "tokens", ()) if isinstance(one, Token)]
    limit = runner.cards[SLOT].max_length
    end = len(request.text)
    if any(not 0 <= t.start <= t.end <= end for t in tokens if t.part == 0):
        return "a token lies outside the text."
    if limit is not None and len(tokens) > limit:
        return f"{len(tokens)} tokens, where the model takes {limit}."
    if title == TOO_LONG and tokens and getattr(answer, "left_out", None) is None:
        return "nothing says that something was left out."
    longest = title == LONGEST and isinstance(request, TokensRequest)
    if longest and (answer.left_out is not None or len(tokens) != limit):
        return f"{len(tokens)} tokens of {limit}."
    return "" if in_range(answer) else "a number is not finite."


def in_range(answer: Any) -> bool:
    """Whether every number of an answer is one."""
    return all(math.isfinite(number) for number in _numbers(answer))


def _numbers(value: Any) -> Iterator[float]:
    """Every floating-point number in an answer."""
    import numpy as np

    if isinstance(value, float):
        yield value
    elif isinstance(value, np.ndarray):
        if value.dtype.kind == "f":
            yield float(np.abs(value).max(initial=0.0))
    elif dataclasses.is_dataclass(value):
        undefined: frozenset[str] = getattr(value, "undefined", frozenset())
        for field in dataclasses.fields(value):
            held = getattr(value, field.name)
            if field.name in undefined:
                # There "not a number" says that there is none; infinite is wrong all the same.
                held = np.nan_to_num(held, nan=0.0, posinf=np.inf, neginf=-np.inf)
            yield from _numbers(held)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _numbers(one)
    elif isinstance(value, Mapping):
        yield from _numbers(list(value.values()))


def check_repeats(runner: Runner, answers: Mapping[str, TriedAnswer], name: str) -> Finding:
    """The same request, which carries its seed, has the same answer."""
    check = "same seed, same answer"
    asked = {each: one for each, one in answers.items() if each not in TIMED}
    if not asked:
        return not_tried(check, "No question answered.", checkpoint=name)
    for each, one in asked.items():
        again = runner.ask(one.request, one.cast, one.context)
        if to_json(one.result) != to_json(again):
            return failed(
                check, f"{each} answers otherwise the second time.",
                "Draw random numbers from a generator seeded with the request's own seed.", name,
            )  # fmt: skip
    return passed(check, name)


def check_cancelling(runner: Runner, answers: Mapping[str, TriedAnswer], name: str) -> Finding:
    """A run that is cancelled during a layer ends before the next one."""
    check = "is cancelled within one layer"
    tried = False
    model: LoadedModel = runner.models[SLOT]
    layers = list(_layers(model.module))
    for question, answer in answers.items():
        ran = _layers_after_cancelling(runner, answer, layers)
        if ran is None:
            continue
        tried = True
        if ran:
            return failed(
                check,
                f"{question} went on for {ran} more layers.",
                "Run the model inside explorer.hf.cancelling.cancellable(context).",
                name,
            )
    if not tried:
        return skipped(check, "No question it answers runs more than one layer.", checkpoint=name)
    return passed(check, name)


def _layers(module: Any) -> Iterator[Any]:
    """The layers that lie in no other layer."""
    from torch.nn import ModuleList

    if isinstance(module, ModuleList):
        yield from module.children()
    else:
        for child in module.children():
            yield from _layers(child)


def _layers_after_cancelling(runner: Runner, answer: TriedAnswer, layers: list[Any]) -> int | None:
    """How many layers ran to their end after the first; None where nothing ran on behind one."""
    ended: list[Any] = []
    own = {id(layer) for layer in layers}

    def note(layer: Any, *_: Any) -> None:
        if id(layer) in own:  # and no copy of it, whose numbers are not computed
            ended.append(layer)

    handles = [layer.register_forward_hook(note) for layer in layers]
    stopped = dataclasses.replace(answer.context, is_cancelled=lambda: bool(ended))
    try:
        runner.ask(answer.request, answer.cast, stopped)
    except UserMistake:
        return None
    except Cancelled:
        return max(0, len(ended) - 1)
    finally:
        for handle in handles:
            handle.remove()
    return len(ended) if len(ended) > 1 else None

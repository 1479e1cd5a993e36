"""A run as a program with transformers and torch alone, where there is one for its question."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from explorer.api.question import ModelStamp
from explorer.as_code import programs
from explorer.as_code.asked import AskedRun, literal
from explorer.as_code.checkpoints import (
    architecture_of,
    config_of,
    is_for_transformers,
    place_of,
)
from explorer.questions.masking.surprises import word_numbers

PRETRAINING = ("BertForPreTraining", "MobileBertForPreTraining", "AlbertForPreTraining")
XLM = "XLMWithLMHeadModel"
MASKED = ("ForMaskedLM", XLM, *PRETRAINING)
"""Ends of the names of classes whose checkpoints predict masked pieces."""
DEBERTA = ("deberta", "deberta-v2")
"""Its states and its attention are in transformers; its heads are not, as they were published."""
CAUSAL = ("GPT2LMHeadModel", "OpenAIGPTLMHeadModel")
HIDDEN = {
    "original": "it alone",
    "word_left_to_right": "it and the rest of its word",
    "whole_word": "all pieces of its word",
}
MASK = "[MASK]"
NUMBERS = ("float32", "float16", "bfloat16")
DEVICES = ("cpu", "cuda", "mps")

Filled = tuple[str, Mapping[str, str]]


def with_transformers(run: AskedRun) -> str:
    """A program that comes to the same numbers; "" where there is none for this answer."""
    write = WRITERS.get(run.question.name)
    if write is None or run.result is None or _is_beyond(run):
        return ""
    stamps = list(run.models.values())
    places = [place_of(one.id, run.folders) for one in stamps]
    if not all(map(is_for_transformers, places)):
        return ""
    place = places[0]
    named = architecture_of(place)
    filled = write(run, named)
    if filled is None:
        return ""
    program, values = filled
    is_pair = getattr(run.request, "pair", None) is not None or "passage" in values
    segments = programs.SEGMENTS if is_pair and named.startswith("Albert") else ""
    if named == XLM:
        segments = _told_language(run, place)
        if not segments or is_pair:
            return ""
    laid = {"folder": literal(place), "segments": segments, **_machine(stamps[0]), **values}
    for name, value in laid.items():
        program = program.replace(f"«{name}»", value)
    said = f"# {run.question.title}: {run.question.asks}\n"
    weights = f"# {stamps[0].id}, weights {stamps[0].fingerprint[:12]}\n"
    return said + weights + program


def _is_beyond(run: AskedRun) -> bool:
    """Whether more than one of these programs does stands between the text and its numbers."""
    cut = getattr(run.result, "left_out", None)
    machine = {(one.dtype, one.device) for one in run.models.values()}
    return (
        cut is not None
        or bool(getattr(run.request, "entities", ()))
        or len(machine) != 1
        or any(one.dtype not in NUMBERS for one in run.models.values())
        or any(not one.device.startswith(DEVICES) for one in run.models.values())
    )


def _machine(stamp: ModelStamp) -> dict[str, str]:
    """Where the model computes and in which numbers, where that is not in 32 bits on the CPU."""
    is_short, is_there = stamp.dtype != "float32", stamp.device != "cpu"
    moved = f".to({literal(stamp.device)})" * is_there
    home = ".cpu()" * is_there
    return {
        "numbers": f", dtype=torch.{stamp.dtype}" * is_short,
        "moved": moved,
        "to_device": moved,
        "home": home,
        "plain": ".float()" * is_short + home,
    }


def _told_language(run: AskedRun, place: str) -> str:
    """The lines that tell XLM its language: English, for other texts are cut in other ways."""
    known = config_of(place).get("lang2id")
    asked = {*filter(None, getattr(run.request, "languages", ()))}
    if not isinstance(known, dict) or "en" not in known or asked - {"en"}:
        return ""
    if not run.request.text.isascii():
        return ""
    told = programs.LANGUAGES.replace("«language»", "en")
    return told.replace("«number»", repr(int(known["en"])))


def _text(run: AskedRun, *, masks: bool = True) -> str:
    """The texts as the tokenizer takes them; a typed [MASK] is the piece that stands for a mask."""
    found = []
    for text in (run.request.text, getattr(run.request, "pair", None)):
        if text is None:
            continue
        said = literal(text)
        typed = masks and MASK in text
        found.append(f'{said}.replace("{MASK}", tokenizer.mask_token)' if typed else said)
    return ", ".join(found)


def _masked(tokens: Sequence[Any]) -> list[int]:
    return [n for n, one in enumerate(tokens) if one.masked]


def _hide(run: AskedRun) -> str:
    """The lines that hide what is masked; "" where nothing is, or it was typed so."""
    masked = _masked(run.result.tokens)
    return programs.HIDE.replace("«masked»", repr(masked)) if run.request.masks else ""


def _masked_tokens(run: AskedRun, named: str) -> Filled | None:
    if not named.endswith(MASKED):
        return None
    masked = [one.position for one in run.result.masks]
    values = {
        "kind": "AutoModelForMaskedLM",
        "text": _text(run),
        "masked": repr(masked),
        "top_k": repr(run.request.top_k),
    }
    return programs.MASKED_TOKENS, values


def _surprisal(run: AskedRun, named: str) -> Filled | None:
    tokens, places = run.result.tokens, [one.position for one in run.result.surprises]
    method = str(run.result.method.value)
    if method not in HIDDEN:
        if named not in CAUSAL:
            return None
        begins = tokens[0].special
        return programs.SURPRISAL_FROM_LEFT, {
            "kind": "AutoModelForCausalLM",
            "text": _text(run, masks=False),
            "begin": "tokenizer.bos_token_id, " * begins,
            "begin_said": ", behind the one that begins a text" * begins,
            "places": repr(places),
        }
    if not named.endswith(MASKED):
        return None
    words = word_numbers(tokens)
    hidden = []
    for place in places:
        of_word = [one for one in places if words[one] == words[place]]
        if method == "original":
            of_word = [place]
        elif method == "word_left_to_right":
            of_word = [one for one in of_word if one >= place]
        hidden.append((place, of_word))
    return programs.SURPRISAL, {
        "kind": "AutoModelForMaskedLM",
        "text": _text(run),
        "how": HIDDEN[method],
        "hidden": repr(hidden),
    }


def _soft_targets(run: AskedRun, named: str) -> Filled | None:
    result = run.result
    student = place_of(result.other.id, run.folders)
    asks_masks = result.what == "masks" and not result.is_restricted and not run.request.each
    fits = named.endswith(MASKED) and architecture_of(student).endswith(MASKED)
    if not (asks_masks and fits and result.vocabulary.same) or named == XLM:
        return None
    temperature = run.question.settings_of(run.document)["temperature"]
    return programs.SOFT_TARGETS, {
        "kind": "AutoModelForMaskedLM",
        "text": _text(run),
        "masked": repr([one.position for one in result.masks]),
        "student": literal(student),
        "text_of_student": _text(run),
        "temperature": repr(float(temperature)),
        "top_k": repr(run.request.top_k),
    }


def _replaced_tokens(run: AskedRun, named: str) -> Filled | None:
    if named != "ElectraForPreTraining":
        return None
    result = run.result
    replaced = [
        f"{before or '?'} became {token.text}"
        for token, before, truth in zip(result.tokens, result.original, result.truth, strict=True)
        if truth
    ]
    parts = [int(token.part or 0) for token in result.tokens]
    has_pair = run.request.pair is not None
    return programs.REPLACED_TOKENS, {
        "kind": "AutoModelForPreTraining",
        "said": ", ".join(replaced) or "none was replaced",
        "ids": repr([token.id for token in result.tokens]),
        "parts": f"segments = torch.tensor([{parts!r}])\n" if has_pair else "",
        "more": ", token_type_ids=segments" if has_pair else "",
    }


def _attention(run: AskedRun, named: str) -> Filled | None:
    place = place_of(next(iter(run.models.values())).id, run.folders)
    kind = "AutoModel"
    if named.startswith("T5") and run.result.kind == "encoder" and not _masked(run.result.tokens):
        kind = "AutoModelForTextEncoding"  # T5's other half would want a text of its own
    elif run.result.kind not in ("encoder", "decoder") or not (
        named.endswith(MASKED) or named in CAUSAL or config_of(place).get("model_type") in DEBERTA
    ):
        return None
    layer, _dot, head = str(run.document.option("attention.head", "0.0")).partition(".")
    chosen = (layer, head) if layer.isdecimal() and head.isdecimal() else ("0", "0")
    return programs.ATTENTION, {
        "kind": kind,
        "text": _text(run),
        "hide": _hide(run),
        "layer": chosen[0],
        "head": chosen[1],
    }


def _logit_lens(run: AskedRun, named: str) -> Filled | None:
    grid = run.result.grid
    if not named.endswith(MASKED) or getattr(grid, "alone", False):
        return None
    return programs.LOGIT_LENS, {
        "kind": "AutoModelForMaskedLM",
        "text": _text(run),
        "hide": _hide(run),
        "places": repr(list(grid.places)),
    }


def _sentence_pair(run: AskedRun, named: str) -> Filled | None:
    kinds = {
        "BertForPreTraining": ("AutoModelForNextSentencePrediction", "logits"),
        "MobileBertForPreTraining": ("AutoModelForNextSentencePrediction", "logits"),
        "AlbertForPreTraining": ("AutoModelForPreTraining", "sop_logits"),
    }
    kind = kinds.get(named)
    if named.endswith("ForSequenceClassification"):
        kind = ("AutoModelForSequenceClassification", "logits")
    if kind is None or len(run.result.judgements) != 1:
        return None
    labels = [str(one) for one in run.result.judgements[0].labels]
    return programs.SENTENCE_PAIR, {
        "kind": kind[0],
        "logits": kind[1],
        "text": _text(run),
        "labels": literal(labels),
    }


def _answer_span(run: AskedRun, named: str) -> Filled | None:
    result = run.result
    fits = named.endswith("ForQuestionAnswering") and len(result.windows) == 1
    if not fits or result.written or result.windows[0].null_start is None:
        return None
    return programs.ANSWER_SPAN, {
        "kind": "AutoModelForQuestionAnswering",
        "question": literal(result.question),
        "passage": literal(run.request.text),
        "longest": repr(result.max_answer_len),
    }


WRITERS: Mapping[str, Callable[[AskedRun, str], Filled | None]] = {
    "masked_tokens": _masked_tokens,
    "surprisal": _surprisal,
    "soft_targets": _soft_targets,
    "replaced_tokens": _replaced_tokens,
    "attention": _attention,
    "logit_lens": _logit_lens,
    "sentence_pair": _sentence_pair,
    "answer_span": _answer_span,
}
"""The questions that are asked most, and what writes the program of a run of one."""

"""How long models take for one text on this device, measured by turns."""

import statistics
from collections.abc import Sequence
from typing import Any

from explorer.api.question import STUDENT, Context, Encoded, LoadedModel, check_text
from explorer.hf.cancelling import cancellable
from explorer.hf.loading.memory.weighing import used_in, weigh
from explorer.hf.predict.timing import run_of, threads, timed_by_turns
from explorer.questions.distillation.cost.question import (
    CLAIMS,
    CostRequest,
    CostResult,
    ModelCost,
)
from explorer.text import N_, Phrase

HOW = Phrase(
    N_(
        "The models run by turns on this very text, after three runs each to "
        "warm up; the median is shown. A run is the encoder, and the masked-LM "
        "head at the masks; models are compared by the parameters that it computes with."
    )
)


def measured_together(
    models: Sequence[LoadedModel], request: CostRequest, context: Context
) -> tuple[ModelCost, ...]:
    """Each model's cost.

    They take turns, so that whatever else the machine does falls on all of them.

    Args:
        models: To be measured.
        request: The text, and for how long.
        context: Can stop it.

    Raises:
        Unavailable: Something is masked and a tokenizer has no mask token.
        Cancelled: It was cancelled.
    """
    import torch

    inputs = [model.encode(request.text, request.pair, request.masks) for model in models]
    runs = [run_of(model, encoded, context) for model, encoded in zip(models, inputs, strict=True)]
    with torch.inference_mode(), cancellable(context):
        used = [used_in(model.module, one) for model, one in zip(models, runs, strict=True)]
        taken = timed_by_turns(runs, request.seconds, context.check)
    return tuple(
        _cost(model, encoded, times, count)
        for model, encoded, times, count in zip(models, inputs, taken, used, strict=True)
    )


def _cost(
    model: LoadedModel, encoded: Encoded, times: Sequence[float], used: int | None = None
) -> ModelCost:
    own = weigh(model.module)
    words = model.module.get_input_embeddings()
    config = model.config
    lower, middle, upper = statistics.quantiles(times, n=4, method="inclusive")
    return ModelCost(
        model=model.stamp,
        parameters=own.parameters,
        embedding_parameters=int(words.weight.numel()) if words is not None else 0,
        layers=int(getattr(config, "num_hidden_layers", 0)),
        width=int(getattr(config, "hidden_size", 0)),
        heads=int(getattr(config, "num_attention_heads", 0)),
        weights_bytes=own.in_memory + own.on_disk,
        tokens=len(encoded.tokens),
        seconds=middle,
        fastest=min(times),
        slowest=max(times),
        runs=len(times),
        lower=lower,
        upper=upper,
        parameters_used=used,
    )


def run(teacher: Any, request: CostRequest, context: Context) -> CostResult:
    """Count both models, and time both by turns.

    Raises:
        UserMistake: A model is missing, or there is no text.
    """
    check_text(request.text)
    student = context.model(STUDENT)
    both = measured_together((teacher, student), request, context)
    own = [claim for claim in CLAIMS if claim.family == student.stamp.family]
    others = [claim for claim in CLAIMS if claim not in own]
    return CostResult(
        teacher.stamp, student.stamp, both[0], both[1], threads(), HOW, (*own, *others)
    )

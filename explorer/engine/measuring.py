"""How long one model takes for one sentence, loaded for that where it is not loaded."""

import platform
import statistics
import time
from datetime import UTC, datetime
from typing import Any

from explorer.api.context import LendsModels
from explorer.api.family import Context, LoadedModel
from explorer.api.question import MODEL
from explorer.choosing.times import SECONDS, SENTENCE, SentenceTime
from explorer.hf.cancelling import cancellable
from explorer.hf.loading.memory.weighing import weigh
from explorer.hf.predict.timing import run_of, threads, timed_by_turns
from explorer.text import N_


def sentence_time(
    lending: LendsModels, checkpoint: str, parameters: int | None, context: Context
) -> SentenceTime:
    """Time a model; it is let go again where it was not loaded.

    Args:
        lending: Lends it.
        checkpoint: Its id.
        parameters: As the library counts them; None for those that are loaded.
        context: Can stop it.

    Raises:
        ExplorerError: It can't be loaded, or reads no text.
        Cancelled: It was cancelled.
    """

    def work(model: Any, own: Context) -> SentenceTime:
        return _timed(model, checkpoint, parameters, own)

    return lending.ask(checkpoint, MODEL, context, work)


def _timed(
    model: LoadedModel, checkpoint: str, parameters: int | None, context: Context
) -> SentenceTime:
    import torch

    context.progress(N_("measuring"), 0.0, 0.0)
    encoded = model.encode(SENTENCE, None, ())
    with torch.inference_mode(), cancellable(context):
        run = run_of(model, encoded, context)
        began, worked = time.perf_counter(), time.thread_time()
        (taken,) = timed_by_turns([run], SECONDS, context.check)
        share = (time.thread_time() - worked) / (time.perf_counter() - began)
    lower, middle, upper = statistics.quantiles(taken, n=4, method="inclusive")
    return SentenceTime(
        checkpoint=checkpoint,
        parameters=weigh(model.module).parameters if parameters is None else parameters,
        device=model.stamp.device,
        dtype=model.stamp.dtype,
        threads=threads(),
        tokens=len(encoded.tokens),
        seconds=middle,
        lower=lower,
        upper=upper,
        fastest=min(taken),
        runs=len(taken),
        day=datetime.now(UTC).astimezone().date().isoformat(),
        machine=platform.node(),
        share=min(share, 1.0) if model.device == "cpu" else 1.0,
    )

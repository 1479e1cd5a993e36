"""How long models take for a text on this device, measured by turns."""

import time
from collections.abc import Callable, Sequence

from explorer.api.family import Context, Encoded, LoadedModel, Predictor
from explorer.hf.device_memory import wait_for
from explorer.hf.predict.guessing import rows_at_masks
from explorer.numerics.steadiness import PATIENCE, is_steady

WARM_UP = 3
LEAST_RUNS = 7
MOST_RUNS = 201


def threads() -> int:
    """Of the processor that torch may use at once."""
    import torch

    return int(torch.get_num_threads())


def timed_by_turns(
    runs: Sequence[Callable[[], None]],
    seconds: float,
    check: Callable[[], None],
    clock: Callable[[], float] = time.perf_counter,
) -> list[list[float]]:
    """How long each took, run by turns.

    They run at least LEAST_RUNS times and for the seconds that each is given; where the times of
    one scatter they go on, until a quieter moment has made up for it or PATIENCE is at its end.

    Args:
        runs: What is timed.
        seconds: For each of them.
        check: Raises where it is to stop.
        clock: Seconds that have passed.
    """
    taken: list[list[float]] = [[] for _ in runs]
    for _ in range(WARM_UP):
        for one in runs:
            one()
    begun = clock()
    budget = seconds * len(runs)
    while len(taken[0]) < MOST_RUNS:
        if len(taken[0]) >= LEAST_RUNS:
            passed = clock() - begun
            if passed > PATIENCE * budget or (passed > budget and all(map(is_steady, taken))):
                break
        check()
        for times, one in zip(taken, runs, strict=True):
            began = clock()
            one()
            times.append(clock() - began)
    return taken


def run_of(model: LoadedModel, encoded: Encoded, context: Context) -> Callable[[], None]:
    """One forward pass, to its very end on whatever device."""
    predictor: Predictor | None = model.ports.get(Predictor)
    guessing = predictor is not None and bool(encoded.mask_positions)
    device = model.device

    def run() -> None:
        if guessing:
            assert predictor is not None
            rows_at_masks(predictor, encoded, context)
        else:
            model.encoder(**encoded.inputs)
        wait_for(device)

    return run

"""How many copies of an input a model reads at once: as many as are quick and fit into memory."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from explorer.api.errors import is_out_of_memory
from explorer.api.family import Context, LoadedModel, Query
from explorer.hf.cancelling import cancellable
from explorer.hf.device_memory import free_memory, give_back
from explorer.hf.predict.rows import rows_at_once
from explorer.text import N_

CPU_TOKENS = 2048
"""Tokens at once on a CPU: measured at BERT base size, where twice as many are no quicker, and a
cancel waits for one layer over these."""

GPU_TOKENS = 65_536
"""Tokens at once on a GPU, where memory allows."""

FIRST_ROWS = 8
"""Rows of the first batch on a GPU, by which the memory of a row is measured."""

SHARE = 0.5
"""Of the free memory that a batch may take."""

STATES = 16
"""Copies of a token's states that a layer holds at most, the feed-forward part's included."""

SCORES = 3
"""Copies of the attention scores."""


WHOLE_ROWS = 8
"""Blocks of whole distributions that copies of a text may give at once."""


class Batches:
    """Cuts rows into batches, and makes them smaller when memory runs out.

    Args:
        model: Who reads them.
        length: Tokens in a row.
        rows: How many there are: for one nothing is measured.

    Attributes:
        size: Rows of the next batch.
        failed: The last batch did not fit; it comes again, smaller.
    """

    def __init__(self, model: LoadedModel, length: int, rows: int) -> None:
        self._device = model.device
        self._length = length
        self._is_measured = rows == 1 or not self._device.startswith("cuda")
        self.failed = False
        if rows == 1:
            self.size = 1
        elif self._is_measured:
            fits = int(SHARE * free_memory(self._device) // row_bytes(model, length))
            self.size = max(1, min(CPU_TOKENS // length, fits))
        else:
            self.size = FIRST_ROWS

    def over(self, rows: int) -> Iterator[tuple[int, int]]:
        """Starts and ends of batches; one that failed is given again, in halves."""
        start = 0
        while start < rows:
            stop = min(rows, start + self.size)
            yield start, stop
            if not self.failed:
                start = stop

    @contextmanager
    def measured(self, rows: int) -> Iterator[None]:
        """Run a batch inside; notes what it takes, and whether it fits.

        Raises:
            Exception: What the device raised, where even one row does not fit.
        """
        if self.failed:
            # Only now has everything let go of what the last batch had allocated.
            give_back()
        self.failed = False
        before = self._begin()
        try:
            yield
        except Exception as error:
            if not is_out_of_memory(error) or rows == 1:
                raise
            error.__traceback__ = None  # it holds what the batch had allocated
            self.failed = True
            self.size = max(1, rows // 2)
            self._is_measured = True
            return
        if not self._is_measured:
            self._fit(rows, before)

    def _begin(self) -> int:
        if self._is_measured:
            return 0
        import torch

        torch.cuda.reset_peak_memory_stats(self._device)
        return int(torch.cuda.memory_allocated(self._device))

    def _fit(self, rows: int, before: int) -> None:
        """From what the first batch took to how many rows may come at once."""
        import torch

        taken = int(torch.cuda.max_memory_allocated(self._device)) - before
        fits = int(SHARE * free_memory(self._device) // max(1, taken // rows))
        self.size = max(1, min(GPU_TOKENS // self._length, fits))
        self._is_measured = True


def in_batches(
    model: LoadedModel,
    queries: Sequence[Query],
    alike: Callable[[Query], tuple[int, Hashable]],
    run: Callable[[list[Query]], Sequence[Any]],
    context: Context,
) -> list[Any]:
    """What a model makes of many queries, in as few passes as fit; in their order.

    Args:
        model: Who reads them.
        queries: Inputs.
        alike: From a query to how many tokens of it are read, and to what else must be equal in
            those that share a pass: nothing is padded.
        run: From the queries of one pass to the rows of each.
        context: For progress, and for a cancel between passes and before every layer.
    """
    import torch

    found: dict[int, Any] = {}
    groups: defaultdict[tuple[int, Hashable], list[int]] = defaultdict(list)
    for number, query in enumerate(queries):
        groups[alike(query)].append(number)
    with torch.inference_mode(), cancellable(context):
        for (length, _), same in groups.items():
            batches = Batches(model, length, len(same))
            for start, stop in batches.over(len(same)):
                if len(queries) > 1:
                    context.progress(N_("predicting"), float(len(found)), float(len(queries)))
                context.check()
                batch = same[start:stop]
                with batches.measured(len(batch)):
                    rows = run([queries[number] for number in batch])
                    found.update(zip(batch, rows, strict=True))
    return [found[number] for number in range(len(queries))]


def copies_at_once(model: LoadedModel, length: int, *, traced: bool) -> int:
    """Copies of a text that a model reads at once where their vectors are given.

    Args:
        model: Who reads them.
        length: Tokens in each.
        traced: Every layer's states are kept, for gradients.
    """
    device = model.device
    layers = int(getattr(model.config, "num_hidden_layers", 12)) if traced else 1
    fits = int(SHARE * free_memory(device) // (row_bytes(model, length) * (layers + 1)))
    quick = GPU_TOKENS if device.startswith("cuda") else CPU_TOKENS
    return max(1, min(quick // max(1, length), fits, WHOLE_ROWS * rows_at_once(model)))


def row_bytes(model: LoadedModel, length: int) -> int:
    """About what one row takes in memory while it is read."""
    # transformers knows every config's own names for these.
    width = int(getattr(model.config, "hidden_size", 0))
    heads = int(getattr(model.config, "num_attention_heads", 12))
    return 4 * (STATES * length * max(width, 64) + SCORES * heads * length * length)

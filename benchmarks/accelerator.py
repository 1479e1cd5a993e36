"""A GPU against the CPU: how long, how near, and what becomes of memory that runs out.

    python -m benchmarks.accelerator --device cuda

prints all of it without touching the page, and exits with 1 where a bound is not held. The CPU has
no memory of its own to run out of: there the same error is raised in the model's forward pass
above a number of rows, and where a model is moved to its device.
"""

import argparse
import math
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any
from unittest import mock

from benchmarks.random_bert import save_bert_base
from benchmarks.row import NotMeasured, Row, median_seconds

MILLION = 1e6
TOLERANCE = {"float32": 1e-4, "float16": 0.005, "bfloat16": 0.05}
"""How far a probability may be from that of float32 on the CPU, by the number type."""
TRAINED = ("bert-miniature", "deberta-v1-miniature", "gpt2-miniature", "spanbert-miniature")
"""Of random weights all pieces are about as probable, and so nothing is far from anything."""
MOVED = 1e-4
"""Nats that a log-probability may move where batches are smaller."""
SPEED = {"load": 3.0, "fill": 1.0, "sweep": 0.5, "attentions": 1.0}
"""Of the CPU's time that a GPU may take. A load has to carry the weights over."""
SENTENCES = 1000
READ = 40
"""Sentences by which number types are compared, each with a word hidden."""
FILLED, SWEPT, LONGEST = 128, 64, 512
"""Tokens of a text that is filled, of one that is swept with little memory, of the longest."""
ROWS = 4
"""That fit at once where memory runs out on the CPU."""
LEFT = 48_000_000
"""Bytes that are left where it runs out on a GPU."""


def measure() -> list[Row]:
    """The rows of the benchmark page.

    Raises:
        NotMeasured: There is no GPU here.
    """
    from explorer.hf.loading.devices import resolve_device

    if resolve_device("auto") == "cpu":
        raise NotMeasured(
            "on a GPU, against the CPU: load, fill, sweep, all attentions, float16 and bfloat16, "
            "memory that runs out, two models",
            "no GPU was at hand: its paths are tried on a simulated one (`tests/simulated_gpu.py`)"
            "; on a machine with one `python -m benchmarks accelerator` measures them",
            elsewhere=" on cuda",
        )
    return list(measured("auto"))


def measured(
    device: str, sentences: int = SENTENCES, repeats: int = 9, **size: int
) -> Iterator[Row]:
    """Measure a device, one row after the other.

    Args:
        device: As users name it.
        sentences: How many are swept.
        repeats: Of what is quick; its median counts.
        **size: Other sizes than BERT base's.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "bert-base-random"
        words = save_bert_base(folder, **size)
        bench = _Bench(device, folder, words, Path(temporary))
        yield from bench.speed(sentences, repeats)
        for dtype in TOLERANCE:
            yield bench.nearness(dtype)
        yield bench.answer_with_little_memory()
        yield bench.model_with_little_memory()
        yield bench.two_models(repeats)


class _Bench:
    """What is asked of models on a device.

    Args:
        device: As users name it.
        folder: Of a model with random weights.
        words: Some of its words.
        scratch: A folder.
    """

    def __init__(self, device: str, folder: Path, words: Sequence[str], scratch: Path) -> None:
        from explorer.hf.loading.devices import resolve_device
        from explorer.paths import Paths
        from explorer.program import Program

        self._device = resolve_device(device)
        self._folder = str(folder)
        self._words = words
        self._scratch = scratch
        self._runner = Program(Paths.profile(scratch / "profile")).runner()
        # What is imported and begun for a first model is no model's time.
        for one in dict.fromkeys(("cpu", self._device)):
            self._load(one)
        self._longest = min(LONGEST, self._runner.models["A"].max_length or LONGEST)

    def _load(self, device: str, slot: str = "A", model: str = "", dtype: str = "float32") -> None:
        from explorer.api.family import LoadOptions
        from explorer.api.question import Context

        options = LoadOptions(device=device, dtype=dtype)
        self._runner.load(slot, model or self._folder, options, Context())

    def _ask(self, request: Any, slot: str = "A") -> Any:
        from explorer.api.question import Context

        context = Context(results=self._scratch / f"{time.perf_counter_ns()}")
        return self._runner.ask(request, {"model": slot}, context)

    def _ask_all(self, request: Any, slots: str) -> None:
        for slot in slots:
            self._ask(request, slot)

    def _text(self, tokens: int, first: int = 0) -> str:
        """So many tokens, with the model's own two at the ends."""
        count = len(self._words)
        return " ".join(self._words[number % count] for number in range(first, first + tokens - 2))

    @property
    def _card(self) -> str:
        """What the GPU is called, and what runs on it."""
        import torch

        if not self._device.startswith("cuda"):
            return ""
        return f"; {torch.cuda.get_device_name(self._device)}, torch {torch.__version__}"

    # ---- how long --------------------------------------------------------------------------

    def speed(self, sentences: int, repeats: int) -> Iterator[Row]:
        """Load, fill, sweep, and all attentions; on the CPU too where it is not the device."""
        took = {
            one: self._times(one, sentences, repeats)
            for one in dict.fromkeys(("cpu", self._device))
        }
        notes = {
            "load": f"median of 3, random weights, float32{self._card}",
            "fill": f"one mask, {min(FILLED, self._longest)} tokens, median of {repeats}",
            "sweep": f"surprisal of {sentences:,} sentences of 5 to 20 words, each token hidden "
            "alone, rows on disk",
            "attentions": f"all heads at {self._longest} tokens, as the window gets them",
        }
        for name, note in notes.items():
            row = Row(f"{name} on {self._device}", took[self._device][name], None, math.inf, note)
            if self._device != "cpu":
                row = replace(row, theirs=took["cpu"][name], at_most=SPEED[name])
            yield row

    def _times(self, device: str, sentences: int, repeats: int) -> dict[str, float]:
        from explorer.questions.attention.attention.question import AttentionRequest
        from explorer.questions.many.file_of_sentences.question import FileOfSentencesRequest
        from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest

        drawn = random.Random(0)
        file = self._scratch / "sentences.txt"
        lines = (drawn.sample(self._words, drawn.randint(5, 20)) for _ in range(sentences))
        file.write_text("\n".join(map(" ".join, lines)), encoding="utf-8")
        text = self._text(min(FILLED, self._longest))
        fill = MaskedTokensRequest(text.replace(self._words[9], "[MASK]", 1))
        sweep = FileOfSentencesRequest(str(file), "surprisal")
        # The attentions of the text that was read last are kept: each text is another one.
        texts = (self._text(self._longest, first) for first in range(len(self._words)))
        return {
            "load": median_seconds(lambda: self._load(device), 3, 0),
            "fill": median_seconds(lambda: self._ask(fill), repeats),
            "sweep": median_seconds(lambda: self._ask(sweep), 1, 0),
            "attentions": median_seconds(
                lambda: self._ask(AttentionRequest(next(texts))), repeats // 3 or 1, 1
            ),
        }

    # ---- how near --------------------------------------------------------------------------

    def nearness(self, dtype: str) -> Row:
        """The farthest probability from float32's on the CPU, over trained models."""
        import numpy as np

        farthest, same, total = 0.0, 0, 0
        for model in TRAINED:
            self._load("cpu", "A", model)
            self._load(self._device, "B", model, dtype)
            for text in _read():
                here, there = (self._distribution(text, slot) for slot in "AB")
                farthest = max(farthest, float(np.abs(here - there).max()))
                same += int(here.argmax() == there.argmax())
                total += 1
        self._runner.unload("B")
        return Row(
            f"farthest probability from the CPU's float32, {dtype} on {self._device}",
            farthest * MILLION,
            None,
            TOLERANCE[dtype] * MILLION,
            f"of all pieces at {total} masked places, {len(TRAINED)} trained models; the most "
            f"probable piece is the same at {same}",
            unit="ppm",
        )

    def _distribution(self, text: str, slot: str) -> Any:
        import numpy as np

        from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest

        (mask,) = self._ask(MaskedTokensRequest(text), slot).masks
        return np.exp(mask.distribution.values.astype(np.float64))

    # ---- memory that runs out --------------------------------------------------------------

    def answer_with_little_memory(self) -> Row:
        """A sweep whose first batches do not fit is the same as with plenty."""
        from explorer.questions.masking.surprisal.question import SurprisalRequest

        self._load(self._device)
        request = SurprisalRequest(self._text(min(SWEPT, self._longest)))
        plenty = self._ask(request)
        with self._little_memory() as short:
            little = self._ask(request)
        if not short:
            raise RuntimeError("Memory did not run out.")
        return self._unmoved(
            f"a sweep for which memory runs out on {self._device}",
            _apart(plenty, little),
            f"{len(short)} batches did not fit and came again in halves",
        )

    def model_with_little_memory(self) -> Row:
        """A second model that does not fit is refused, and the first one answers as before."""
        from explorer.api.question import MachineFault
        from explorer.questions.masking.surprisal.question import SurprisalRequest

        self._load(self._device)
        request = SurprisalRequest(self._text(min(SWEPT, self._longest)))
        before = self._ask(request)
        with self._little_memory():
            try:
                self._load(self._device, "B")
            except MachineFault as fault:
                said = fault.message
            else:
                raise RuntimeError("The second model fitted.")
        after = self._ask(request)
        self._load(self._device, "B")
        self._runner.unload("B")
        return self._unmoved(
            f"a model for which there is no memory on {self._device}",
            _apart(before, after),
            f'refused ("{said}"), the other one answers as before, and with memory it loads',
        )

    @contextmanager
    def _little_memory(self) -> Iterator[list[int]]:
        """Let memory run out; gives what counts how often it did in a forward pass."""
        import torch

        short: list[int] = []
        if self._device.startswith("cuda"):
            torch.cuda.empty_cache()
            total = torch.cuda.mem_get_info(self._device)[1]
            taken = torch.cuda.memory_reserved(self._device) + LEFT
            torch.cuda.set_per_process_memory_fraction(min(1.0, taken / total), self._device)
            before = torch.cuda.memory_stats(self._device).get("num_ooms", 0)
            try:
                yield short
            finally:
                torch.cuda.set_per_process_memory_fraction(1.0, self._device)
                after = torch.cuda.memory_stats(self._device).get("num_ooms", 0)
                short.extend(range(after - before))
            return

        def refuse(_module: Any, _args: Any, inputs: Any) -> None:
            rows = len(inputs.get("input_ids", ()))
            if rows > ROWS:
                short.append(rows)
                raise torch.OutOfMemoryError("out of memory, for the benchmark")

        def nowhere(*_: Any) -> None:
            raise torch.OutOfMemoryError("out of memory, for the benchmark")

        base = self._runner.models["A"].module.base_model
        hook = base.register_forward_pre_hook(refuse, with_kwargs=True)
        try:
            with mock.patch.object(torch.nn.Module, "to", nowhere):
                yield short
        finally:
            hook.remove()

    # ---- two models ------------------------------------------------------------------------

    def two_models(self, repeats: int) -> Row:
        """Two models on one device, asked in turns, against one of them that is asked twice."""
        from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest

        text = self._text(min(FILLED, self._longest)).replace(self._words[9], "[MASK]", 1)
        request = MaskedTokensRequest(text)
        self._load(self._device)
        first = self._ask(request)
        self._load(self._device, "B")
        took: dict[str, list[float]] = {"AA": [], "AB": []}
        # In turns: what a kernel takes to be sent follows the processor's clock, which drifts.
        for number in range(2 * repeats + 2):
            for slots, seconds in took.items():
                spent = median_seconds(partial(self._ask_all, request, slots), 1, 0)
                if number > 1:
                    seconds.append(spent)
        alone, both = (median(took[slots]) for slots in ("AA", "AB"))
        if not first.masks == self._ask(request).masks == self._ask(request, "B").masks:
            raise RuntimeError("The second model disturbs the first.")
        self._runner.unload("B")
        return Row(
            f"two models on {self._device}, one mask filled by each, against one of them that "
            "fills two",
            both,
            alone,
            1.2,
            f"median of {2 * repeats} in turns, the answers the same to the last digit",
        )

    def _unmoved(self, what: str, apart: float, note: str) -> Row:
        what = f"{what}: log-probabilities moved"
        return Row(what, apart * MILLION, None, MOVED * MILLION, note, unit="millionths of a nat")


def _apart(one: Any, other: Any) -> float:
    """How far the log-probabilities of two sweeps are apart at most."""
    pairs = zip(one.surprises, other.surprises, strict=True)
    return max(abs(float(a.log_probability - b.log_probability)) for a, b in pairs)


def _read() -> list[str]:
    """Sentences of the small world with a word in the middle hidden."""
    from explorer.world.corpus import documents

    found = []
    for document in documents(11):
        for sentence in document.sentences:
            words = sentence.split()
            words[len(words) // 2] = "[MASK]"
            found.append(" ".join(words))
        if len(found) >= READ:
            break
    return found[:READ]


def main() -> int:
    """Print the rows; 1 where one is beyond its bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="auto", help="auto, cuda, cuda:1, mps or cpu")
    parser.add_argument("--sentences", type=int, default=SENTENCES)
    parser.add_argument("--layers", type=int, default=12, help="of the model with random weights")
    given = parser.parse_args()
    holds = True
    for row in measured(given.device, given.sentences, num_hidden_layers=given.layers):
        unit, scale = (row.unit, 1.0) if row.unit else ("ms", 1000.0)
        beside = "" if row.theirs is None else f" against {row.theirs * scale:.1f} {unit}"
        bound = "" if math.isinf(row.at_most) else f" (at most {row.at_most:g})"
        sys.stdout.write(f"{row.what}: {row.ours * scale:.1f} {unit}{beside}{bound}; {row.note}\n")
        sys.stdout.flush()
        holds = holds and row.holds
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())

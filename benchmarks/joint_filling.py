"""A beam over three masks at BERT base size: ours, and the loop one would write by hand."""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.random_bert import save_bert_base
from benchmarks.row import Row

TOKENS, MASKS, WIDTH = 64, (10, 30, 50), 8
REPEATS = 3


def measure() -> Row:
    """Time both in turns on the same random weights; both must find the same filling."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "bert-base-random"
        words = save_bert_base(folder)[: TOKENS - 2]
        for place in MASKS:
            words[place] = "[MASK]"
        text = " ".join(words)
        ours, by_hand = _ours(folder, text), _by_hand(folder, text)
        if ours() != by_hand():
            raise RuntimeError("The two searches found different fillings.")
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(REPEATS):
            for work, taken in zip((ours, by_hand), times, strict=True):
                start = time.perf_counter()
                work()
                taken.append(time.perf_counter() - start)
    mine, theirs = (statistics.median(taken) for taken in times)
    return Row(
        f"beam search of width {WIDTH} over {len(MASKS)} masks, {TOKENS} tokens, BERT base size, "
        "with the independent answers, the steps and the table of two masks, against a loop over "
        "transformers that finds the filling only",
        mine,
        theirs,
        0.6,
        f"median of {REPEATS} in turns, random weights, float32, CPU; the loop runs one hypothesis "
        "at a time and the head at every token",
    )


def _ours(folder: Path, text: str) -> Callable[[], tuple[int, ...]]:
    from explorer.api.family import LoadOptions
    from explorer.api.question import Context
    from explorer.engine.library.inspection import inspect_folder
    from explorer.engine.plugins.host import PluginHost
    from explorer.questions.masking.joint_decoding.compute import run
    from explorer.questions.masking.joint_decoding.question import JointDecodingRequest

    root = Path(__file__).resolve().parents[1]
    files = inspect_folder(folder)
    family, _ = PluginHost(root / "plugins", None, entry_points=False).family_of(files)
    model = family.load(str(folder), files, LoadOptions(device="cpu"), Context())
    request = JointDecodingRequest(text, width=WIDTH, top_k=WIDTH)

    def fill() -> tuple[int, ...]:
        best = run(model, request, Context()).fillings[0]
        return tuple(one.id for one in best.chosen)

    return fill


def _by_hand(folder: Path, text: str) -> Callable[[], tuple[int, ...]]:
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    model = AutoModelForMaskedLM.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    ids = tokenizer(text, return_tensors="pt")["input_ids"]
    places = (ids[0] == tokenizer.mask_token_id).nonzero().flatten().tolist()

    def fill() -> tuple[int, ...]:
        beams: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
        for step, place in enumerate(places):
            longer: list[tuple[float, tuple[int, ...]]] = []
            for total, pieces in beams:
                filled: Any = ids.clone()
                for earlier, piece in zip(places[:step], pieces, strict=True):
                    filled[0, earlier] = piece
                with torch.inference_mode():
                    logs = model(input_ids=filled).logits[0, place].log_softmax(-1)
                top, found = logs.topk(WIDTH)
                longer += [
                    (total + log, (*pieces, piece))
                    for log, piece in zip(top.tolist(), found.tolist(), strict=True)
                ]
            beams = sorted(longer, reverse=True)[:WIDTH]
        return beams[0][1]

    return fill

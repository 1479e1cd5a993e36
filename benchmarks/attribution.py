"""Integrated gradients at BERT base size: ours through the engine, and Captum's in a script."""

import importlib
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.engine import engine_with
from benchmarks.random_bert import save_bert_base
from benchmarks.row import NotMeasured, Row

TOKENS, STEPS, REPEATS = 25, 50, 5
WHAT = (
    f"integrated gradients of {STEPS} steps, {TOKENS} tokens, BERT base size, engine to UI "
    "included, against Captum 0.9"
)


def measure() -> Row:
    """Time both in turns on the same random weights; both must find the same scores.

    Raises:
        NotMeasured: Captum is not installed.
    """
    from explorer.questions.cause.attribution.question import AttributionRequest, derived

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "bert-base-random"
        words = save_bert_base(folder)
        theirs = _captum(folder)
        times: tuple[list[float], list[float]] = ([], [])
        with engine_with(folder) as ours:
            for turn in range(REPEATS + 1):
                seen = words[turn : turn + TOKENS - 2]
                word, seen[TOKENS // 2] = seen[TOKENS // 2], "[MASK]"
                text = " ".join(seen)
                start = time.perf_counter()
                asked = AttributionRequest(text, word=word, beside=None, steps=STEPS)
                found = derived(ours(asked))["scores"]
                mine = time.perf_counter() - start
                start = time.perf_counter()
                other = theirs(text, word)
                taken = time.perf_counter() - start
                if not np.allclose(found, other, atol=1e-4):
                    raise RuntimeError("The two found different scores.")
                if turn:
                    times[0].append(mine)
                    times[1].append(taken)
    ours_taken, theirs_taken = (statistics.median(taken) for taken in times)
    return Row(
        WHAT,
        ours_taken,
        theirs_taken,
        1.0,
        f"median of {REPEATS} sentences in turns, random weights, float32, CPU; Gauss-Legendre, "
        "the baseline [MASK], all steps in one batch on both sides; ours tells the curves of "
        f"insertion and deletion too, {2 * (TOKENS - 2)} more texts",
    )


def _captum(folder: Path) -> Callable[[str, str], Any]:
    """Scores of a text's tokens for a word at its mask, as Captum's users get them."""
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    try:
        attr = importlib.import_module("captum.attr")
    except ImportError:
        raise NotMeasured(
            WHAT, "captum is not installed here (pip install captum==0.9.0)"
        ) from None
    model = AutoModelForMaskedLM.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    mask = tokenizer.mask_token_id

    def scores(text: str, word: str) -> Any:
        ids = tokenizer(text, return_tensors="pt")["input_ids"]
        (place,) = (ids[0] == mask).nonzero()[0].tolist()
        number = tokenizer.convert_tokens_to_ids(word)
        special = torch.tensor(
            tokenizer.get_special_tokens_mask(ids[0], already_has_special_tokens=True)
        )
        baseline = torch.where(special.bool(), ids, mask)

        def forward(given: Any) -> Any:
            return model(input_ids=given).logits[:, place].log_softmax(-1)[:, number]

        way = attr.LayerIntegratedGradients(forward, model.bert.embeddings.word_embeddings)
        found = way.attribute(ids, baseline, n_steps=STEPS, method="gausslegendre")
        return found[0].sum(-1).detach().numpy()

    return scores

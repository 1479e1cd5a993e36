"""Filling one mask at BERT base size and 128 tokens: our engine and pipe, and the pipeline."""

import tempfile
from pathlib import Path

from benchmarks.engine import engine_with
from benchmarks.random_bert import save_bert_base
from benchmarks.row import Row, median_seconds

TOKENS = 128
REPEATS = 40


def measure() -> Row:
    """Time both in one run, on the same random weights and the same text."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "bert-base-random"
        words = save_bert_base(folder)
        text = " ".join([*words[: TOKENS // 2], "[MASK]", *words[TOKENS // 2 : TOKENS - 3]])
        theirs = _pipeline(folder, text)
        ours = _engine(folder, text)
    return Row(
        "fill one mask, BERT base size, 128 tokens, engine to UI included, "
        "against transformers' fill-mask pipeline",
        ours,
        theirs,
        0.80,
        f"median of {REPEATS}, random weights, float32, CPU, pipe and pickling included",
    )


def _pipeline(folder: Path, text: str) -> float:
    from transformers import AutoModelForMaskedLM, AutoTokenizer, pipeline

    fill = pipeline(
        "fill-mask",
        model=AutoModelForMaskedLM.from_pretrained(folder),
        tokenizer=AutoTokenizer.from_pretrained(folder),
        top_k=10,
    )
    return median_seconds(lambda: fill(text), REPEATS)


def _engine(folder: Path, text: str) -> float:
    from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest

    with engine_with(folder) as ask:
        return median_seconds(lambda: ask(MaskedTokensRequest(text)), REPEATS)

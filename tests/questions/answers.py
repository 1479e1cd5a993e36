"""A small BERT with a head for answers, and what transformers' pipeline answered with it."""

from pathlib import Path

QA = Path(__file__).resolve().parents[1] / "reference" / "qa"
UNANSWERED: frozenset[str] = frozenset()
"""Questions that no bundled model has a head for."""
LABELS = QA.parent / "labels"
"""A small BERT with random weights that labels tokens: O, B-PER, I-PER, B-LOC."""

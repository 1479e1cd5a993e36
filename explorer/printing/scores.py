"""Scores of given words for people."""

import math

from explorer.document import Document
from explorer.questions.masking.candidate_words.question import ScoreWordsResult, WordScore


def show_scores(result: ScoreWordsResult, document: Document) -> None:
    """Print the words of every gap, most probable first."""
    stamp = result.model
    print(f"{stamp.id}  ({stamp.family}, {stamp.dtype} on {stamp.device})")
    print(document.text if document.pair is None else f"{document.text}  |  {document.pair}")
    print(result.method)
    if result.note:
        print(result.note)
    for number, gap in enumerate(result.gaps, start=1):
        print(f"\nmask {number} of {len(result.gaps)}, token {gap.positions[0]}")
        if gap.favourite is not None:
            best = gap.favourite
            print(f"the model's own first choice: {best.word} ({best.probability:.4f})")
        width = max(len(one.word) for one in gap.scores)
        print(f"      {'':<{width}}  probability  log-odds   rank  pieces")
        for one in sorted(gap.scores, key=_place):
            print(f"{one.place or '-':>4}  {one.word:<{width}}  {_line(one)}")


def _place(one: WordScore) -> tuple[bool, int]:
    return one.place is None, one.place or 0


def _line(one: WordScore) -> str:
    if one.log_probability is None or one.log_odds is None:
        return one.problem
    probability = math.exp(one.log_probability)
    digits = f"{probability:.4f}" if probability >= 0.0001 else f"{probability:.2e}"
    rank = "-" if one.rank is None else f"{one.rank:,}"
    pieces = " ".join(piece.token for piece in one.pieces)
    return f"{digits:>11}  {one.log_odds:+8.3f}  {rank:>5}  {pieces}"

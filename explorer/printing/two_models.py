"""Two models at the same masks, for people."""

from explorer.document import Document
from explorer.questions.masking.two_models.question import CompareFillingsResult


def show_comparison(result: CompareFillingsResult, document: Document) -> None:
    """Print what both vocabularies share, then each mask's words side by side."""
    print(f"A {result.model.id}  ({result.first_words:,} words)")
    print(f"B {result.other.id}  ({result.second_words:,} words)")
    print(document.text if document.pair is None else f"{document.text}  |  {document.pair}")
    print(f"words in both: {result.shared_words:,}{' (capitals aside)' if result.folded else ''}")
    if result.note:
        print(result.note)
    for number, mask in enumerate(result.masks, start=1):
        kl = "infinite" if mask.kl is None else f"{mask.kl:.4f} nats"
        print(
            f"\n mask {number} of {len(result.masks)}: KL(A || B) {kl}, belief that differs "
            f"{mask.total_variation * 100:.1f} %, covered by words of both "
            f"{mask.first_covered * 100:.1f} % of A and {mask.second_covered * 100:.1f} % of B"
        )
        width = max(len(one.word) for one in mask.words)
        print(f"{'':<{width}}         A  rank         B  rank")
        for one in mask.words:
            first = _shown(one.first, one.first_rank)
            print(f"{one.word:<{width}}  {first}  {_shown(one.second, one.second_rank)}")


def _shown(value: float | None, rank: int | None) -> str:
    if value is None or rank is None:
        return f"{'-':>8}  {'':>4}"
    digits = f"{value:8.4f}" if value >= 0.0001 else f"{value:8.1e}"
    return f"{digits}  {rank:>4}"

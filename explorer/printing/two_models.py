"""Two models at the same masks, for people."""

from explorer.api import Table
from explorer.headless import Answered
from explorer.printing.heads import print_notes, print_text
from explorer.printing.tables import print_table, small


def show_comparison(answered: Answered) -> None:
    """Print what both vocabularies share, then each mask's words side by side."""
    result = answered.result
    print(f"A {result.model.id}  ({result.first_words:,} words)")
    print(f"B {result.other.id}  ({result.second_words:,} words)")
    print_text(answered)
    print(f"words in both: {result.shared_words:,}{' (capitals aside)' if result.folded else ''}")
    print_notes(result)
    for number, mask in enumerate(result.masks, start=1):
        kl = "infinite" if mask.kl is None else f"{mask.kl:.4f} nats"
        print(
            f"\n mask {number} of {len(result.masks)}: KL(A || B) {kl}, belief that differs "
            f"{mask.total_variation * 100:.1f} %, covered by words of both "
            f"{mask.first_covered * 100:.1f} % of A and {mask.second_covered * 100:.1f} % of B"
        )
        rows = tuple(
            (one.word, _said(one.first), one.first_rank, _said(one.second), one.second_rank)
            for one in mask.words
        )
        print_table(Table(("", "A", "rank", "B", "rank"), rows))


def _said(value: float | None) -> str:
    return "-" if value is None else small(value)

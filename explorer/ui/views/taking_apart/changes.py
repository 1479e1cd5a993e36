"""Predictions before and after an intervention, as blocks of a page."""

from explorer.document import Document
from explorer.questions.attention.head_ablation.question import Changes, MaskChange
from explorer.questions.masking.mask_card_text import context_of, left_out_said, perplexity
from explorer.ui.blocks.block import Laid, stack
from explorer.ui.blocks.text import Words
from explorer.ui.sentence.token_layout import MASK_LABEL
from explorer.ui.views.taking_apart.beside import Inner, beside
from explorer.ui.views.taking_apart.change_rows import (
    ChangeRows,
    rows_of_mask,
    rows_of_tokens,
)
from explorer.ui.widgets.bar_rows import in_digits, scale_for

NARROWEST, WIDEST = 380.0, 700.0
"""Of one mask's words, in pixels."""


def change_blocks(
    changes: Changes, document: Document | None, width: float
) -> list[tuple[float, Laid]]:
    """What was predicted before, and what after.

    Args:
        changes: The predictions.
        document: The one that asked.
        width: In pixels.

    Returns:
        The room above each block, and the block.
    """
    blocks: list[tuple[float, Laid]] = []
    said = left_out_said(changes.left_out)
    if said:
        blocks.append((4, Words(said, width, "small", "warning")))
    if changes.note:
        blocks.append((4, Words(changes.note, width, "small", "muted")))
    if changes.masks:
        known = [
            p
            for mask in changes.masks
            for word in mask.words
            for p in (word.before, word.after)
            if p is not None
        ]
        scale = scale_for(max(known, default=1.0))

        def maker(mask: MaskChange) -> "MaskBlock":
            return MaskBlock(mask, changes, document, scale)

        makers = [maker(mask) for mask in changes.masks]
        blocks.append((8, beside(makers, width, NARROWEST, WIDEST)))
    rows = rows_of_tokens(changes)
    if rows:
        title = "How probable it is that each token was replaced"
        blocks.append((12, Words(title, width, "strong")))
        blocks.append((4, ChangeRows(rows, min(width, WIDEST))))
    return blocks


class MaskBlock:
    """Makes the block of one mask: its context, how unsure the model is, and its words."""

    def __init__(
        self, mask: MaskChange, changes: Changes, document: Document | None, scale: float
    ) -> None:
        self._mask, self._changes, self._document, self._scale = mask, changes, document, scale

    def __call__(self, width: float) -> Inner:
        """The block at a width."""
        mask = self._mask
        context = context_of(self._changes.tokens, mask.position, self._document)
        before, after = mask.best
        line = f"{context.before} {MASK_LABEL} {context.after}".strip()
        said = (
            f"Entropy {mask.entropy_before:.2f} → {mask.entropy_after:.2f} nats: as unsure as "
            f"among {_count(mask.entropy_before)}, then {_count(mask.entropy_after)} words"
        )
        verdict = f"“{before.word}” stays first." if before is after else ""
        if before is not after:
            verdict = f"First was “{before.word}”, now it is “{after.word}”."
        page = stack(
            [
                (0, Words(line, width, "strong")),
                (2, Words(said, width, "small", "muted")),
                (1, Words(verdict, width, "small", "muted")),
                (6, ChangeRows(rows_of_mask(mask), width, self._scale)),
            ],
            width,
        )
        return Inner(page)


def _count(entropy: float) -> str:
    among = perplexity(entropy)
    return f"{among:,.1f}" if among < 99.95 else f"{among:,.0f}"


def verdict_said(changes: Changes) -> str:
    """What an intervention did, in one line; "" where nothing could be predicted."""
    said = []
    for mask in changes.masks:
        before, after = mask.best
        if before.before is None:
            continue
        then = "not found" if before.after is None else in_digits(before.after)
        words = f"“{before.word}” {in_digits(before.before)} → {then}"
        if before is not after:
            words += f", first is now “{after.word}”"
        said.append(words)
    was, now = changes.replaced_before, changes.replaced_after
    if was is not None and now is not None:
        far = float(abs(now - was).mean())
        said.append(f"chances that tokens were replaced move by {in_digits(far)} on average")
    return "; ".join(said)

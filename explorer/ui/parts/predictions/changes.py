"""Predictions before and after: a table a mask, and what is judged of every token."""

import math
from collections.abc import Iterator, Sequence

from explorer.api.question.parts.predictions.changes import (
    Changed,
    MaskChange,
    PredictionChanges,
    WordChange,
)
from explorer.document import Document
from explorer.text import _, said
from explorer.text.formatting.numbers import decimal, whole
from explorer.text.formatting.probabilities import in_digits, scale_for
from explorer.text.glossary import explain
from explorer.text.pieces import word_or_piece
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.mask_context import ContextLine, context_of
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.bar_table import NOT_THERE, BarTable
from explorer.ui.blocks.tables.rows import Bar, BarAxis, BarColumn, BarRow
from explorer.ui.blocks.text import Text, note
from explorer.ui.parts.looking import Looking


def blocks(part: Changed, looking: Looking) -> Iterator[Block]:
    """What was predicted before, and what after."""
    yield from change_blocks(part.changes, looking.shown.asked)


def change_blocks(changes: PredictionChanges, document: Document) -> Iterator[Block]:
    """What was predicted before, and what after.

    Args:
        changes: The predictions.
        document: The one that asked.
    """
    if changes.note:
        yield note(said(changes.note))
    if changes.masks:
        words = [word for mask in changes.masks for word in mask.words]
        known = [p for word in words for p in (word.before, word.after) if p is not None]
        scale = scale_for(max(known, default=1.0))
        peers = [row_of_word(word, scale) for word in words]
        yield Columns(
            [
                Card(
                    list(_mask_blocks(mask, changes, document, scale, peers)),
                    _("Mask at position {position}", position=str(mask.position)),
                    mask.position,
                )
                for mask in changes.masks
            ],
        )
    rows, scale = rows_of_tokens(changes)
    if rows:
        title = _("How probable it is that each token was replaced")
        yield Text(title, "strong", above=Space.APART)
        yield changes_table(rows, scale, title)


def _mask_blocks(
    mask: MaskChange,
    changes: PredictionChanges,
    document: Document,
    scale: float,
    peers: Sequence[BarRow],
) -> Iterator[Block]:
    """A mask: its context, how unsure the model is, and its words."""
    yield ContextLine(context_of(changes.tokens, mask.position, document))
    unsure = _(
        "Entropy {before} → {after} nats: as unsure as among {among_before}, then {among_after} "
        "words",
        before=decimal(mask.entropy_before, 2),
        after=decimal(mask.entropy_after, 2),
        among_before=_count(mask.entropy_before),
        among_after=_count(mask.entropy_after),
    )
    yield note(unsure, words=f"{explain('entropy')}\n{explain('perplexity')}")
    before, after = mask.best
    if before is after:
        yield note(_("“{word}” stays first.", word=before.word), above=Space.TIGHT)
    else:
        yield note(
            _("First was “{before}”, now it is “{after}”.", before=before.word, after=after.word),
            above=Space.TIGHT,
        )
    rows = [row_of_word(word, scale) for word in mask.words]
    title = _(
        "Predictions before and after for the mask at position {position}",
        position=str(mask.position),
    )
    yield changes_table(rows, scale, title, peers)


def changes_table(
    rows: Sequence[BarRow], scale: float, title: str, peers: Sequence[BarRow] = ()
) -> BarTable:
    """Probabilities before and after, a row each: two bars, two numbers, and the difference."""
    return BarTable(
        rows,
        (
            BarColumn(_("before")),
            BarColumn(_("after"), title_colour="accent"),
            BarColumn(_("change"), dispensable=True),
        ),
        BarAxis(scale),
        title,
        first=1,
        bold=False,
        track=True,
        peers=peers,
    )


def row_of_word(one: WordChange, scale: float) -> BarRow:
    """A word at a mask, with its change in the colour that it has on the axis."""
    return _row(
        word_or_piece(one),
        one.before,
        one.after,
        scale,
        about(one),
        is_original=one.is_original,
    )


def rows_of_tokens(changes: PredictionChanges) -> tuple[list[BarRow], float]:
    """A discriminator's probabilities that the tokens were replaced; special ones left out.

    Returns:
        The rows, and the end of their axis.
    """
    before, after = changes.replaced_before, changes.replaced_after
    if before is None or after is None:
        return [], 1.0
    judged = [
        (position, token, float(before[position]), float(after[position]))
        for position, token in enumerate(changes.tokens)
        if not token.special
    ]
    scale = scale_for(max([p for *_token, was, now in judged for p in (was, now)], default=1.0))
    return [
        _row(
            token.text,
            was,
            now,
            scale,
            _(
                "{token}, at position {position}\nReplaced, before: {before}\nAfter: {after}",
                token=token.text,
                position=str(position),
                before=in_digits(was),
                after=in_digits(now),
            ),
        )
        for position, token, was, now in judged
    ], scale


def _row(
    label: str,
    before: float | None,
    after: float | None,
    scale: float,
    words: str,
    *,
    is_original: bool = False,
) -> BarRow:
    change = after - before if before is not None and after is not None else None
    numbers = (NOT_THERE if p is None else in_digits(p) for p in (before, after))
    bars = (
        None if p is None else Bar(p, colour) for p, colour in ((before, "muted"), (after, "bar"))
    )
    return BarRow(
        label,
        (*numbers, signed(change) if change is not None else ""),
        tuple(bars),
        tag=_("original") if is_original else "",
        strong=is_original,
        ground="mask_fill" if is_original else "",
        words=words,
        shades=(None, None, change / scale if change is not None else None),
    )


def signed(change: float) -> str:
    """A difference with its sign and four decimals; "0" where there is none at all."""
    if change == 0:
        return "0"
    if abs(change) < 0.00005:
        return "+0.0000" if change > 0 else "−0.0000"
    return f"{'+' if change > 0 else '−'}{abs(change):.4f}"


def about(one: WordChange) -> str:
    """What is known of a word, line by line."""
    lines = [word_or_piece(one), _("Piece: {token}", token=one.token)]
    if one.before is None or one.rank_before is None:
        lines.append(_("Before: not found by the search for spans"))
    else:
        lines.append(
            _(
                "Before: {probability}, rank {rank}",
                probability=in_digits(one.before),
                rank=whole(one.rank_before),
            )
        )
    if one.after is None or one.rank_after is None:
        lines.append(_("After: not found by the search for spans"))
    else:
        lines.append(
            _(
                "After: {probability}, rank {rank}",
                probability=in_digits(one.after),
                rank=whole(one.rank_after),
            )
        )
    if one.is_original:
        lines.append(_("The word that is under the mask."))
    return "\n".join(lines)


def _count(entropy: float) -> str:
    among = math.exp(entropy)
    return decimal(among, 1) if among < 99.95 else decimal(among, 0)

"""SpanBERT's span-boundary predictions beside those of its masked-LM head."""

from collections.abc import Iterator

from explorer.document import Document
from explorer.questions.masking.span_boundary.question import (
    OPERATION,
    Span,
    SpanBoundaryResult,
    SpanToken,
)
from explorer.text import N_, _, ngettext, said
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.pairs import Pair, pairs
from explorer.ui.blocks.text import heading, note
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.parts.word_table import TAG
from explorer.ui.sentence import pieces as of

ABOUT = N_(
    "SpanBERT learned to tell each word of a masked span from the two tokens beside the span and "
    "the word's place in it, without a look at the masked tokens themselves (span-boundary "
    "objective; blue). Its masked-LM head reads the masked token's own state, as every BERT does "
    "(green)."
)


def blocks(shown: Shown) -> Iterator[Block]:
    """The sentence with its spans, then a table of words for every token of every span."""
    result: SpanBoundaryResult = shown.result
    yield note(_(ABOUT))
    notes = {
        token.position: _("place {place}", place=token.place)
        for span in result.spans
        for token in span.tokens
    }
    for span in result.spans:
        notes.update({span.left: _("boundary"), span.right: _("boundary")})
    yield Tokens(result.tokens, shown.asked, notes)
    every = [pair for span in result.spans for token in span.tokens for pair in _pairs(token)]
    for span in result.spans:
        said = span_said(result, span, shown.asked)
        yield heading(said[:1].upper() + said[1:])
        for token in span.tokens:
            yield note(token_said(token))
            title = _("Words at place {place}", place=token.place)
            yield pairs(_pairs(token), (_("boundary"), _("masked LM")), title, every)


def _pairs(token: SpanToken) -> list[Pair]:
    return [
        Pair(
            one.word,
            one.boundary,
            one.boundary_rank,
            one.masked_lm,
            one.masked_lm_rank,
            _(TAG) if one.is_original else "",
        )
        for one in token.words
    ]


def span_said(result: SpanBoundaryResult, span: Span, document: Document | None) -> str:
    """Between which tokens a span lies."""
    pieces = of.of_tokens(result.tokens, document)
    left, right = pieces[span.left].text, pieces[span.right].text
    count = span.right - span.left - 1
    between = ngettext(
        "{count} masked token between “{left}” and “{right}”",
        "{count} masked tokens between “{left}” and “{right}”",
        count,
        left=left,
        right=right,
    )
    return f"{between}. {said(span.problem)}" if span.problem else between


def token_said(token: SpanToken) -> str:
    """Which place it is, and how unsure each head is there."""
    said = _(
        "Place {place}: entropy {boundary_entropy} nats from the boundary",
        place=token.place,
        boundary_entropy=decimal(token.boundary_entropy, 2),
    )
    if token.masked_lm_entropy is not None:
        said += _(
            ", {masked_lm_entropy} from the masked token",
            masked_lm_entropy=decimal(token.masked_lm_entropy, 2),
        )
    return said


PAGE = Page(OPERATION, blocks)

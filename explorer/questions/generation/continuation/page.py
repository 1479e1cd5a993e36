"""The text with its new tokens, what each was chosen from, all steps, and the tree of beams."""

from collections.abc import Iterator, Mapping

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.generation.continuation.beams import beams
from explorer.questions.generation.continuation.cut_chart import cut_chart
from explorer.questions.generation.continuation.options import (
    MAX_NEW_TOKENS,
    NUM_BEAMS,
    ROUNDS,
    STRATEGY,
    Strategy,
    strategy_of,
)
from explorer.questions.generation.continuation.question import (
    OPERATION,
    ContinuationResult,
    alternatives,
    tree,
)
from explorer.questions.generation.continuation.step import (
    distribution,
    step_of,
    steps,
    take,
)
from explorer.questions.generation.continuation.tokens_in_text import scored
from explorer.questions.generation.continuation.wording import (
    ABOUT,
    ABOUT_GIBBS,
    APART,
    CHOSEN_FROM,
    DRAWN_FROM,
    GIBBS,
    cuts_said,
    numbers_said,
    shown_text,
)
from explorer.questions.reading_time import takes_long, tokens_about
from explorer.text import N_, _
from explorer.ui.blocks.beside import Beside
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Offer, Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.entries import Entries, Entry
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.text import heading, note, warning
from explorer.ui.matrices.scored_tokens import ScoredTokens


def blocks(shown: Shown) -> Iterator[Block]:
    """The text, the tree of beams, one step beside all of them, the rounds."""
    result: ContinuationResult = shown.result
    if result.gibbs:
        yield warning(_(GIBBS))
    if not result.tokens:
        return
    yield Numbers(tuple(Number(*one) for one in numbers_said(result)))
    yield ScoredTokens(scored(shown, result), _("The text and its new tokens"))
    about, gesture = (ABOUT_GIBBS, DRAWN_FROM) if result.gibbs else (ABOUT, CHOSEN_FROM)
    yield note(_(about), hint=_(gesture))
    yield Beside()
    if result.apart:
        yield note(_(APART), above=Space.TIGHT)
    if any(token.taken for token in result.tokens):
        own = take(shown, (), _("the model’s own tokens"))
        yield Chips((Chip(_("Let the model choose all tokens"), own),))
    before: ContinuationResult | None = shown.before
    if before is not None:
        yield heading(_("Pinned"))
        yield ScoredTokens(scored(shown, before, there=True), _("The pinned text"))
    if result.tree:
        yield beams(shown)
    step = step_of(shown)
    yield Columns(
        (
            Card(tuple(_step(shown, step)), _("Step {step}", step=step + 1)),
            Card((heading(_("All steps")), steps(shown, step)), _("All steps")),
        ),
        framed=False,
        above=Space.SECTION,
    )
    if len(result.texts) > 1:
        yield heading(_("Round by round"))
        rounds = enumerate(result.texts, start=1)
        yield Entries(tuple(Entry(str(n), text=text.strip()) for n, text in rounds))


def _step(shown: Shown, step: int) -> Iterator[Block]:
    token = shown.result.tokens[step]
    yield heading(_("Step {step}: “{token}”", step=step + 1, token=shown_text(token)))
    yield distribution(shown, step)
    yield Beside(len(shown.result.prompt) + step)
    cut = cuts_said(token)
    chart = cut_chart(token)
    if chart is not None:
        yield chart
    if cut:
        yield note(cut)
        yield note(
            _("The upper bar is the model’s probability, the lower one what was drawn with.")
        )


def offers(_now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """Rounds for masked models, and beams for the others."""
    gibbs = shown is not None and bool(shown.result.gibbs)
    offered = {ROUNDS.key: Offer(there=gibbs)}
    if gibbs:
        kept = tuple(one for one in STRATEGY.entries if one.value != Strategy.BEAM.value)
        offered[STRATEGY.key] = Offer(kept)
    return offered


def waits(document: Document, card: ModelCard, _shown: Shown | None) -> bool:
    """Many tokens of a large model, or many beams."""
    beams_ = NUM_BEAMS.of(document) if strategy_of(document) is Strategy.BEAM else 1
    return takes_long(card, tokens_about(document) + MAX_NEW_TOKENS.of(document) * beams_)


PAGE = Page(
    OPERATION,
    blocks,
    draws_pinned=True,
    table_name=N_("steps"),
    other_tables={
        N_("alternatives"): lambda shown: alternatives(shown.result),
        N_("beams"): lambda shown: tree(shown.result),
    },
    is_live=True,
    waits=waits,
    waiting_hint=N_("So many tokens take this model a while. Press Run to let it write."),
    offers=offers,
)

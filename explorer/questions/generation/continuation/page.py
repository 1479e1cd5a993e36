"""What the continuation draws itself: the text, the tree of beams, and where a step is cut."""

from collections.abc import Iterator, Mapping

from explorer.api.question import ModelCard
from explorer.document import Document
from explorer.questions.generation.continuation.beams import beams
from explorer.questions.generation.continuation.cut_chart import cut_chart
from explorer.questions.generation.continuation.options import AT, ROUNDS, STRATEGY, Strategy
from explorer.questions.generation.continuation.parts import BEAMS, CUT, EXACTLY, PINNED, TEXT
from explorer.questions.generation.continuation.question import QUESTION, ContinuationResult
from explorer.questions.generation.continuation.rows import tree
from explorer.questions.generation.continuation.tokens_in_text import scored
from explorer.text import N_, _
from explorer.ui.blocks import Beside, Block, Offer, ScoredTokens, Shown, heading, page_of_parts


def text(shown: Shown) -> Iterator[Block]:
    """The text and its new tokens."""
    yield ScoredTokens(scored(shown, shown.result), _("The text and its new tokens"))


def pinned(shown: Shown) -> Iterator[Block]:
    """Those of the pinned answer."""
    before: ContinuationResult | None = shown.before
    if before is not None:
        yield heading(_("Pinned"))
        yield ScoredTokens(scored(shown, before, there=True), _("The pinned text"))


def cut(shown: Shown) -> Iterator[Block]:
    """What is exact at the step that is looked at, and where its distribution is cut."""
    result: ContinuationResult = shown.result
    step = result.step_at(shown.value(AT))
    yield Beside(len(result.prompt) + step)
    chart = cut_chart(result.tokens[step])
    if chart is not None:
        yield chart


def offers(_now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """Rounds for masked models, and beams for the others."""
    gibbs = shown is not None and bool(shown.result.gibbs)
    offered = {ROUNDS.key: Offer(there=gibbs)}
    if gibbs:
        kept = tuple(one for one in STRATEGY.entries if one.value != Strategy.BEAM.value)
        offered[STRATEGY.key] = Offer(kept)
    return offered


PAGE = page_of_parts(
    QUESTION,
    {
        TEXT: text,
        EXACTLY: lambda _shown: (Beside(),),
        PINNED: pinned,
        BEAMS: lambda shown: (beams(shown),),
        CUT: cut,
    },
    draws_pinned=True,
    table_name=N_("steps"),
    other_tables={N_("beams"): lambda shown: tree(shown.result)},
    is_live=True,
    offers=offers,
)

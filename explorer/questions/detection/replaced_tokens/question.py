"""Which tokens did a generator replace, and does the discriminator notice?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from explorer.api.question import (
    BESIDE,
    DISCRIMINATOR,
    GENERATOR,
    NOTHING_LOADED,
    PREDICTIONS,
    SLOTS,
    TOKENS,
    Asks,
    BidirectionalPredictor,
    Cell,
    Detail,
    Discriminator,
    Items,
    LeftOut,
    Listing,
    Loaded,
    ModelCard,
    ModelStamp,
    Pool,
    Prediction,
    Question,
    Situation,
    Table,
    Template,
    TemplateEntry,
    Token,
    Topic,
    UserMistake,
    a_text,
    asked,
    check_text,
    column,
    spaces_stay_visible,
    told_by,
)
from explorer.api.question.roles import other_slot
from explorer.document import Document, Mask
from explorer.exact_answers.asking import exactly
from explorer.numerics.evaluation.outcomes import DEFAULT_THRESHOLD, Counts, count, outcome
from explorer.numerics.evaluation.roc import RocPoint, area_under
from explorer.questions.detection.cards import pooled
from explorer.questions.detection.casting import (
    FILLS,
    JUDGES,
    judge_and_drawer,
    judge_of,
)
from explorer.questions.detection.drawing import GREEDY, RATE, TEMPERATURE, THRESHOLD
from explorer.questions.detection.pair_of_models import NEEDS_A_DISCRIMINATOR
from explorer.questions.detection.pooling import COLUMNS, gather, told, verdict_cells
from explorer.questions.detection.replaced_tokens.options import (
    CURVES,
    OPTIONS,
    PAPER_WEIGHT,
    SEED,
    WEIGHT,
    Corruption,
    Replacement,
)
from explorer.questions.detection.wording import COLUMN_TITLES
from explorer.text import N_, _
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import visible


@dataclass(frozen=True)
class ReplacedTokensRequest(Asks):
    """Corrupt a sentence and ask a discriminator for every token.

    Without a generator the replacing is left to the user.

    Attributes:
        masks: Tokens that the generator replaces; without any, some are chosen by rate and seed.
        replacements: What the user puts in himself; it stands where the generator drew too.
        top_k: Of the generator's proposals, how many are told.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    rate: float = asked(RATE)
    seed: int = asked(SEED)
    replacements: tuple[Replacement, ...] = asked(
        Items(N_("Replacements"), (), N_("Words that you put in place of others.")),
        is_held=False,
    )
    temperature: float = asked(TEMPERATURE)
    greedy: bool = asked(GREEDY)
    top_k: int = asked(PREDICTIONS, 8, is_held=False)

    @classmethod
    def fields_of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> dict[str, Any]:
        """Also the words that the user put in."""
        found = super().fields_of(document, loaded)
        words = Corruption.of(document).words
        found["replacements"] = tuple(word.put for word in words)
        return found

    def fitting(self, cards: Sequence[ModelCard]) -> Self:
        """What is masked is a generator's to fill; without one it is not asked about."""
        return self if len(cards) > 1 else replace(self, masks=())


@dataclass(frozen=True)
class ChosenToken:
    """A token that was chosen, and what stands there now.

    Attributes:
        position: Its index in the result's tokens.
        drawn: The generator put it there; else the user did.
        proposals: What the generator expects, most probable first, at the request's temperature;
            empty where it was not asked.
        original: What stood there, as the generator sees it; None where it was not asked.
        sampled: What stands there now, as the generator sees it; None where it was not asked, or
            where the user's word has several pieces.
        entropy: Of the generator's distribution at the request's temperature, in nats.
        loss: The generator's cross-entropy for what stood there, in nats, at temperature 1.
    """

    position: int
    drawn: bool
    proposals: tuple[Prediction, ...] = ()
    original: Prediction | None = None
    sampled: Prediction | None = None
    entropy: float | None = None
    loss: float | None = None


@dataclass(frozen=True)
class DetectionLosses:
    """What both would be trained on, in nats.

    Attributes:
        generator: Cross-entropy averaged over the masked tokens; None without a generator.
        discriminator: Binary cross-entropy averaged over all tokens, [CLS] and [SEP] included.
        weight: The lambda of the total.
    """

    generator: float | None
    discriminator: float
    weight: float = PAPER_WEIGHT

    @property
    def total(self) -> float:
        """MLM + lambda x RTD."""
        return self.at(self.weight)

    def at(self, weight: float) -> float:
        """The total with another lambda."""
        return (self.generator or 0.0) + weight * self.discriminator


@dataclass(frozen=True)
class ReplacedTokensResult:
    """The corrupted sentence, judged.

    Attributes:
        model: The discriminator.
        other: The generator, or None.
        tokens: The input as the discriminator saw it; characters are those of the user's text.
        original: The piece that stood at each token; "" where the user's word has more pieces
            than the one it replaces.
        original_ids: Their numbers; -1 for "".
        chosen: What was chosen, in the order of the input.
        logits: The discriminator's, a token each; above zero means replaced.
        probability: That a token was replaced: the sigmoid of its logit.
        truth: Whether it was; a token that the generator guessed right was not.
        losses: With the paper's lambda.
        counts: At a threshold of one half, over the tokens of the text.
        curve: The ROC of the sentence; empty where nothing was replaced.
        masked_tokens: How many tokens the generator's loss is averaged over.
        left_out: What did not fit, or None.
    """

    model: ModelStamp
    other: ModelStamp | None
    tokens: tuple[Token, ...]
    original: tuple[str, ...]
    original_ids: tuple[int, ...]
    chosen: tuple[ChosenToken, ...]
    logits: tuple[float, ...]
    probability: tuple[float, ...]
    truth: tuple[bool, ...]
    losses: DetectionLosses
    counts: Counts
    curve: tuple[RocPoint, ...]
    masked_tokens: int = 0
    left_out: LeftOut | None = None

    def judged(self) -> tuple[list[float], list[bool]]:
        """Probability and truth of the tokens that counts are made of.

        The tokens a model adds itself are never replaced, so they are left out.
        """
        inside = [i for i, token in enumerate(self.tokens) if not token.special]
        return [self.probability[i] for i in inside], [self.truth[i] for i in inside]

    def counts_at(self, threshold: float) -> Counts:
        """The outcomes at another threshold."""
        return count(*self.judged(), threshold)

    @property
    def signals(self) -> tuple[int, int]:
        """How many tokens gave a training signal: under RTD, and under masked LM."""
        return len(self.tokens), self.masked_tokens


def check(request: ReplacedTokensRequest, *, has_generator: bool) -> None:
    """Refuse what can't be answered by any model.

    Args:
        request: What is asked.
        has_generator: A model fills what is masked.

    Raises:
        UserMistake: No text, no generator for what is masked, or a replacement that makes no sense.
    """
    check_text(request.text)
    if not has_generator and request.masks:
        raise UserMistake(
            N_("There is no generator to fill what is masked."),
            N_("Load one as the second model, or replace a word yourself."),
        )
    for one in request.replacements:
        if not one.word.strip():
            raise UserMistake(N_("A token can't be replaced by nothing."), N_("Type another word."))
        end = len(request.text if one.part == 0 else request.pair or "")
        if not 0 <= one.start < one.end <= end:
            raise UserMistake(
                N_("A replacement lies outside the text."), N_("Give characters that are in it.")
            )


@dataclass(frozen=True)
class JudgedRow:
    """A token, and whether it was taken for a replacement."""

    position: int = column(N_("position"), key=True, place=TOKENS)
    original: str = column(N_("original"), written=visible, compared=False)
    stands_there: str = column(N_("is there"), written=visible, compared=False)
    special: bool = column(N_("special"), shown=False, compared=False)
    replaced_by: str = column(N_("replaced by"), compared=False)
    generator_probability: float | None = column(N_("generator"), written=in_digits)
    generator_loss: float | None = column(N_("its loss"), unit=N_("nats"), digits=3)
    logit: float = column(N_("logit"), digits=2)
    replaced_probability: float = column(N_("replaced"), written=in_digits)
    replaced: bool = column(N_("truly replaced"), compared=False)
    outcome: str = column(N_("outcome"))


def table(result: ReplacedTokensResult, threshold: float = DEFAULT_THRESHOLD) -> Table:
    """One row a token, with its outcome at a threshold."""
    chosen = {choice.position: choice for choice in result.chosen}
    rows = []
    for i, (token, chance) in enumerate(zip(result.tokens, result.probability, strict=True)):
        choice = chosen.get(i)
        sampled = choice.sampled if choice is not None else None
        rows.append(
            JudgedRow(
                i,
                result.original[i],
                token.text,
                token.special,
                "" if choice is None else "generator" if choice.drawn else "user",
                None if sampled is None else sampled.probability,
                None if choice is None else choice.loss,
                result.logits[i],
                chance,
                result.truth[i],
                "" if token.special else outcome(chance, result.truth[i], threshold).value,
            )
        )
    return Table.of(JudgedRow, rows)


def summary(result: ReplacedTokensResult) -> Mapping[str, Cell]:
    """One row for one sentence."""
    counts, losses = result.counts, result.losses
    return {
        "tokens": counts.tokens,
        "chosen": len(result.chosen),
        "replaced": counts.replaced,
        "hits": counts.hits,
        "misses": counts.misses,
        "false_alarms": counts.false_alarms,
        "correct_rejections": counts.correct_rejections,
        "precision": counts.precision,
        "recall": counts.recall,
        "roc_area": area_under(result.curve),
        "threshold": DEFAULT_THRESHOLD,
        "generator_loss": losses.generator,
        "discriminator_loss": losses.discriminator,
        "corrupted": " ".join(token.text for token in result.tokens if not token.special),
    }


def exactly_chosen(result: ReplacedTokensResult, document: Document) -> Sequence[Detail]:
    """What the generator should have expected at the tokens it saw masked."""
    hidden = [result.tokens[one.position] for one in result.chosen if one.proposals]
    if result.other is None or not hidden:
        return ()
    masks = [Mask(token.start, token.end, token.part) for token in hidden]
    return (exactly(document, result.other, masks=masks),)


def generator_and_discriminator(at: Situation) -> list[TemplateEntry]:
    """The detection, and what the generator expects at the masks.

    Raises:
        UserMistake: There are no two models, or none of them judges.
    """
    at.both()
    judge = judge_of(at.cards, SLOTS[0])
    if not judge:
        raise UserMistake(
            N_("None of the two models detects replaced tokens."),
            N_("Load an ELECTRA discriminator or a DeBERTa v3, and its generator."),
        )
    generator = other_slot(judge)
    found = [TemplateEntry(JUDGES, at.document, label=_("Generator and discriminator"))]
    if at.document.masks and FILLS in at.cards[generator].operations:
        found.append(TemplateEntry(FILLS, at.document, generator, at.cards[generator].title))
    return found


BOTH = Template(
    "detection",
    N_("Generator and discriminator"),
    N_("What the generator proposes and what the discriminator notices."),
    generator_and_discriminator,
)


QUESTION = Question(
    name="replaced_tokens",
    title=N_("Replaced tokens"),
    asks=N_("Which tokens were replaced, and does the discriminator notice?"),
    elsewhere=NEEDS_A_DISCRIMINATOR,
    listing=Listing(Topic.PRETRAINING, 1, "find-replace", "Alt+9", in_overview=2),
    found_by=(
        "RTD",
        "replaced token detection",
        "ELECTRA",
        "discriminator",
        "generator",
        "threshold",
        "대체 토큰 탐지",
        "판별기",
        "생성기",
    ),
    request=ReplacedTokensRequest,
    result=ReplacedTokensResult,
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    follows={"threshold": THRESHOLD, "weight": WEIGHT, "learned": CURVES},
    made_from=told_by(__name__, "picture.rows"),
    beside=exactly_chosen,
    options=(*OPTIONS, BESIDE),
    conditions=(a_text(N_("Type a sentence to have some of its tokens replaced and looked for.")),),
    templates=(BOTH,),
    pool=Pool(
        lambda result: verdict_cells(*result.judged()),
        COLUMNS,
        gather,
        told,
        lambda request, line: replace(request, seed=request.seed + line),
        parts=pooled,
    ),
    optional=frozenset({GENERATOR}),
    binding=judge_and_drawer,
    roles={DISCRIMINATOR: (Discriminator,), GENERATOR: (BidirectionalPredictor,)},
    upgrades=(spaces_stay_visible,),
    formerly=("detect_replaced",),
)

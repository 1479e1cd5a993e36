"""How does the model go on with a text, token by token?"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api.question import (
    BESIDE,
    MODEL,
    Answered,
    BidirectionalPredictor,
    CausalLM,
    Cell,
    Detail,
    LeftOut,
    Listing,
    ModelCard,
    ModelStamp,
    Number,
    Question,
    ReadsEntities,
    Share,
    Switch,
    Token,
    Topic,
    Whole,
    a_text,
    any_of,
    asked,
    spaces_stay_visible,
)
from explorer.document import Document, Mask
from explorer.exact_answers.asking import exactly_next
from explorer.questions.generation.continuation.options import (
    AT,
    CUTS,
    MAX_NEW_TOKENS,
    NUM_BEAMS,
    ROUNDS,
    STRATEGY,
    TAKEN,
    Strategy,
    draws,
    strategy_of,
    used_by,
)
from explorer.questions.reading_time import takes_long, tokens_about
from explorer.text import N_, Phrase


@dataclass(frozen=True)
class ContinuationRequest(ReadsEntities):
    """Ask how a model goes on with a text.

    A model that reads from the left goes on from what stands before the first mask; T5 writes what
    its masks hide; a masked model draws them, and where there are none, new ones behind the text.
    Those tokens that were taken are given, and not chosen: the first new ones, as pieces of the
    vocabulary.
    """

    text: str
    masks: tuple[Mask, ...] = ()
    strategy: Strategy = asked(STRATEGY, made=Strategy)
    max_new_tokens: int = asked(MAX_NEW_TOKENS)
    temperature: float = asked(
        Number(
            N_("Temperature"),
            1.0,
            N_(
                "Scores are divided by it: below 1 sharper, above 1 flatter. It comes before "
                "all truncations."
            ),
            low=0.05,
            high=5.0,
            step=0.05,
            ratios=True,
            when=draws,
        )
    )
    top_k: int = asked(
        Whole(
            N_("k"),
            50,
            N_("Keep the k likeliest tokens; 0 keeps all."),
            low=0,
            high=100_000,
            when=used_by(*CUTS["top_k"]),
        )
    )
    top_p: float = asked(
        Share(
            N_("Top p"),
            0.9,
            N_("The fewest tokens are left that have this probability together; 100% for all."),
            low=0.01,
            when=used_by(*CUTS["top_p"]),
        )
    )
    min_p: float = asked(
        Share(
            N_("Min p"),
            0.05,
            N_("Tokens are left that have this share of the top one's probability; 0% for all."),
            when=used_by(*CUTS["min_p"]),
        )
    )
    typical_p: float = asked(
        Share(
            N_("Typical p"),
            0.9,
            N_(
                "Tokens are left until they have this probability together, those first whose "
                "surprisal is nearest to the entropy; 100% for all."
            ),
            low=0.01,
            when=used_by(*CUTS["typical_p"]),
        )
    )
    num_beams: int = asked(NUM_BEAMS)
    length_penalty: float = asked(
        Number(
            N_("Length penalty"),
            1.0,
            N_(
                "A text's log-probability is divided by this power of its length: above 0 longer "
                "texts win more often, below 0 shorter ones."
            ),
            low=-5.0,
            high=5.0,
            step=0.1,
            when=used_by(Strategy.BEAM),
        )
    )
    early_stopping: bool = asked(
        Switch(
            N_("Stop early"),
            False,
            N_("Stop once every beam has ended, even if another text could be better."),
            when=used_by(Strategy.BEAM),
        )
    )
    seed: int = asked(
        Whole(
            N_("Seed"),
            0,
            N_("The same seed draws the same tokens."),
            high=999_999,
            next_said=N_("Resample"),
            next_glyph="dice-multiple-outline",
            when=draws,
        )
    )
    rounds: int = asked(ROUNDS)
    alternatives: int = asked(
        Whole(
            N_("Alternatives"),
            10,
            N_("How many of each step's most probable tokens are kept."),
            low=2,
            high=100,
        )
    )
    taken: tuple[str, ...] = asked(TAKEN)


@dataclass(frozen=True)
class Alternative:
    """A token that could have been chosen.

    Attributes:
        token: The piece as the tokenizer writes it.
        id: Its number in the vocabulary.
        word: As a person writes it.
        probability: The model's own.
        share: What it was drawn with, behind temperature and cuts; 0 for one that was cut.
        rank: 1 for the model's most probable.
        cut_by: What cut it: "top_k", "top_p", "min_p", "typical_p"; "barred" for what is no text;
            "" for one that was left.
        glue: "before" for a piece that only continues the word before it, "after" for one that
            only begins a longer word; "" for a whole word.
    """

    token: str
    id: int
    word: str
    probability: float
    share: float
    rank: int
    cut_by: str = ""
    glue: str = ""


@dataclass(frozen=True)
class Cut:
    """What one of the cuts did at a step.

    Attributes:
        name: As an alternative's `cut_by`; "temperature" cuts nothing.
        tokens: How many it cut, of those that were left before.
        probability: What these have together, by the model.
        first: The least rank that it left; 0 in answers of older versions.
        last: The greatest.
    """

    name: str
    tokens: int
    probability: float
    first: int = 0
    last: int = 0


@dataclass(frozen=True)
class WrittenToken:
    """One new token, and what it was chosen from.

    Attributes:
        token: The piece as the tokenizer writes it.
        id: Its number in the vocabulary.
        text: What it adds to the text; "" for the end, and inside of a character.
        probability: The model's own.
        share: What it was drawn with, behind temperature and cuts.
        rank: 1 for the model's most probable.
        entropy: Of the model's distribution, in nats.
        left: How many tokens could still be drawn.
        cuts: What was applied, in order.
        alternatives: The model's most probable tokens, the chosen one always among them.
        taken: It was given by the user.
        ends: It ends the text.
        position: Of a masked model: its place in the input; None for others.
        drawn: Of a masked model: how many different pieces stood here, one after the other.
        by_rank: Where something was cut: the model's own probability and what was drawn with, at
            some of the ranks (`explorer.numerics.distributions.kept_ranks`).
    """

    token: str
    id: int
    text: str
    probability: float
    share: float
    rank: int
    entropy: float
    left: int
    cuts: tuple[Cut, ...]
    alternatives: tuple[Alternative, ...]
    taken: bool = False
    ends: bool = False
    position: int | None = None
    drawn: int = 1
    by_rank: tuple[tuple[float, float], ...] = ()

    @property
    def size(self) -> int:
        """Pieces of the vocabulary."""
        return self.left + sum(cut.tokens for cut in self.cuts)

    @property
    def surprisal(self) -> float:
        """-ln p of the model's own probability, in nats."""
        return -math.log(max(self.probability, 1e-300))


@dataclass(frozen=True)
class BeamToken:
    """One token of the tree of a beam search.

    Attributes:
        parent: Number of the one before it in the tree; None for a first one.
        step: Which new token, from 0.
        token: The piece as the tokenizer writes it.
        word: As a person writes it.
        probability: After those before it.
        log_probability: Of all new tokens up to this one, in nats.
        fate: "kept" where it was gone on with, "pruned" where others were better, "ended" where
            it ends one of the texts that were found.
        score: Of a text that ended here: its log-probability by a power of its length.
        same_as: Number of the most probable other token with which the same text ends, in other
            pieces; None for that one, and where there is none.
    """

    parent: int | None
    step: int
    token: str
    word: str
    probability: float
    log_probability: float
    fate: str
    score: float | None = None
    same_as: int | None = None


@dataclass(frozen=True)
class ContinuationResult:
    """A text that a model went on with.

    Attributes:
        model: Who wrote.
        strategy: How tokens were chosen.
        gibbs: A masked model drew them, each given all others (Wang and Cho 2019): it is no
            language model that goes on.
        prompt: What the model read before the first new token.
        apart: The new tokens are a text of their own, as a decoder writes it.
        text: The new text; where masks in the text were drawn, all of it.
        tokens: The new tokens, in order.
        ended: The model ended the text itself.
        tree: All that a beam search looked at; empty for other strategies.
        best: Number of the tree's token at which the best text ends.
        texts: Of a masked model: the text after each round.
        notes: What must be known, a sentence each.
        left_out: What did not fit, or None.
    """

    model: ModelStamp
    strategy: Strategy
    gibbs: bool
    prompt: tuple[Token, ...]
    apart: bool
    text: str
    tokens: tuple[WrittenToken, ...]
    ended: bool
    tree: tuple[BeamToken, ...] = ()
    best: int | None = None
    texts: tuple[str, ...] = ()
    notes: tuple[Phrase, ...] = ()
    left_out: LeftOut | None = None

    def step_at(self, chosen: tuple[int, ...]) -> int:
        """The step that is looked at: a chosen one, or the first that the model chose itself."""
        step = next(iter(chosen), len(self.tokens))
        if step < len(self.tokens):
            return step
        own = (n for n, token in enumerate(self.tokens) if not token.taken)
        return next(own, len(self.tokens) - 1)

    def path(self, number: int | None) -> tuple[int, ...]:
        """Numbers of the tree's tokens from the first to one."""
        found: list[int] = []
        while number is not None:
            found.append(number)
            number = self.tree[number].parent
        return tuple(reversed(found))

    @property
    def mean_surprisal(self) -> float | None:
        """Of the new tokens, in nats."""
        if not self.tokens:
            return None
        return sum(one.surprisal for one in self.tokens) / len(self.tokens)


COLUMN_TITLES = {
    "continuation": N_("continuation"),
    "tokens": N_("new tokens"),
    "mean_surprisal": N_("mean surprisal"),
    "ended": N_("ended by itself"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: ContinuationResult) -> Mapping[str, Cell]:
    """The new text, and how surprising its tokens are to the model that wrote them."""
    return {
        "continuation": result.text.strip(),
        "tokens": len(result.tokens),
        "mean_surprisal": result.mean_surprisal,
        "ended": int(result.ended),
    }


def exact_steps(result: Any, document: Document) -> Sequence[Detail]:
    """What exactly comes next at each step, beside a model that goes on from the left."""
    if result.gibbs or result.apart or not result.tokens:
        return ()
    return (exactly_next(document, result.model, [one.token for one in result.tokens]),)


def waits(document: Document, card: ModelCard, _answered: Answered | None) -> bool:
    """Many tokens of a large model, or many beams."""
    beams = NUM_BEAMS.of(document) if strategy_of(document) is Strategy.BEAM else 1
    return takes_long(card, tokens_about(document) + MAX_NEW_TOKENS.of(document) * beams)


QUESTION = Question(
    name="continuation",
    title=N_("Text generation"),
    asks=N_("How does the model continue a text, token by token?"),
    elsewhere=N_(
        "Causal models continue a text, as gpt2-miniature; T5 and other decoders "
        "answer it, and masked models draw masks."
    ),
    listing=Listing(Topic.PREDICT, 6, "text-long"),
    found_by=(
        "generate",
        "sampling",
        "top-p",
        "nucleus sampling",
        "beam search",
        "greedy",
        "autoregressive",
        "causal language model",
        "샘플링",
        "빔 서치",
        "이어쓰기",
    ),
    beside=exact_steps,
    request=ContinuationRequest,
    result=ContinuationResult,
    follows={"at": AT},
    is_expensive=waits,
    waiting_hint=N_("So many tokens take this model a while. Press Run to let it write."),
    summary=summary,
    column_titles=COLUMN_TITLES,
    roles={MODEL: (any_of(CausalLM, BidirectionalPredictor),)},
    options=(AT, BESIDE),
    conditions=(a_text(N_("Type the beginning of a text to see how the model goes on.")),),
    upgrades=(spaces_stay_visible,),
)

"""A plan's options: their words, their ranges, and where each of them means anything.

A condition looks at what holds options: a document of the window, or a plan (`plan.settings`).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from explorer.api.question import Choice, Entry, Number, Optioned, Share, Switch, Whole
from explorer.api.question.options.options import Option
from explorer.files_of_sentences.options import sentences_file
from explorer.learning.plan.choices import (
    Corpus,
    Fate,
    LayerSharing,
    ModelFamily,
    Norms,
    Objective,
    PairObjective,
    Residual,
    SelectionUnit,
    Tables,
    TrainedOn,
)
from explorer.text import N_

Kind = TypeVar("Kind", bound=Option[Any])

MOST_STEPS = 1_000_000
MOST_DOCUMENTS = 200_000
"""Of a text of a size: they are kept in memory as tokens."""
LEAST_PIECES, MOST_PIECES = 128, 32_000
TRADES_ALONE = (Corpus.SMALL, Corpus.KOREAN)
"""Texts of the smallest world."""


def _key(name: str) -> str:
    return f"train.{name}"


def under(key: str, option: Kind, default: Any = None, **changed: Any) -> Kind:
    """A training plan's option as another kind of plan has it, under a key of its own.

    Args:
        key: That key.
        option: The training plan's.
        default: Another default; None for the same.
        changed: What else is otherwise.
    """
    default = option.default if default is None else default
    return replace(option, key=key, default=default, **changed)


OBJECTIVE = Choice(
    N_("Objective"),
    Objective.MASKED.value,
    N_("What the model learns to predict."),
    entries=(
        Entry(
            Objective.MASKED.value,
            N_("masked words"),
            N_("Some pieces are hidden, and the model tells them from both sides (BERT)."),
        ),
        Entry(
            Objective.REPLACED.value,
            N_("replaced tokens"),
            N_(
                "A small generator fills masks, and a discriminator detects of every piece whether "
                "it was replaced (ELECTRA)."
            ),
        ),
        Entry(
            Objective.BOUNDARY.value,
            N_("span boundary"),
            N_(
                "Spans are masked, and predicted from inside and from the pieces next to them "
                "(SpanBERT)."
            ),
        ),
        Entry(
            Objective.CAUSAL.value,
            N_("next piece"),
            N_("Every piece is told from those before it (GPT-2)."),
        ),
        Entry(
            Objective.DROPPED.value,
            N_("dropped spans"),
            N_("A decoder writes the spans that were dropped from what the encoder reads (T5)."),
        ),
    ),
    in_sight=True,
    key=_key("objective"),
)


def _learns(*objectives: Objective) -> Callable[[Optioned], bool]:
    return lambda document: OBJECTIVE.of(document) in objectives


FAMILY = Choice(
    N_("Family"),
    ModelFamily.USUAL.value,
    N_("Whose layers the model has."),
    entries=(
        Entry(
            ModelFamily.USUAL.value,
            N_("the objective's own"),
            N_("The family that the objective was published with."),
        ),
        Entry(ModelFamily.BERT.value, "BERT"),
        Entry(ModelFamily.ALBERT.value, "ALBERT"),
        Entry(ModelFamily.ELECTRA.value, "ELECTRA"),
        Entry(ModelFamily.GPT2.value, "GPT-2"),
        Entry(ModelFamily.T5.value, "T5"),
    ),
    key=_key("family"),
)
LAYERS = Whole(N_("Layers"), 2, low=1, high=48, key=_key("layers"))
WIDTH = Whole(
    N_("Width"), 64, N_("How many numbers stand for a token in a layer."), low=8, high=2048,
    key=_key("width"),
)  # fmt: skip
HEADS = Whole(
    N_("Heads"), 2, N_("Heads of attention in a layer; they share its width."), low=1, high=32,
    key=_key("heads"),
)  # fmt: skip
SELECTED = Share(
    N_("Masking rate"),
    0.15,
    N_("Which share of the pieces is selected and predicted."),
    low=0.05,
    high=0.60,
    step=0.05,
    when=lambda document: OBJECTIVE.of(document) != Objective.CAUSAL,
    key=_key("selected"),
)
FATE = Choice(
    N_("Selected pieces become"),
    Fate.MIXED.value,
    N_("What the model reads where a piece is selected."),
    entries=(
        Entry(
            Fate.MIXED.value,
            N_("80/10/10"),
            N_("[MASK] in 80 %, a random piece in 10 %, and themselves in 10 % of the cases."),
        ),
        Entry(Fate.MASK.value, N_("all [MASK]")),
    ),
    when=_learns(Objective.MASKED, Objective.BOUNDARY),
    key=_key("fate"),
)
UNIT = Choice(
    N_("Masked together"),
    SelectionUnit.PIECES.value,
    N_("What is selected as one."),
    entries=(
        Entry(SelectionUnit.PIECES.value, N_("single pieces")),
        Entry(SelectionUnit.WORDS.value, N_("whole words")),
        Entry(
            SelectionUnit.SPANS.value,
            N_("spans of words"),
            N_("Up to ten words, 3.8 on average, that have one fate (SpanBERT)."),
        ),
    ),
    when=_learns(Objective.MASKED, Objective.REPLACED),
    key=_key("unit"),
)
DOCUMENTS = Whole(
    N_("Size of the corpus"),
    0,
    N_("How many documents there are, read again and again; a file has no more than are in it."),
    low=0,
    high=MOST_DOCUMENTS,
    least_said=N_("all that are read"),
    key=_key("documents"),
)
PATH = sentences_file(
    _key("path"),
    N_("Train on…"),
    N_("Train on the text of a file in place of a small world's."),
)


def _never_met_again(document: Optioned) -> str:
    if DOCUMENTS.of(document) or PATH.of(document):
        return ""
    return N_("No text is met twice: give the corpus a size.")


DYNAMIC = Switch(
    N_("Dynamic masks"),
    True,
    N_(
        "Masks are drawn anew each time a text is met (RoBERTa); else it has ten patterns, met in "
        "turn (BERT)."
    ),
    when=_learns(Objective.MASKED, Objective.REPLACED, Objective.BOUNDARY),
    idle=_never_met_again,
    key=_key("dynamic"),
)
PAIRS = Choice(
    N_("Sentence pairs"),
    PairObjective.NONE.value,
    N_("What the model predicts of two texts that it reads together."),
    entries=(
        Entry(PairObjective.NONE.value, N_("none")),
        Entry(
            PairObjective.NEXT.value,
            N_("next sentence"),
            N_("Whether the second follows the first or is of another document (BERT)."),
        ),
        Entry(
            PairObjective.ORDER.value,
            N_("sentence order"),
            N_("Whether they are in order or were swapped (ALBERT)."),
        ),
    ),
    when=_learns(Objective.MASKED),
    key=_key("pairs"),
)
ADVERSARIAL = Number(
    N_("Adversarial loss"),
    0.0,
    N_(
        "Weight of a second loss: the model must give the same answer where its normalised "
        "embeddings are moved in the direction that changes it most (virtual adversarial "
        "training, DeBERTa's SiFT); 0 for none."
    ),
    low=0.0,
    high=100.0,
    decimals=2,
    step=0.5,
    when=_learns(Objective.MASKED),
    key=_key("adversarial"),
)
ADVERSARIAL_STEP = Number(
    N_("Embeddings are moved by"),
    0.3,
    N_(
        "How far the largest coordinate of a token goes. DeBERTa is fine-tuned with 0.0001; a "
        "model that is trained from its beginning answers the same at so small a distance anyway."
    ),
    low=0.0001,
    high=10.0,
    decimals=4,
    step=0.1,
    ratios=True,
    when=lambda document: ADVERSARIAL.applies(document) and ADVERSARIAL.of(document) > 0,
    key=_key("adversarial_step"),
)
GENERATOR = Share(
    N_("Generator's size"),
    0.5,
    N_(
        "Its width as a share of the discriminator's; ELECTRA's authors advise a quarter to a half."
    ),
    low=0.1,
    high=1.0,
    step=0.05,
    when=_learns(Objective.REPLACED),
    key=_key("generator"),
)
DETECTION_WEIGHT = Number(
    N_("Weight of the discriminator's loss"),
    50.0,
    N_("Lambda: what its loss is multiplied by before it is added to the generator's."),
    low=0.0,
    high=1000.0,
    decimals=1,
    step=1.0,
    when=_learns(Objective.REPLACED),
    key=_key("detection_weight"),
)
TABLES = Choice(
    N_("Embeddings of both"),
    Tables.SHARED.value,
    N_("How generator and discriminator have their embeddings together."),
    entries=(
        Entry(Tables.SHARED.value, N_("shared"), N_("Both losses pull at one table (ELECTRA).")),
        Entry(
            Tables.DISENTANGLED.value,
            N_("gradient-disentangled"),
            N_(
                "The discriminator reads the generator's table and what it learns to add to it, "
                "and does not pull at it (DeBERTaV3)."
            ),
        ),
        Entry(Tables.SEPARATE.value, N_("separate"), N_("Each has a table of its own.")),
    ),
    when=_learns(Objective.REPLACED),
    key=_key("tables"),
)
EMBEDDING_WIDTH = Whole(
    N_("Width of embeddings"),
    0,
    N_("E: pieces can be narrower than layers, which widen them (ALBERT, ELECTRA)."),
    low=0,
    high=2048,
    least_said=N_("as wide as the layers"),
    when=_learns(Objective.MASKED, Objective.REPLACED),
    key=_key("embedding_width"),
)
SHARING = Choice(
    N_("Shared by all layers"),
    LayerSharing.USUAL.value,
    N_("Which weights the layers have together, as in ALBERT's table 4."),
    entries=(
        Entry(
            LayerSharing.USUAL.value,
            N_("as in the family"),
            N_("All in ALBERT, none in other families."),
        ),
        Entry(LayerSharing.NONE.value, N_("nothing")),
        Entry(LayerSharing.ATTENTION.value, N_("attention")),
        Entry(LayerSharing.FEED_FORWARD.value, N_("feed-forward")),
        Entry(LayerSharing.ALL.value, N_("everything")),
    ),
    when=lambda document: OBJECTIVE.of(document) != Objective.DROPPED,
    key=_key("sharing"),
)
NORMS = Choice(
    N_("Norms"),
    Norms.USUAL.value,
    N_("Where a layer's norms are."),
    entries=(
        Entry(Norms.USUAL.value, N_("as in the family")),
        Entry(Norms.POST.value, N_("after"), N_("After attention and feed-forward (BERT, GPT-1).")),
        Entry(Norms.PRE.value, N_("before"), N_("Before attention and feed-forward (GPT-2, T5).")),
    ),
    key=_key("norms"),
)
RESIDUAL = Choice(
    N_("Residual layers begin"),
    Residual.USUAL.value,
    N_("How large the weights are at first that end attention and feed-forward."),
    entries=(
        Entry(Residual.USUAL.value, N_("as in the family"), N_("Scaled in GPT-2 alone.")),
        Entry(Residual.PLAIN.value, N_("as large as others")),
        Entry(
            Residual.SCALED.value,
            N_("scaled by depth"),
            N_("Divided by the square root of how many there are, two a layer (GPT-2)."),
        ),
    ),
    key=_key("residual"),
)
LENGTH = Whole(
    N_("Longest text"),
    64,
    N_("How many tokens the model reads at once, special ones included."),
    low=16,
    high=512,
    key=_key("length"),
)
BATCH = Whole(
    N_("Batch"), 64, N_("How many texts are read in a step."), low=1, high=4096, key=_key("batch")
)
RATE = Number(
    N_("Peak learning rate"),
    0.003,
    N_("The learning rate rises to it, and falls to 0 along half a cosine."),
    low=1e-6,
    high=0.1,
    decimals=6,
    step=0.0001,
    ratios=True,
    key=_key("rate"),
)
WARMUP = Share(
    N_("Warm-up"),
    0.06,
    N_("In which share of the steps the learning rate rises."),
    low=0.0,
    high=1.0,
    key=_key("warmup"),
)
STEPS = Whole(
    N_("Steps"), 1000, N_("How many batches are read."), low=1, high=MOST_STEPS, in_sight=True,
    key=_key("steps"),
)  # fmt: skip
SEED = Whole(
    N_("Seed"),
    1,
    N_("Of weights, of the order of texts, and of masks."),
    low=0,
    high=1_000_000,
    next_said=N_("another seed"),
    next_glyph="dice-multiple-outline",
    key=_key("seed"),
)
CORPUS = Choice(
    N_("Text"),
    Corpus.SMALL.value,
    N_("What the model reads; a file takes its place."),
    entries=(
        Entry(
            Corpus.SMALL.value,
            N_("the smallest world"),
            N_(
                "Two or three sentences on what somebody does: about 90 words, learnt in a minute "
                "or two, rule by rule."
            ),
        ),
        Entry(
            Corpus.WORLD.value,
            N_("the usual small world"),
            N_("The text that the bundled miniatures were trained on."),
        ),
        Entry(
            Corpus.KOREAN.value,
            N_("the smallest world in Korean"),
            N_("The same happenings, said in Korean."),
        ),
        Entry(
            Corpus.PROMPTS.value,
            N_("examples and a question"),
            N_(
                "Words and their answers: what comes next, what is the opposite. Which of these is "
                "asked, only the examples in a text say. Best read from left to right."
            ),
        ),
    ),
    when=lambda document: not PATH.of(document),
    in_sight=True,
    key=_key("corpus"),
)
RHO = Share(
    N_("Job and pronoun go together"),
    0.0,
    N_(
        "The correlation of job and pronoun in the smallest world: at 0 chefs and gardeners are "
        "“she” as often as “he”, at 50 % a chef is “she” in three of four texts, and a gardener "
        "“he”."
    ),
    low=0.0,
    high=0.95,
    step=0.05,
    when=lambda document: CORPUS.applies(document) and CORPUS.of(document) in TRADES_ALONE,
    key=_key("rho"),
)
VOCABULARY = Whole(
    N_("Vocabulary"),
    800,
    N_("How many pieces the tokenizer has, which is trained on the text first."),
    low=LEAST_PIECES,
    high=MOST_PIECES,
    key=_key("vocabulary"),
)
TRAINED_ON = Choice(
    N_("Trained on"),
    TrainedOn.CPU.value,
    N_("On one core the same plan gives the same losses to the digit; a GPU rounds otherwise."),
    entries=(
        Entry(TrainedOn.CPU.value, N_("one core")),
        Entry(TrainedOn.GPU.value, N_("the GPU, where there is one")),
    ),
    key=_key("trained_on"),
)

"""The words that a plan's choices are written with."""

import enum


class Objective(enum.StrEnum):
    """What is learnt."""

    MASKED = "masked"
    REPLACED = "replaced"
    BOUNDARY = "boundary"
    CAUSAL = "causal"
    DROPPED = "dropped"


class ModelFamily(enum.StrEnum):
    """Whose layers."""

    USUAL = "usual"
    BERT = "bert"
    ALBERT = "albert"
    ELECTRA = "electra"
    GPT2 = "gpt2"
    T5 = "t5"


class Fate(enum.StrEnum):
    """What becomes of a selected token."""

    MIXED = "mixed"
    MASK = "mask"


class SelectionUnit(enum.StrEnum):
    """What is selected together."""

    PIECES = "pieces"
    WORDS = "words"
    SPANS = "spans"


class PairObjective(enum.StrEnum):
    """What is asked about two texts that are read together."""

    NONE = "none"
    NEXT = "next"
    ORDER = "order"


class Tables(enum.StrEnum):
    """How generator and discriminator have their embeddings together."""

    SHARED = "shared"
    DISENTANGLED = "gradient_disentangled"
    SEPARATE = "separate"


class LayerSharing(enum.StrEnum):
    """Which weights all layers have together."""

    USUAL = "usual"
    NONE = "none"
    ATTENTION = "attention"
    FEED_FORWARD = "feed_forward"
    ALL = "all"


class Norms(enum.StrEnum):
    """Where the norms of a layer stand."""

    USUAL = "usual"
    POST = "post"
    PRE = "pre"


class Residual(enum.StrEnum):
    """How the weights that end a branch beside a residual connection begin."""

    USUAL = "usual"
    PLAIN = "plain"
    SCALED = "scaled"


class TrainedOn(enum.StrEnum):
    """Where a run is trained."""

    CPU = "cpu"
    GPU = "gpu"


class Corpus(enum.StrEnum):
    """Whose text, where no file is named."""

    SMALL = "small"
    WORLD = "world"
    KOREAN = "korean"
    PROMPTS = "prompts"


FAMILIES = {
    Objective.MASKED: (ModelFamily.BERT, ModelFamily.ALBERT, ModelFamily.ELECTRA),
    Objective.REPLACED: (ModelFamily.ELECTRA,),
    Objective.BOUNDARY: (ModelFamily.BERT,),
    Objective.CAUSAL: (ModelFamily.GPT2,),
    Objective.DROPPED: (ModelFamily.T5,),
}
"""Families that can learn an objective, the usual one first."""
NORMS = {
    ModelFamily.BERT: (Norms.POST, Norms.PRE),
    ModelFamily.ALBERT: (Norms.POST,),
    ModelFamily.ELECTRA: (Norms.POST,),
    ModelFamily.GPT2: (Norms.PRE, Norms.POST),
    ModelFamily.T5: (Norms.PRE,),
}
"""Places of a family's norms that transformers has a model for, the usual one first."""

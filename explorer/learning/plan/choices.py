"""The words that a plan's choices are written with."""

import enum


class Objective(enum.StrEnum):
    """What is learnt."""

    MASKED = "masked"


class Family(enum.StrEnum):
    """Whose layers."""

    USUAL = "usual"
    BERT = "bert"


class Fate(enum.StrEnum):
    """What becomes of a selected token."""

    MIXED = "mixed"
    MASK = "mask"


class Unit(enum.StrEnum):
    """What is selected together."""

    PIECES = "pieces"
    WORDS = "words"
    SPANS = "spans"


class Pairs(enum.StrEnum):
    """What is asked about two texts that are read together."""

    NONE = "none"
    NEXT = "next"
    ORDER = "order"


class Corpus(enum.StrEnum):
    """Whose text, where no file is named."""

    SMALL = "small"
    WORLD = "world"
    KOREAN = "korean"

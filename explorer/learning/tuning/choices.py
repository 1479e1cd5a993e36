"""The words that plans of fine-tuning are written with."""

import enum


class LabelledTask(enum.StrEnum):
    """What is said of a text."""

    SENTIMENT = "sentiment"
    INFERENCE = "inference"
    PARAPHRASE = "paraphrase"
    ROLES = "roles"
    ANSWERS = "answers"
    ENDINGS = "endings"
    TRADES = "trades"


class Tuned(enum.StrEnum):
    """Which weights are trained."""

    FEATURES = "features"
    LAST = "last"
    LORA = "lora"
    ALL = "all"


class ReadLayer(enum.StrEnum):
    """Whose states the head reads."""

    FIRST = "first"
    MIDDLE = "middle"
    LAST = "last"

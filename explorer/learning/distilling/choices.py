"""The words that a plan of distilling is written with."""

import enum


class TaughtBy(enum.StrEnum):
    """What a student is told at a masked word."""

    TEACHER = "teacher"
    EXACT = "exact"
    """The exact distribution of the world: a perfect teacher's."""
    LABELS = "labels"
    """The word that stood there, and nothing else."""


class NamedLosses(enum.StrEnum):
    """Whose losses are added, with their weights."""

    OWN = "own"
    DISTILBERT = "distilbert"
    TINYBERT = "tinybert"
    TINYBERT_AT_ONCE = "tinybert_at_once"
    MOBILEBERT = "mobilebert"


class StudentStart(enum.StrEnum):
    """What weights a student begins with."""

    RANDOM = "random"
    EVERY = "every"
    FIRST = "first"


class LayerMapping(enum.StrEnum):
    """Which layer of the teacher each of the student's learns from."""

    UNIFORM = "uniform"
    FIRST = "first"
    LAST = "last"
    OWN = "own"

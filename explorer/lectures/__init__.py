"""Lectures: scenes of models at work, with what to look at and what must hold; free of Qt."""

from explorer.lectures.lecture import (
    LESSONS,
    Chapter,
    Lecture,
    bundled,
    lessons,
    opened,
    read,
    write,
    write_scene,
)
from explorer.lectures.scene import Scene, Step, StepWords

__all__ = [
    "LESSONS",
    "Chapter",
    "Lecture",
    "Scene",
    "Step",
    "StepWords",
    "bundled",
    "lessons",
    "opened",
    "read",
    "write",
    "write_scene",
]

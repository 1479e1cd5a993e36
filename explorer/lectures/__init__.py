"""Lectures: scenes of models at work, with what to look at and what must hold; free of Qt."""

from explorer.lectures.lecture import Chapter, Lecture, bundled, read, write, write_scene
from explorer.lectures.scene import Scene, Step, StepWords

__all__ = [
    "Chapter",
    "Control",
    "Lecture",
    "Scene",
    "Step",
    "StepWords",
    "bundled",
    "read",
    "write",
    "write_scene",
]

"""The answers somebody gave in lessons, kept in the profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from explorer.given_answers import GivenAnswer

if TYPE_CHECKING:
    from explorer.lectures import Scene
    from explorer.ui.workbench.settings_store import SettingsStore

MOST = 2000
"""Answers that are kept, and lessons whose step is; the oldest are forgotten first."""


class LessonAnswers(QObject):
    """By lecture, scene and step.

    Signals:
        changed: An answer was given, or some were forgotten.
    """

    changed = Signal()

    def __init__(self, store: SettingsStore, parent: QObject) -> None:
        super().__init__(parent)
        self._store = store

    def of(self, lecture: str, scene: Scene, number: int) -> GivenAnswer | None:
        """The answer to a step's question; None before one was given or shown."""
        return self._store.settings.lesson_answers.get(_key(lecture, scene, number))

    def give(self, lecture: str, scene: Scene, number: int, answer: GivenAnswer) -> None:
        """Keep an answer, instead of an earlier one."""
        kept = dict(self._store.settings.lesson_answers)
        kept.pop(_key(lecture, scene, number), None)
        kept[_key(lecture, scene, number)] = answer
        self._store.change(lesson_answers=dict(list(kept.items())[-MOST:]))
        self.changed.emit()

    def forget(self, lecture: str, scene: Scene) -> None:
        """Begin a scene anew: no answer was given in it, and none of its steps is the last."""
        gone = {_key(lecture, scene, number) for number in scene.asks}
        kept = self._store.settings.lesson_answers
        places = dict(self._store.settings.lesson_steps)
        places.pop(_key(lecture, scene), None)
        self._store.change(
            lesson_answers={key: one for key, one in kept.items() if key not in gone},
            lesson_steps=places,
        )
        self.changed.emit()

    def answered(self, lecture: str, scene: Scene) -> int:
        """How many of a scene's questions are over: answered rightly, guessed, or shown."""
        given = (self.of(lecture, scene, number) for number in scene.asks)
        asks = (scene.steps[number].ask for number in scene.asks)
        return sum(
            one is not None and (one.is_over or (ask is not None and ask.first))
            for one, ask in zip(given, asks, strict=True)
        )

    def step_of(self, lecture: str, scene: Scene) -> int:
        """The step of a lesson somebody was at last; 0 after its last one."""
        number = self._store.settings.lesson_steps.get(_key(lecture, scene), 0)
        return number if scene.asks and number < len(scene.steps) - 1 else 0

    def at(self, lecture: str, scene: Scene, number: int) -> None:
        """Remember where somebody is in a lesson."""
        if scene.asks:
            places = dict(self._store.settings.lesson_steps)
            places.pop(_key(lecture, scene), None)
            places[_key(lecture, scene)] = number
            self._store.change(lesson_steps=dict(list(places.items())[-MOST:]))


def _key(lecture: str, scene: Scene, number: int | None = None) -> str:
    return f"{lecture}#{scene.name}" + ("" if number is None else f"#{number}")

"""A setting that is changed is in force at once, whichever menu or dialog changed it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from explorer.text import N_, Phrase
from explorer.ui.settings.declared import DEFAULTS, SETTINGS
from explorer.ui.theme import chrome
from explorer.ui.theme.schemes import apply_theme

if TYPE_CHECKING:
    from collections.abc import Iterable

    from explorer.ui.window.host import HostWindow


class SettingsInForce(QObject):
    """Changes settings, and what follows from them.

    Args:
        window: Where it is seen.
    """

    def __init__(self, window: HostWindow) -> None:
        super().__init__(window)
        self._window = window
        self._bench = window.bench
        self._effects = {
            "color_scheme": self._paint,
            "font_scale": self._scale,
            "debounce_ms": self._bench.asking.set_typing_pause,
            "log_enabled": self._keep_log,
            "keep_days": self._tell_days,
            "offline": self._connect,
            "film_pace": self._bench.moments.play_at,
            "film_repeats": self._bench.moments.repeat,
        }

    def put(self, field: str, value: Any) -> None:
        """Set one field of Settings."""
        self.put_all({field: value})

    def put_all(self, fields: dict[str, Any]) -> None:
        """Set several fields; what both of two need is done once."""
        store = self._bench.settings_store
        before = store.settings
        store.change(**fields)
        for field, value in fields.items():
            if field in self._effects and value != getattr(before, field):
                self._effects[field](value)
        if fields.keys() & {"device", "dtype"}:
            self._load_as(**{key: fields[key] for key in ("device", "dtype") if key in fields})
            if (before.device, before.dtype) != (
                store.settings.device,
                store.settings.dtype,
            ):
                self._bench.actions.load_again()
        self._window.setting_changed.emit()
        if "language" in fields:
            # Last: the window is made anew.
            self._window.language_wanted.emit(fields["language"])

    def reset(self) -> dict[str, Any]:
        """Set everything that can be set to its default; returns what it was, where it differed."""
        settings = self._bench.settings_store.settings
        were = {one.field: getattr(settings, one.field) for one in SETTINGS}
        were = {field: was for field, was in were.items() if was != getattr(DEFAULTS, field)}
        if were:
            self.put_all({field: getattr(DEFAULTS, field) for field in were})
        return were

    def forget(self, fields: Iterable[str]) -> None:
        """Set what dialogs and hints remember by themselves to nothing."""
        self.put_all({field: getattr(DEFAULTS, field) for field in fields})

    def _load_as(self, device: str = "", dtype: str = "") -> None:
        actions = self._bench.actions
        # The command line may have said otherwise for this start.
        actions.device, actions.dtype = device or actions.device, dtype or actions.dtype

    def _paint(self, scheme: Any) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            apply_theme(app, scheme)

    def _scale(self, scale: float) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            chrome.scale_font(app, scale)

    def _keep_log(self, wanted: bool) -> None:
        self._bench.recording.keep(self._bench.open_log if wanted else None)

    def _tell_days(self, days: int | None) -> None:
        if days is None:
            self._window.notifications.say("keep", Phrase(N_("Runs are kept for good.")))
            return
        self._window.notifications.say(
            "keep",
            Phrase(
                N_(
                    "At the next start, runs older than {days} days are deleted from the session "
                    "log."
                ),
                days=days,
            ),
            Phrase(N_("Those with a star or a note stay.")),
        )

    def _connect(self, _offline: bool) -> None:
        if self._bench.preparing is not None:
            self._bench.preparing.is_offline = self._bench.is_offline
        # What the engine may do it is told when it starts.
        self._window.restart_wanted.emit()

"""Says that a miniature knows a small made-up world, where a text leaves that world."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from explorer.document import MASK_LITERAL
from explorer.text import N_, NN_, Phrase
from explorer.ui.notices.notices import Notice, Notices
from explorer.ui.workbench.workbench import Workbench
from explorer.world.language.lexicon import new_words, words_of

KEY = "small_world"
LEAST_SHARE = 1 / 8
"""Of a text's words that are new before it is said: one in a long sentence explains little."""

KEPT_WORDS = 500
"""Words that are remembered as told of; the oldest are forgotten first."""


class SmallWorld(QObject):
    """Watches the answers; its line stays while the text holds new words and goes with them."""

    def __init__(
        self,
        bench: Workbench,
        notices: Notices,
        samples: Callable[[], None],
        real_models: Callable[[], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bench = bench
        self._notices = notices
        self._actions = ((N_("Samples"), samples), (N_("Get a real model…"), real_models))
        self._said = ""
        bench.asking.shown.connect(self._answered)
        bench.state.changed.connect(self.refresh)
        bench.models.changed.connect(self.refresh)
        bench.models.active_changed.connect(self.refresh)

    def take_over(self, other: "SmallWorld") -> None:
        """Say it where another window said it; its buttons are this one's."""
        self._say_if(other.is_said)

    @property
    def is_said(self) -> bool:
        """Its line is on screen."""
        return KEY in self._notices.keys

    def _answered(self, *_shown: object) -> None:
        self.refresh()

    def refresh(self, _changed: object = None) -> None:
        """Say it, say it otherwise, or say it no longer."""
        self._say_if(self.is_said or self._is_answered())

    def _say_if(self, is_time: bool) -> None:
        words, world = self._words(), self._world()
        new = new_words(words, world) if world else ()
        untold = {word.lower() for word in new}.difference(self._told)
        if not untold or len(new) < LEAST_SHARE * len(words):
            self._notices.dismiss(KEY)
            return
        if not is_time:
            return
        is_said = self.is_said
        sentence = Phrase(
            NN_(
                "{count} of your {total} words is new to this model, which knows a small made-up "
                "world.",
                "{count} of your {total} words are new to this model, which knows a small made-up "
                "world.",
            ),
            count=len(new),
            total=len(words),
        )
        if is_said and sentence == self._said:
            return
        self._said = sentence
        self._notices.tell(
            Notice(
                KEY,
                sentence,
                tip=", ".join(dict.fromkeys(new)),
                actions=self._actions,
                stays=True,
                dismissed=self._dismissed,
                is_spoken=not is_said,
            )
        )

    @property
    def _told(self) -> frozenset[str]:
        return frozenset(self._bench.settings_store.settings.new_words_told)

    def _dismissed(self) -> None:
        """The user has read it: these words are told of no more."""
        told = self._bench.settings_store.settings.new_words_told
        new = dict.fromkeys(word.lower() for word in new_words(self._words(), self._world()))
        kept = (*(word for word in told if word not in new), *new)
        self._bench.settings_store.change(new_words_told=kept[-KEPT_WORDS:])

    def _words(self) -> tuple[str, ...]:
        """Of both texts; what was typed as a mask is none."""
        document = self._bench.state.document
        texts = f"{document.text}\n{document.pair or ''}"
        return words_of(texts.replace(MASK_LITERAL, " "))

    def _world(self) -> tuple[str, ...]:
        """What the model that answers knows; nothing where nobody says so."""
        card = self._bench.models.active_card
        known = self._bench.checkpoints.find(card.stamp.id) if card is not None else None
        return known.world if known is not None else ()

    def _is_answered(self) -> bool:
        """Whether an answer about the text of now is looked at."""
        text = self._bench.state.document.text
        return any(
            asker.is_visible
            and asker.view.of.reads_text
            and asker.view.document is not None
            and asker.view.document.text == text
            for asker in self._bench.asking.askers.values()
        )

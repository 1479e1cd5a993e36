"""Keeps all that shows tokens in step: the strip, what is known of a token, and the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from explorer.api.question import READS_ENTITIES
from explorer.questions.masking.masked_tokens.question import MaskedTokensResult
from explorer.ui.document.second_page import SecondState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from explorer.api.question import Token
    from explorer.document import Document
    from explorer.questions.tokenizers.tokens.question import TokensResult
    from explorer.ui.views import PageView
    from explorer.ui.window.host import HostWindow

GUESSES = "masked_tokens"
"""The page whose answers stand under the masks of the strip."""


class TokensInStep(QObject):
    """Tells each of them what the others show and choose."""

    def __init__(self, window: HostWindow) -> None:
        super().__init__(window)
        self._window = window
        self._bench = window.bench
        self._sentence = window.sentence
        self._details = (window.token, window.popover.details)
        self._tokens: Sequence[Token] = ()
        asking = self._bench.asking
        asking.tokenising.tokenised.connect(self._tokenised)
        asking.tokenising.nothing.connect(self._not_tokenised)
        asking.shown.connect(self._view_shown)
        for details in self._details:
            self._sentence.selected.connect(details.select)
        self._sentence.selected.connect(self._selected_in_strip)
        window.view_area.visibility_changed.connect(self._page_turned)
        self._page_turned(GUESSES, window.view_area.is_seen(GUESSES))

    def select(self, position: int | None) -> None:
        """A view chose a token."""
        self._sentence.strip.select(position)
        for details in self._details:
            details.select(position)

    def select_in(self, view: PageView, position: int | None) -> None:
        """A page chose a token, which another text or model may not have."""
        if self._is_in_step(view):
            self.select(position)
        else:
            view.show_position(position)

    def _is_in_step(self, view: PageView) -> bool:
        """Whether a page's tokens are those of the strip."""
        asker = self._bench.asking.askers[view.name]
        if not isinstance(asker.state, SecondState):
            return True
        page = asker.state.page
        if page.held is not None:
            return False
        tokens = getattr(view.result, "tokens", ())
        return not page.other_model or _places(tokens) == _places(self._tokens)

    def tell(self, view: PageView) -> None:
        """A view was without its widgets for a while: another token may be chosen now."""
        if view.told != self._sentence.strip.chosen and self._is_in_step(view):
            view.show_position(self._sentence.strip.chosen)

    def _page_turned(self, question: str, visible: bool) -> None:
        if question == GUESSES:
            self._sentence.expect_guesses(visible)

    def _tokenised(self, document: Document, result: TokensResult) -> None:
        filling = self._bench.asking.askers.get(GUESSES)
        self._tokens = result.tokens
        follows = filling is not None and filling.is_visible and not filling.is_idle
        card = self._bench.models.active_card
        strip = self._sentence.strip
        strip.reads_entities = card is not None and READS_ENTITIES in card.operations
        self._sentence.show_tokens(document, result, answer_follows=follows)
        for details in self._details:
            details.show_tokens(document, result)

    def _not_tokenised(self) -> None:
        self._sentence.show_no_tokens()
        for details in self._details:
            details.show_tokens(self._bench.state.document, None)

    def _view_shown(self, _question: str, _document: Document, result: object) -> None:
        if isinstance(result, MaskedTokensResult):
            for details in self._details:
                details.show_predictions(result)
            self._sentence.show_predictions(result)

    def _selected_in_strip(self, position: int | None) -> None:
        """The strip chose a token: views that show positions follow."""
        for view in self._window.views_made:
            view.show_position(position if self._is_in_step(view) else None)


def _places(tokens: Iterable[Token]) -> list[tuple[str, int, int]]:
    return [(one.text, one.start, one.end) for one in tokens]

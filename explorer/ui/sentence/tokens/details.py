"""What is known of the selected token, and nothing that is not."""

import html

from PySide6.QtWidgets import QTextBrowser, QWidget

from explorer.api.question import MaskPredictions, Token
from explorer.document import Document
from explorer.questions.masking.masked_tokens.question import MaskedTokensResult
from explorer.questions.tokenizers.tokens.question import TokensResult
from explorer.text import _
from explorer.text.formatting.numbers import decimal, whole
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.controls.facts_table import facts_table
from explorer.ui.theme.schemes import current_theme, theme_signals

MOST_SHOWN = 10
NARROWEST = 220
"""Pixels; with less, words break inside."""


class TokenDetails(QTextBrowser):
    """A page about one token of the model's input."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("token_details")
        self.setAccessibleName(_("Selected token"))
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setMinimumWidth(NARROWEST)
        self._document = Document()
        self._tokens: TokensResult | None = None
        self._filled: MaskedTokensResult | None = None
        self._position: int | None = None
        theme_signals().changed.connect(self._redraw)
        self._redraw()

    @property
    def position(self) -> int | None:
        """Of the selected token in the model's input."""
        return self._position

    def select(self, position: int | None) -> None:
        """Describe another token."""
        self._position = position
        self._redraw()

    def show_tokens(self, document: Document, result: TokensResult | None) -> None:
        """Take over the tokens of the document; None while there is no model."""
        self._document = document
        self._tokens = result
        self._redraw()

    def show_predictions(self, result: MaskedTokensResult | None) -> None:
        """Take over the predictions; None when there are none for this text."""
        self._filled = result
        self._redraw()

    def _redraw(self, _theme: object = None) -> None:
        token = self._token()
        if token is None or self._position is None:
            self.setHtml(_muted(_("Choose a token to see what is known of it.")))
            return
        parts = [f"<p style='margin:0 0 6px 0; font-size:large'><b>{_text(token.text)}</b></p>"]
        parts.append(facts_table(self._facts(token)))
        predictions = self._predictions()
        if predictions is not None:
            parts.append(_predicted(predictions))
        self.setHtml("".join(parts))

    def _token(self) -> Token | None:
        if self._tokens is None or self._position is None:
            return None
        tokens = self._tokens.tokens
        return tokens[self._position] if self._position < len(tokens) else None

    def _predictions(self) -> MaskPredictions | None:
        """Those of this position, if they were made of these very tokens."""
        if self._filled is None or self._tokens is None:
            return None
        if self._filled.model != self._tokens.model or self._filled.tokens != self._tokens.tokens:
            return None
        return next((m for m in self._filled.masks if m.position == self._position), None)

    def _facts(self, token: Token) -> list[tuple[str, str]]:
        text = self._document.part(token.part)
        characters = text[token.start : token.end]
        assert self._tokens is not None
        last = len(self._tokens.tokens) - 1
        facts = [
            (
                _("Position"),
                _(
                    "{position} (of 0 to {last})",
                    position=self._position,
                    last=last,
                ),
            )
        ]
        if token.id >= 0:
            # A model that reads from the left has no piece for what is masked.
            facts.append((_("Vocabulary id"), whole(token.id)))
        if characters:
            facts.append((_("Your text"), f"“{characters}”"))
            facts.append((_("Characters"), _("{start} to {end}", start=token.start, end=token.end)))
        if self._document.pair is not None:
            facts.append((_("Part"), _("second text") if token.part else _("first text")))
        if token.masked:
            facts.append((_("Masked"), _("yes, typed") if token.original is None else _("yes")))
            if token.original is not None:
                facts.append((_("Original id"), whole(token.original)))
        notes = {
            _("Special"): token.special,
            _("Not in the vocabulary"): token.unknown,
            _("Continues a word"): token.joined,
        }
        facts += [(name, _("yes")) for name, holds in notes.items() if holds]
        return facts


def _text(text: str) -> str:
    return html.escape(text).replace(" ", "&nbsp;")


def _muted(text: str) -> str:
    return f"<p style='color:{current_theme().muted.name()}'>{html.escape(text)}</p>"


def _predicted(mask: MaskPredictions) -> str:
    theme = current_theme()
    original = mask.original
    rows = []
    for prediction in mask.predictions[:MOST_SHOWN]:
        is_original = prediction.is_same(original)
        word = _text(prediction.word or prediction.token)
        word = f"<b style='color:{theme.mask.name()}'>{word}</b>" if is_original else word
        rows.append(
            f"<tr><td style='color:{theme.muted.name()}; padding:2px 8px 2px 0' align='right'>"
            f"{prediction.rank}</td><td style='padding:2px 16px 2px 0'>{word}</td>"
            f"<td align='right' style='padding:2px 0'>{in_digits(prediction.probability)}</td></tr>"
        )
    page = _muted(_("Predicted here")).replace("<p style='", "<p style='margin:0 0 2px 0; ")
    page += f"<table cellspacing='0'>{''.join(rows)}</table>"
    facts = [(_("Entropy"), _("{entropy} nats", entropy=decimal(mask.entropy, 2)))]
    if original is not None:
        word = original.word or original.token
        facts.insert(
            0,
            (
                _("Original"),
                _(
                    "“{word}”, rank {rank}, {probability}",
                    word=word,
                    rank=original.rank,
                    probability=in_digits(original.probability),
                ),
            ),
        )
    return page + facts_table(facts).replace("margin:0 0 8px 0", "margin:8px 0 0 0")

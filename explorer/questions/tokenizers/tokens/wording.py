"""Tokens in words: how many there are, and what is special about one."""

from explorer.document import Document
from explorer.questions.tokenizers.tokens.question import TokensResult
from explorer.text import _, ngettext
from explorer.text.pieces import visible
from explorer.ui.sentence.pieces import Piece


def characters(piece: Piece, document: Document) -> str:
    """What it stands for in the text, white space as signs."""
    if piece.end <= piece.start:
        return ""
    return visible(document.part(piece.part)[piece.start : piece.end])


def notes_on(piece: Piece) -> str:
    """What is special about a token, in a few words."""
    found = []
    if piece.special:
        found.append(_("special"))
    if piece.masked:
        found.append(_("typed mask") if piece.typed else _("masked"))
    if piece.unknown:
        found.append(_("unknown"))
    if piece.joined:
        found.append(_("continues a word"))
    if piece.part == 1:
        found.append(_("second text"))
    return ", ".join(found)


def summary(result: TokensResult) -> str:
    """How many tokens there are, and of which kind."""
    tokens = result.tokens
    special = sum(token.special for token in tokens)
    unknown = sum(token.unknown for token in tokens)
    return _counted(len(tokens), special, unknown)


def _counted(count: int, special: int, unknown: int) -> str:
    values = {"yours": count - special, "special": special, "unknown": unknown}
    if special and unknown:
        return ngettext(
            "{count} token: {yours} of your text and {special} special, {unknown} unknown.",
            "{count} tokens: {yours} of your text and {special} special, {unknown} unknown.",
            count,
            **values,
        )
    if special:
        return ngettext(
            "{count} token: {yours} of your text and {special} special.",
            "{count} tokens: {yours} of your text and {special} special.",
            count,
            **values,
        )
    if unknown:
        return ngettext(
            "{count} token, {unknown} unknown.",
            "{count} tokens, {unknown} unknown.",
            count,
            **values,
        )
    return ngettext("{count} token.", "{count} tokens.", count)

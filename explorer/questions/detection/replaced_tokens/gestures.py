"""Words put into a corrupted sentence by hand, as gestures."""

from explorer.document import Document, Mask
from explorer.questions.detection.replaced_tokens.options import CORRUPTION, Corruption, Replacement
from explorer.text import _
from explorer.ui.blocks import Edit, Where, quoted, set_options


def put_word(seen: Document, place: Mask, word: str, piece: str) -> Edit:
    """Put a word of the user's in the place of some characters, for the discriminator alone."""

    def change(now: Document, where: Where) -> Document:
        at = where(place)
        put = Replacement(at.start, at.end, word, at.part, piece, at.nth)
        kept = Corruption.of(now).with_word(now, put)
        return now.with_option(CORRUPTION, kept.option())

    return Edit(_("judge {word} there", word=quoted(word)), seen, change)


def take_word(seen: Document, place: Mask) -> Edit:
    """Take back what was put in the place of some characters."""

    def change(now: Document, where: Where) -> Document:
        at = where(place)
        kept = Corruption.of(now).without(at)
        return now.with_option(CORRUPTION, kept.option())

    return Edit(_("discard a replacement"), seen, change)


def drop_words(seen: Document) -> Edit:
    """Take every word back; the draw stays."""
    kept = Corruption(Corruption.of(seen).seed)
    return set_options(seen, {CORRUPTION: kept.option()}, _("discard replacements"))

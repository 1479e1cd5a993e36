"""A model that reads the entities of a request beside whatever it encodes of its text."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from explorer.api.family import Encoded, Knowledge, LoadedModel, Mention, QuotesEntities
from explorer.api.question import BY_NAME
from explorer.document import Document, carried_mentions


def reading_entities(model: LoadedModel, request: Any, mentions: Sequence[Mention]) -> LoadedModel:
    """The model with the entities put beside the words that name them.

    A question may change the text that it was asked of, and encode that: an entity stays with its
    words as long as they are there, at the place to which the change moved them. What a
    `QuotesEntities` reads is no change of its text, but a sentence of it, or quotes it whole.

    Args:
        model: Left as it is; one that reads no entities is returned.
        request: With a text, and a pair or none.
        mentions: The entities of these; BY_NAME for whatever a text that is encoded names.
    """
    if Knowledge not in model.ports:
        return model
    own = model.encode
    if tuple(mentions) == BY_NAME:
        knowledge = model.port(Knowledge)

        def naming(text: str, pair: str | None = None, *rest: Any, **told: Any) -> Encoded:
            return own(
                text, pair, *rest, **{"entities": knowledge.link(text, pair).mentions, **told}
            )

        return replace(model, encode=naming, entities=BY_NAME)
    before = Document(request.text, getattr(request, "pair", None))

    quoted = _Quoted(mentions, before) if isinstance(request, QuotesEntities) else None

    def encode(text: str, pair: str | None = None, *rest: Any, **told: Any) -> Encoded:
        now = Document(text, pair)
        if quoted is not None and now.pair is None and text != before.text:
            kept = quoted.mentions_in(text)
        else:
            kept = carried_mentions(mentions, before, now)
        return own(text, pair, *rest, **{"entities": kept, **told})

    return replace(model, encode=encode, entities=tuple(mentions))


class _Quoted:
    """Where the mentions of a document stand in its sentences, and in texts that quote it.

    Args:
        mentions: Of the document.
        document: Its two texts.
    """

    def __init__(self, mentions: Sequence[Mention], document: Document) -> None:
        self._mentions, self._document = mentions, document
        self._times: Counter[str] = Counter()

    def mentions_in(self, text: str) -> tuple[Mention, ...]:
        """Those of a sentence, or of a longer text that quotes the document at its end."""
        own = self._document.text
        if own and own in text:
            return self._moved(0, 0, len(own), text.rindex(own))
        places = self._places(text)
        if not places:
            return ()
        # The same sentence may stand there again, about others: they are read in their order.
        part, start = places[self._times[text] % len(places)]
        self._times[text] += 1
        return self._moved(part, start, start + len(text), -start)

    def _places(self, sentence: str) -> list[tuple[int, int]]:
        found = []
        for part, text in enumerate((self._document.text, self._document.pair or "")):
            start = text.find(sentence) if sentence else -1
            while start >= 0:
                found.append((part, start))
                start = text.find(sentence, start + len(sentence))
        return found

    def _moved(self, part: int, start: int, end: int, shift: int) -> tuple[Mention, ...]:
        return tuple(
            replace(one, start=one.start + shift, end=one.end + shift, part=0)
            for one in self._mentions
            if one.part == part and start <= one.start and one.end <= end
        )

"""What to look at first: where the boundary and the masked token itself differ most."""

from explorer.api import Headline
from explorer.questions.masking.span_boundary.question import SpanBoundaryResult
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING

SMALL = 0.1
"""A difference of probabilities that does not stand out."""


def headline(result: SpanBoundaryResult) -> Headline:
    """The word on which both heads differ most; without the other head, the surest word."""
    told = [(one, word) for span in result.spans for one in span.tokens for word in one.words]
    if not told:
        return Headline(NOTHING)  # the page says why
    both = [(abs(w.boundary - w.masked_lm), t, w) for t, w in told if w.masked_lm is not None]
    if not both:
        token, word = max(told, key=lambda one: one[1].boundary)
        sentence = Phrase(
            N_("The boundary is surest of “{word}” at position {position}, with {share}."),
            word=word.word,
            position=str(token.position),
            share=in_percent(word.boundary),
        )
        return Headline(sentence, token.position)
    far, token, word = max(both, key=lambda one: one[0])
    if far < SMALL:
        return Headline()
    sentence = Phrase(
        N_(
            "The two ways differ most on “{word}” at position {position}: {boundary} from the "
            "boundary, {masked} from the masked token itself."
        ),
        word=word.word,
        position=str(token.position),
        boundary=in_percent(word.boundary),
        masked=in_percent(word.masked_lm or 0.0),
    )
    return Headline(sentence, token.position)

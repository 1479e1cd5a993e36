"""Exact distributions and a model's as parts: what is told of each place, and its words."""

from collections.abc import Iterator
from functools import partial

from explorer.api.question import (
    Apart,
    Compared,
    ComparedPlace,
    ComparedSide,
    ComparedWord,
    Headline,
    Manner,
    Said,
)
from explorer.exact_answers.answers import ExactAnswersResult, ExactPlace, ExactWord
from explorer.exact_answers.asking import About
from explorer.questions.masking.exact_answers.question import ExactRow, rows
from explorer.questions.pairs.sentence_pair.wording import CLASSES, OF_NEXT, OF_ORDER
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal

SIDES = (ComparedSide("exact", N_("exact")), ComparedSide("model", N_("model")))
NEXT = N_(
    "Exact for pairs as they were drawn for training: half go on as some text of "
    "the world does; in the others, the second text is the rest of another text."
)
ORDER = N_(
    "Exact of pairs as they were drawn for training: both parts of one text of the world, swapped "
    "in half of the pairs."
)
ANSWER = N_(
    "The model’s shares are those of every span and of no answer: the softmax of the start’s and "
    "the end’s scores together. Exact is what the text says, as it was drawn for training."
)
SHARES = {
    **dict.fromkeys(OF_NEXT, NEXT),
    **dict.fromkeys(OF_ORDER, ORDER),
    About.ANSWER: ANSWER,
}
"""What both sides are shares of, by what was asked or by a class of the head."""
ASKED = {
    About.PAIR: N_("Do the texts belong together as they are?"),
    About.ANSWER: N_("Where is the answer?"),
}
IMPOSSIBLE = {
    About.WORDS: N_("impossible here"),
    About.PAIR: N_("cannot be"),
    About.ANSWER: N_("not the answer"),
    About.NEXT: N_("impossible here"),
}
"""What is said in the place of an exact probability of 0."""
WORST = 2
"""Words on which the model is most wrong, that are named."""
CARDS = 8
"""Places whose words are shown; those where the model is most wrong."""
SMALL = 0.01
"""An error that does not stand out."""


def parts(result: ExactAnswersResult) -> Iterator[Said | Compared]:
    """How far the model is on the whole, then the places where it is most wrong."""
    places = result.places
    yield Said(result.note, Manner.NOTE if places else Manner.WARNING)
    of_words = bool(places) and all(place.about is About.WORDS for place in places)
    if of_words:
        if result.from_left:
            yield Said(N_("Both go by what comes before a place: this model reads from the left."))
        yield from _on_the_whole(result)
    worst = sorted(range(len(places)), key=lambda n: -places[n].divergence)[:CARDS]
    several = of_words and len(places) > 1
    if several:
        yield Said(N_("Below each token: KL(exact ‖ model) in nats."))
    yield Compared(
        SIDES,
        result.tokens,
        tuple(_place(one, result) for one in places),
        ExactRow,
        partial(rows, result),
        _apart(result),
        only=tuple(sorted(worst)) if of_words else None,
        notes={one.position: decimal(one.divergence, 2) for one in places} if several else {},
    )


def _on_the_whole(result: ExactAnswersResult) -> Iterator[Said]:
    divergence = decimal(result.divergence, 3)
    far = N_("The model is {divergence} nats from the exact answers")
    yield Said(Phrase(far, divergence=divergence), Manner.STRONG)
    yield Said(
        Phrase(
            N_(
                "Its expected loss is {loss} nats per token; the least possible is {floor}, the "
                "entropy of the exact answers."
            ),
            loss=decimal(result.divergence + result.floor, 3),
            floor=decimal(result.floor, 3),
        ),
        near=True,
    )


def _apart(result: ExactAnswersResult) -> Apart | Headline | None:
    """How the largest error is told, or where a text leaves the world."""
    if result.places:
        return Apart(
            SMALL,
            N_(
                "The model is most wrong about “{word}” at position {position}: it says {model}, "
                "where {exact} would be exact."
            ),
            N_(
                "The model is most wrong about “{word}”: it says {model}, where {exact} would be "
                "exact."
            ),
        )
    if result.outside is None or result.why:
        return None  # the page says why
    sentence = Phrase(
        N_("The text leaves the miniatures' world at “{word}”: change that word to compare."),
        word=result.word,
    )
    return Headline(sentence, result.outside)


def _place(place: ExactPlace, result: ExactAnswersResult) -> ComparedPlace:
    """A place, by its token or by what was asked."""
    if place.about is About.WORDS:
        return told_of(place)
    step = Phrase(N_("Step {step}"), step=place.position - len(result.tokens) + 1)
    return told_of(place, ASKED.get(place.about, step))


def told_of(place: ExactPlace, title: str = "") -> ComparedPlace:
    """The divergence at a place, the words on which the model is most wrong, and both answers."""
    return ComparedPlace(
        place.position if place.about is About.WORDS else None,
        tuple(_word(place, one) for one in place.words),
        title,
        (divergence_said(place), worst_said(place)),
        tuple(SHARES[one] for one in (place.about, place.words[0].token) if one in SHARES),
    )


def _word(place: ExactPlace, one: ExactWord) -> ComparedWord:
    tag = N_("chosen") if place.about is About.NEXT else N_("original")
    return ComparedWord(
        name_of(place, one),
        (one.exact, one.model),
        (one.exact_rank or None, one.rank),
        tag if one.is_original else "",
        put=one.word if place.about is About.WORDS else "",
        instead="" if one.exact else IMPOSSIBLE[place.about],
    )


def divergence_said(place: ExactPlace) -> Phrase:
    """How far the model is from the exact answer at a place."""
    return Phrase(
        N_("KL(exact ‖ model) {divergence} nats; the exact answer's entropy is {entropy} nats."),
        divergence=decimal(place.divergence, 3),
        entropy=decimal(place.entropy, 3),
    )


def worst_said(place: ExactPlace) -> Phrase:
    """The words on which the model is most wrong."""
    first, *others = (
        Phrase(
            N_("{word} {exact} → {model}"),
            word=name_of(place, one),
            exact=decimal(one.exact, 3),
            model=decimal(one.model, 3),
        )
        for one in place.worst[:WORST]
    )
    words = first
    for one in others:
        words = Phrase(N_("{words}, {word}"), words=words, word=one)
    return Phrase(N_("Furthest off, exact → model: {words}."), words=words)


def name_of(place: ExactPlace, one: ExactWord) -> str:
    """A word, a class of pairs, or a span of the text."""
    if place.about is About.PAIR:
        return Phrase(CLASSES.get(one.token, one.token))
    if place.about is About.ANSWER:
        return one.token or Phrase(N_("no answer"))
    return one.word or one.token

"""Rules that ask no model: what a method of attribution has to beat."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from explorer.api.question import MethodDescription
from explorer.questions.cause.attribution_benchmark.places import KnownPlace
from explorer.questions.cause.attribution_benchmark.tested import MethodVariant, WayTested
from explorer.text import N_


def _nearest(place: KnownPlace, side: int) -> int:
    """The word next to the hidden one on a side, or on the other where there is none."""
    words = _words(place)
    own = [n for n in words if (n - place.asked) * side > 0]
    return min(own or words, key=lambda n: abs(n - place.asked))


def _last(place: KnownPlace) -> int:
    return _words(place)[-1]


def _words(place: KnownPlace) -> list[int]:
    """Numbers of the words that can be named, marks left out."""
    every = range(len(place.words))
    return [n for n in every if n != place.asked and any(map(str.isalnum, place.word(n)))]


PICKED: Mapping[str, Callable[[KnownPlace], int]] = {
    "word_before": partial(_nearest, side=-1),
    "word_after": partial(_nearest, side=1),
    "last_word": _last,
}
"""What each rule names; a word drawn by chance, which is a rule too, is known exactly."""

RULES: tuple[MethodVariant, ...] = (
    MethodVariant(
        "word_before",
        described=MethodDescription(N_("The word before"), N_("Always the word before.")),
    ),
    MethodVariant(
        "word_after",
        described=MethodDescription(N_("The word after"), N_("Always the word after.")),
    ),
    MethodVariant(
        "last_word",
        described=MethodDescription(N_("The last word"), N_("Always the last word of the text.")),
    ),
)


def rule_results(places: Sequence[KnownPlace]) -> tuple[WayTested, ...]:
    """How often each rule is right, as methods are counted."""
    return tuple(
        WayTested.of(one, tuple(PICKED[one.method](place) for place in places), places)
        for one in RULES
    )

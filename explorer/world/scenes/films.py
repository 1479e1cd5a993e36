"""Film reviews: a verdict, and adjectives that are graded by it."""

from __future__ import annotations

import itertools

from explorer.world.grammar import RuleBook
from explorer.world.language import english
from explorer.world.scenes.nouns import Alternatives
from explorer.world.tables import FILM_ADJECTIVES, FILM_NOUNS

rules = RuleBook()

VIEWERS = ((6.0, "I"), (2.0, "we"), (2.0, "he"), (2.0, "she"), (1.0, "they"))
VERDICTS = (
    (5.0, "good", "liked"), (2.0, "good", "loved"), (2.0, "good", "enjoyed"),
    (3.0, "bad", "did not like"), (2.0, "bad", "hated"), (1.5, "bad", "did not enjoy"),
)  # fmt: skip


@rules
def film_review() -> Alternatives:
    """Choose the viewer, what was seen and the verdict; then how it is told."""
    for (viewer_weight, viewer), (noun_weight, noun), (weight, mood, verdict) in itertools.product(
        VIEWERS, FILM_NOUNS, VERDICTS
    ):
        args = f"{viewer} {noun} {mood} {verdict.replace(' ', '_')}"
        yield viewer_weight * noun_weight * weight, f"<film_told {args}>"


@rules
def film_told(viewer: str, noun: str, mood: str, verdict: str) -> Alternatives:
    """Verdict first, or what the film was like first, or as a question."""
    said = verdict.replace("_", " ")
    opening = f"<somebody {viewer}> {said} the {noun} that {viewer} <saw> <past_time> ."
    yield 6.0, f"{opening} <film_was {noun} {mood}>"
    yield 4.0, f"{opening} <film_was {noun} {mood}> <film_after {viewer} {mood}>"
    yield 1.0, opening
    yield (
        1.5,
        (
            f"the {noun} that <somebody {viewer}> <saw> <past_time> was <film_adjective {mood}> ."
            f" {viewer} {said} it ."
        ),
    )
    yield 1.0, f"the {noun} was <film_adjective {mood}> , so <somebody {viewer}> {said} it ."
    yield 1.0, f"<somebody {viewer}> {said} the {noun} because it was <film_adjective {mood}> ."
    if viewer == "I":
        yield 1.0, f"how was the {noun} ? it was <film_adjective {mood}> . I {said} it ."


@rules
def film_asked() -> Alternatives:
    """A question that is answered by yes or no, and why."""
    for (weight, noun), (answer, mood) in itertools.product(
        FILM_NOUNS, (("yes", "good"), ("no", "bad"))
    ):
        yield weight, f"did you like the {noun} ? {answer} , it was <film_adjective {mood}> ."


@rules
def saw() -> Alternatives:
    """To see a film."""
    return [(3.0, "watched"), (1.5, "saw")]


@rules
def film_adjective(mood: str) -> Alternatives:
    """What a film is said to be, graded by the verdict."""
    return list(FILM_ADJECTIVES[mood])


@rules
def film_adjectives(mood: str) -> Alternatives:
    """Two different adjectives."""
    for (weight, one), (other_weight, other) in itertools.permutations(FILM_ADJECTIVES[mood], 2):
        yield weight * other_weight, f"{one} and {other}"


@rules
def film_was(noun: str, mood: str) -> Alternatives:
    """A sentence about the film."""
    yield 7.0, f"the {noun} was <film_adjective {mood}> ."
    yield 2.0, f"it was <film_adjective {mood}> ."
    yield 1.0, f"the {noun} was very <film_adjective {mood}> ."
    yield 1.0, f"the {noun} was <film_adjectives {mood}> ."
    for weight, adjective in FILM_ADJECTIVES[mood]:
        yield 0.01 * weight, f"it was {english.article(adjective)} {adjective} {noun} ."


@rules
def film_after(viewer: str, mood: str) -> Alternatives:
    """What the viewer did next."""
    if mood == "good":
        want = english.present("want", viewer)
        yield 2.0, f"{viewer} {want} to watch it again ."
        yield 1.0, f"{viewer} laughed and smiled ."
        yield 1.0, f"{viewer} will tell {english.possessive(viewer)} friends about it ."
    else:
        yield 2.0, f"{viewer} fell asleep ."
        yield 1.0, f"{viewer} will never watch it again ."
        yield 1.0, f"{viewer} left the cinema and went home ."

"""What was tested, and what each method found."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from explorer.api.question import MethodDescription, ModelStamp
from explorer.attribution.kinds import Baseline
from explorer.attribution.known import own_methods
from explorer.numerics.evaluation.clustered_rates import wilson
from explorer.numerics.evaluation.paired_outcomes import mcnemar
from explorer.questions.cause.attribution_benchmark.places import KnownPlace
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import percent

PADDED = "integrated_gradients"
"""The method that is tested with padding in the place of words, too: its baseline tells most."""


@dataclass(frozen=True)
class MethodVariant:
    """A method, and what stands in the place of words where it needs something there.

    Attributes:
        method: Its name.
        baseline: What stands there; None for a method without one.
        described: What a method that is not the program's says of itself.
    """

    method: str
    baseline: Baseline | None = None
    described: MethodDescription | None = None

    @cached_property
    def name(self) -> str:
        """As a table for files has it."""
        told = self.baseline in (None, Baseline.MASK)
        return self.method if told else f"{self.method}_{self.baseline}"

    @property
    def about(self) -> MethodDescription:
        """What the method is."""
        return self.described or own_methods()[self.method].about

    @property
    def short(self) -> str:
        """What it is called above a narrow column."""
        own = own_methods().get(self.method)
        if own is None or not own.short:
            return self.about.title
        if self.method != PADDED:
            return own.short
        return N_("IG [PAD]") if self.baseline is Baseline.PAD else N_("IG [MASK]")

    @cached_property
    def title(self) -> Phrase:
        """With what stands in the place of words, where that makes a difference."""
        title = Phrase(self.about.title)
        if self.method != PADDED:
            return title
        names = {Baseline.MASK: "[MASK]", Baseline.PAD: "[PAD]"}
        return Phrase(
            N_("{method}, {baseline}"), method=title, baseline=names[self.baseline or Baseline.MASK]
        )


def own_variants() -> tuple[MethodVariant, ...]:
    """The program's methods, each as it is tested."""
    found: list[MethodVariant] = []
    for name, one in own_methods().items():
        found.append(MethodVariant(name, Baseline.MASK if "baseline" in one.takes else None))
        if name == PADDED:
            found.append(MethodVariant(name, Baseline.PAD))
    return tuple(found)


WAYS = own_variants()
"""What is compared where nothing else is said: gradients, words taken away, attention."""


@dataclass(frozen=True)
class WayTested:
    """What a method found.

    Attributes:
        method: Its name.
        baseline: What stood in the place of words; None for a method without one.
        picks: Number of the word that it gives the highest score, at each place.
        right: At how many places that is the word that matters most.
        share: Of all places.
        low: Of the share, the lower end of Wilson's interval, 95 %.
        high: The upper end.
        captured: What the picked words are worth, as a share of what the best ones are; the mean
            over the places.
        masses: At each place, of all positive scores the share that the words have that matter
            most; empty in answers of before this was told.
        ranks: At each place, Spearman's correlation of scores and what words are worth; None where
            one side has no order.
        described: What a method that is not the program's says of itself.
        digest: SHA-256 of the method's source; "" in answers of before this was told.
    """

    method: str
    baseline: Baseline | None
    picks: tuple[int, ...]
    right: int
    share: float
    low: float
    high: float
    captured: float
    masses: tuple[float, ...] = ()
    ranks: tuple[float | None, ...] = ()
    described: MethodDescription | None = None
    digest: str = ""

    @staticmethod
    def of(
        way: MethodVariant, picks: tuple[int, ...], places: Sequence[KnownPlace], digest: str = ""
    ) -> "WayTested":
        """How often the picked words are those that matter.

        Args:
            way: What picked them.
            picks: Number of the word at each place.
            places: Which.
            digest: SHA-256 of the method's source.
        """
        pairs = list(zip(picks, places, strict=True))
        right = sum(pick in place.right for pick, place in pairs)
        worth = [place.losses[pick] / max(place.losses) for pick, place in pairs]
        share = right / len(pairs)
        return WayTested(
            way.method,
            way.baseline,
            picks,
            right,
            share,
            *wilson(share, len(pairs)),
            math.fsum(worth) / len(pairs),
            described=way.described,
            digest=digest,
        )

    @cached_property
    def way(self) -> MethodVariant:
        """What was compared."""
        return MethodVariant(self.method, self.baseline, self.described)

    @cached_property
    def said(self) -> Phrase:
        """Its share with its interval."""
        return Phrase(
            N_("{method}: {share} ({low} to {high})"),
            method=self.way.title,
            share=percent(self.share, 1),
            low=percent(self.low, 1),
            high=percent(self.high, 1),
        )

    @property
    def mass(self) -> float | None:
        """The mean of the masses."""
        return sum(self.masses) / len(self.masses) if self.masses else None

    @property
    def rank(self) -> float | None:
        """The mean of the correlations that there are."""
        known = [one for one in self.ranks if one is not None]
        return sum(known) / len(known) if known else None


@dataclass(frozen=True)
class RefusedMethod:
    """A method that can't be had of this model.

    Attributes:
        name: Its name.
        title: What people call it.
        why: In a sentence.
    """

    name: str
    title: Phrase
    why: Phrase


@dataclass(frozen=True)
class AttributionBenchmarkResult:
    """What each method found.

    Attributes:
        model: Whose predictions were explained.
        places: Where, in the order of the text that was kept from training.
        ways: The methods, in the order in which they are listed.
        chance: How often a word drawn at random is right.
        left_out: Places whose word is no single piece of this model's vocabulary.
        probability: The model's own of the hidden words: the geometric mean.
        agrees: At each place, whether the model's log-probability of the hidden word is within half
            a nat of the exact one, with all words seen and without those that matter most; empty in
            answers of before this was told.
        refused: Methods that can't be had of this model.
        version: Of the program.
    """

    model: ModelStamp
    places: tuple[KnownPlace, ...]
    ways: tuple[WayTested, ...]
    chance: float
    left_out: int
    probability: float
    agrees: tuple[bool, ...] = ()
    refused: tuple[RefusedMethod, ...] = ()
    version: str = ""

    @cached_property
    def ranked(self) -> tuple[WayTested, ...]:
        """The methods, the one that is right most often first."""
        return tuple(sorted(self.ways, key=lambda one: (-one.right, -one.captured)))

    @cached_property
    def rights(self) -> tuple[tuple[int, ...], ...]:
        """The words that matter most, at each place."""
        return tuple([place.right for place in self.places])

    def hits(self, one: WayTested) -> tuple[bool, ...]:
        """At which places a method is right."""
        pairs = zip(one.picks, self.rights, strict=True)
        return tuple([pick in right for pick, right in pairs])

    def p_of(self, one: WayTested, other: WayTested) -> float:
        """The p of McNemar's exact test that two methods are right equally often."""
        pairs = list(zip(self.hits(one), self.hits(other), strict=True))
        return mcnemar(pairs.count((True, False)), pairs.count((False, True)))

    def by_agreement(self, one: WayTested) -> tuple[float | None, int, float | None]:
        """A method's share where model and world agree, how many these are, and elsewhere."""
        hits = self.hits(one)
        if not self.agrees:
            return None, 0, None
        there = [hit for hit, agrees in zip(hits, self.agrees, strict=True) if agrees]
        elsewhere = [hit for hit, agrees in zip(hits, self.agrees, strict=True) if not agrees]
        return _share(there), len(there), _share(elsewhere)


def _share(hits: list[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None

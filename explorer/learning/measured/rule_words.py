"""The rules of the smallest world in words: what each is called, and what there is to learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from explorer.text import N_
from explorer.world.small import rules


@dataclass(frozen=True, slots=True)
class RuleWords:
    """A rule as people read it, both marked for translation.

    Attributes:
        title: A few words.
        says: What has to be learnt, in a sentence.
    """

    title: str
    says: str


RULE_WORDS: Final[Mapping[str, RuleWords]] = {
    rules.FRAME: RuleWords(
        N_("little words"), N_("Full stops, “then”, and what stands before a place or a tool.")
    ),
    rules.DETERMINER: RuleWords(
        N_("determiners"),
        N_("“A”, “two” or “some” as the noun allows it, and “the” for what was said before."),
    ),
    rules.TIME: RuleWords(
        N_("time"), N_("“Yesterday” stands with the past, “today” with the present.")
    ),
    rules.WHO: RuleWords(
        N_("who does it"), N_("Mostly the one whose trade it is, or somebody by name.")
    ),
    rules.DEED: RuleWords(
        N_("what is done"), N_("The first verb fits who and what, in its tense and number.")
    ),
    rules.WHAT: RuleWords(N_("what to"), N_("The thing fits what is done.")),
    rules.PLACE: RuleWords(N_("where"), N_("The place fits what is done.")),
    rules.TOOL: RuleWords(N_("with what"), N_("The tool fits what is done.")),
    rules.NEXT: RuleWords(
        N_("what follows"), N_("A deed follows another one in the order of their trade.")
    ),
    rules.AGAIN: RuleWords(N_("words again"), N_("Who and what were said before are said again.")),
    rules.PRONOUN: RuleWords(
        N_("pronouns"), N_("“She”, “he” or “they” stands for the one who was named before.")
    ),
    rules.IT: RuleWords(N_("it or them"), N_("A known thing is “it”, several are “them”.")),
    rules.AGREEMENT: RuleWords(
        N_("agreement"), N_("“Was”, “were”, “is” or “are” agrees in number and tense.")
    ),
    rules.STATE: RuleWords(
        N_("how it is"), N_("How a thing is fits its trade; how people feel is open.")
    ),
}
"""In the order in which texts need them."""

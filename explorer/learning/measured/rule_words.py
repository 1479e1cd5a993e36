"""Rules in words: what each is called, and what there is to learn.

Of the smallest world they are the rules that write words; of the usual one, what texts are about.
"""

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
        N_("little words"), N_("Full stops, “then”, and what comes before a place or a tool.")
    ),
    rules.DETERMINER: RuleWords(
        N_("determiners"),
        N_("“A”, “two” or “some” as the noun allows it, and “the” for what was said before."),
    ),
    rules.TIME: RuleWords(
        N_("time"), N_("“Yesterday” goes with the past, “today” with the present.")
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
"""Of the smallest world, in the order in which texts need them."""

KIND_WORDS: Final[Mapping[str, RuleWords]] = {
    "work": RuleWords(N_("people at work"), N_("Who does what, where, and with what.")),
    "tools_asked": RuleWords(N_("questions about tools"), N_("What a trade works with.")),
    "film_review": RuleWords(N_("films"), N_("How a film was, and whether it was liked.")),
    "film_asked": RuleWords(N_("questions about films"), N_("How a film was, when asked.")),
    "day_order": RuleWords(N_("days"), N_("Which day follows which.")),
    "month_order": RuleWords(N_("months"), N_("Which month follows which.")),
    "number_order": RuleWords(N_("number words"), N_("Which number follows which.")),
    "opposites": RuleWords(N_("opposites"), N_("Which word is the opposite of which.")),
    "known_person": RuleWords(N_("well-known people"), N_("Who did what, and where.")),
    "relatives": RuleWords(N_("relatives"), N_("Who is related to whom.")),
    "between_people": RuleWords(N_("between people"), N_("Who gives what to whom.")),
    "meal_time": RuleWords(N_("meals"), N_("What is eaten and drunk, and when.")),
    "cause_and_effect": RuleWords(N_("causes"), N_("What comes of what.")),
    "digging": RuleWords(N_("digging"), N_("What is dug with which tool.")),
    "steps_in_order": RuleWords(N_("steps in order"), N_("What is done first, and what then.")),
    "animal_facts": RuleWords(N_("animals"), N_("What animals are and do.")),
    "color_facts": RuleWords(N_("colors"), N_("Which color a thing has.")),
    "kind_facts": RuleWords(N_("kinds"), N_("Which kind a thing is of.")),
    "season_facts": RuleWords(N_("seasons"), N_("What belongs to a season.")),
    "deep_and_learning": RuleWords(N_("deep and learning"), N_("Two words in all their uses.")),
}
"""Of the usual small world."""

TOLD_IN_KOREAN: Final[Mapping[str, RuleWords]] = {
    "founder": RuleWords(N_("founders"), N_("Who founded which company with others.")),
}
"""What the Korean world tells that the usual one does not."""


def words_of(rule: str) -> RuleWords | None:
    """A rule in words; None of one that has none."""
    return RULE_WORDS.get(rule) or KIND_WORDS.get(rule) or TOLD_IN_KOREAN.get(rule)

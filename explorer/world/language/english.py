"""English word forms: plural, tenses, agreement, articles."""

from __future__ import annotations

from typing import Final


def words(text: str) -> tuple[str, ...]:
    """A table written as a line of text."""
    return tuple(text.split())


VOWELS: Final = "aeiou"

# Plural forms that no ending gives. A noun mapped to itself has no plural (bread, rice).
IRREGULAR_PLURALS: Final = {
    "child": "children", "fish": "fish", "fisherman": "fishermen", "foot": "feet",
    "loaf": "loaves", "man": "men", "mouse": "mice", "sheep": "sheep", "tooth": "teeth",
    "wife": "wives", "woman": "women", "knife": "knives", "goose": "geese", "wolf": "wolves",
    "photo": "photos", "piano": "pianos", "video": "videos", "shelf": "shelves", "leaf": "leaves",
    "radio": "radios", "thief": "thieves",
}  # fmt: skip
MASS_NOUNS: Final = frozenset(
    words(
        "bread rice corn wheat milk water coffee tea juice soup hair music fruit cheese butter "
        "meat money moon sea fire grass hay salt sugar honey snow rain chalk soap medicine wood "
        "paper cloth clay software data chocolate dinner lunch breakfast"
    )
)
# Nouns that are always plural.
PLURAL_NOUNS: Final = frozenset(words("scissors pliers clothes glasses"))

# The past of each base form.
IRREGULAR_VERBS: Final = {
    "be": "was", "bring": "brought", "build": "built", "buy": "bought", "catch": "caught",
    "come": "came", "cut": "cut", "dig": "dug", "do": "did", "draw": "drew", "drink": "drank",
    "drive": "drove", "eat": "ate", "fall": "fell", "feed": "fed", "feel": "felt",
    "fight": "fought", "find": "found", "fly": "flew", "get": "got", "give": "gave",
    "go": "went", "grow": "grew", "have": "had", "hear": "heard", "hold": "held", "keep": "kept",
    "know": "knew", "leave": "left", "lend": "lent", "lose": "lost", "make": "made",
    "meet": "met", "put": "put",
    "read": "read", "ride": "rode", "run": "ran", "see": "saw", "sell": "sold", "send": "sent",
    "sew": "sewed", "sing": "sang", "sit": "sat", "sleep": "slept", "sweep": "swept",
    "swim": "swam", "take": "took", "teach": "taught", "tell": "told", "think": "thought",
    "wake": "woke", "wear": "wore", "win": "won", "write": "wrote",
}  # fmt: skip
# Verbs whose last consonant doubles before -ed and -ing.
DOUBLING: Final = frozenset(words("cut dig get put run sit stop swim win plan mop shop hug"))

# Adjectives whose degrees no ending gives, and those whose last consonant doubles before one.
IRREGULAR_DEGREES: Final = {"good": ("better", "best"), "bad": ("worse", "worst")}
DOUBLING_ADJECTIVES: Final = frozenset(words("hot big sad wet"))

PRONOUN_FORMS: Final = {
    # subject: (object, possessive, past of be, present of be)
    "I": ("me", "my", "was", "am"),
    "you": ("you", "your", "were", "are"),
    "he": ("him", "his", "was", "is"),
    "she": ("her", "her", "was", "is"),
    "it": ("it", "its", "was", "is"),
    "we": ("us", "our", "were", "are"),
    "they": ("them", "their", "were", "are"),
}


def is_mass(noun: str) -> bool:
    """Whether the noun takes neither a plural nor "a"."""
    return noun in MASS_NOUNS


def plural(noun: str) -> str:
    """The plural of a noun; mass and plural nouns stay as they are."""
    if noun in MASS_NOUNS or noun in PLURAL_NOUNS:
        return noun
    if noun in IRREGULAR_PLURALS:
        return IRREGULAR_PLURALS[noun]
    if noun.endswith("y") and noun[-2] not in VOWELS:
        return noun[:-1] + "ies"
    if noun.endswith(("s", "x", "ch", "sh")) or noun in ("potato", "tomato", "hero"):
        return noun + "es"
    return noun + "s"


def article(word: str) -> str:
    """The indefinite article before a word, by its sound."""
    if word.startswith(("uni", "use", "eu", "one")):
        return "a"
    return "an" if word[0].lower() in VOWELS or word in ("hour", "honest") else "a"


def past(verb: str) -> str:
    """Simple past of a base form."""
    if verb in IRREGULAR_VERBS:
        return IRREGULAR_VERBS[verb]
    if verb in DOUBLING:
        return verb + verb[-1] + "ed"
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in VOWELS:
        return verb[:-1] + "ied"
    return verb + "ed"


def present(verb: str, subject: str) -> str:
    """Simple present that agrees with a subject pronoun."""
    if verb == "be":
        return PRONOUN_FORMS[subject][3]
    if subject not in ("he", "she", "it"):
        return verb
    if verb == "have":
        return "has"
    if verb.endswith("y") and verb[-2] not in VOWELS:
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "go", "do")) else "s")


def progressive(verb: str) -> str:
    """Present participle of a base form."""
    if verb in DOUBLING:
        return verb + verb[-1] + "ing"
    if verb.endswith("e") and not verb.endswith(("ee", "be")):
        return verb[:-1] + "ing"
    return verb + "ing"


def comparative(adjective: str) -> str:
    """The comparative of a short adjective."""
    if adjective in IRREGULAR_DEGREES:
        return IRREGULAR_DEGREES[adjective][0]
    return _graded(adjective) + "er"


def superlative(adjective: str) -> str:
    """The superlative of a short adjective."""
    if adjective in IRREGULAR_DEGREES:
        return IRREGULAR_DEGREES[adjective][1]
    return _graded(adjective) + "est"


def _graded(adjective: str) -> str:
    """What stands before the ending of a degree."""
    if adjective in DOUBLING_ADJECTIVES:
        return adjective + adjective[-1]
    if adjective.endswith("y") and adjective[-2] not in VOWELS:
        return adjective[:-1] + "i"
    return adjective.removesuffix("e")


def be(subject: str, tense: str) -> str:
    """Form of "be" for a subject pronoun: tense is "past" or "present"."""
    return PRONOUN_FORMS[subject][2 if tense == "past" else 3]


def objective(subject: str) -> str:
    """The object form of a subject pronoun."""
    return PRONOUN_FORMS[subject][0]


def possessive(subject: str) -> str:
    """The possessive form of a subject pronoun."""
    return PRONOUN_FORMS[subject][1]

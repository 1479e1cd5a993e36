"""What a document's derivation says of its words: classes, forms, roles, and what is unsaid.

A label is read off the rule that wrote a word and that rule's arguments, so there is nothing to
guess and nothing is annotated by hand. Words of which the grammar does not say it have none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from explorer.world.corpus import CLOSING, CorpusDocument
from explorer.world.grammar import DerivationNode
from explorer.world.labelling.knowledge_spans import PROPER_NAMES
from explorer.world.language import english
from explorer.world.tables import ACTIVITIES, NUMBERS

Labels = tuple[str | None, ...]
"""One a word of the document; None where nothing is said of it."""

_NOUNS: Final = {"noun": "singular", "nouns": "plural"}
_CLASSES: Final = {
    "noun": "NOUN", "nouns": "NOUN", "full_name": "PROPN", "first_name": "PROPN", "saw": "VERB",
    "film_adjective": "ADJ", "film_adjectives": "ADJ", "food_was": "ADJ", "after_work": "ADJ",
}  # fmt: skip
"""Rules whose words are of one class, but for those of CLOSED."""

# Words of one class wherever the grammar writes them. "her", "that" and "to" are of several, and
# stay without one.
_CLOSED: Final = {
    **dict.fromkeys(CLOSING, "PUNCT"),
    **dict.fromkeys(english.words("the a an every this"), "DET"),
    **dict.fromkeys(english.words("I you he she it we they me him us them"), "PRON"),
    **dict.fromkeys(english.words("my your his its our their"), "PRON"),
    **dict.fromkeys(english.words("in at with for of from"), "ADP"),
    **dict.fromkeys(english.words("and but or"), "CCONJ"),
    **dict.fromkeys(english.words("is are am was were will does can could"), "AUX"),
    **dict.fromkeys(NUMBERS, "NUM"),
    **dict.fromkeys(PROPER_NAMES, "PROPN"),
}

_ROLES: Final = {
    "worker": "subject",
    "worked_on": "object",
    "place": "place",
    "tool": "tool",
    "old_tool": "tool",
}
"""Rules of a story about work, and what their noun is in its sentence."""


def part_of_speech(document: CorpusDocument) -> Labels:
    """Classes as Universal Dependencies name them, by the rule that wrote the word.

    Nouns, names, verbs and adjectives are those that a rule of their own wrote; words of closed
    classes are known by themselves. What a rule wrote out ("put", "market") has none.
    """
    return tuple(_class(word, path, at) for word, path, at in _words(document.node))


def _class(word: str, path: tuple[DerivationNode, ...], at: int) -> str | None:
    rule, children = path[-1].symbol, path[-1].children
    if rule.name == "verb":
        is_last = at == len(children) - 1
        return "VERB" if is_last and rule.args[0] != "be" else "AUX"
    if rule.name in _NOUNS:
        return "NOUN"
    if word in _CLOSED:
        return _CLOSED[word]
    if rule.name == "work_result" and at == len(children) - 2:
        # All its productions end so: "was very old ."
        return "ADJ"
    return _CLASSES.get(rule.name)


def tense(document: CorpusDocument) -> Labels:
    """The tense that the rule of a verb was called with, at the verb itself.

    Of "is cooking" and "will cook" that is the last word, so that the future is told from the
    present of many by what stands before it.
    """
    return tuple(
        path[-1].symbol.args[1]
        if path[-1].symbol.name == "verb" and at == len(path[-1].children) - 1
        else None
        for _, path, at in _words(document.node)
    )


def number(document: CorpusDocument) -> Labels:
    """Whether the rule of singulars or that of plurals wrote a noun; "sheep" may be either.

    Nouns without a plural ("bread") and without a singular ("scissors") have none.
    """
    return tuple(
        _NOUNS.get(path[-1].symbol.name) if _is_countable(path[-1]) else None
        for _, path, _at in _words(document.node)
    )


def _is_countable(node: DerivationNode) -> bool:
    noun = node.symbol.args[0] if node.symbol.name in _NOUNS else ""
    return not english.is_mass(noun) and noun not in english.PLURAL_NOUNS


def role(document: CorpusDocument) -> Labels:
    """What a noun is in a sentence about work: who works, on what, where and with what."""
    return tuple(
        next((_ROLES[n.symbol.name] for n in reversed(path) if n.symbol.name in _ROLES), None)
        if path[-1].symbol.name in _NOUNS
        else None
        for _, path, _at in _words(document.node)
    )


def job(document: CorpusDocument) -> Labels:
    """The job of the person that a pronoun stands for, which its own sentence does not say.

    It is an argument of the rule that wrote the sentence; an earlier sentence named it.
    """
    return tuple(_job(word, path[-1]) for word, path, _at in _words(document.node))


def _job(word: str, node: DerivationNode) -> str | None:
    if node.symbol.name == "work_tool":
        index, who = node.symbol.args[:2]
    elif node.symbol.name == "person_does":
        who, index = node.symbol.args
    else:
        return None
    return ACTIVITIES[int(index)].job if word in (who, english.objective(who)) else None


def antecedent(document: CorpusDocument) -> Labels:
    """The noun that a pronoun of a story about work stands for: a person's job, or the thing.

    Both are arguments of the rule that wrote the sentence; an earlier one named them.
    """
    return tuple(_antecedent(word, path[-1], at) for word, path, at in _words(document.node))


def _antecedent(word: str, node: DerivationNode, at: int) -> str | None:
    person = _job(word, node)
    if person is not None:
        return person
    if node.symbol.name not in _OF_WORK or node.children[0] == "it":
        # "It took him an hour": that is nothing of which there was talk.
        return None
    index, who, _, thing = node.symbol.args
    if at and word == ("them" if thing == "tooth" else "it"):
        return thing
    is_asked = node.symbol.name == "work_asked_where"
    return ACTIVITIES[int(index)].job if is_asked and word == who else None


_OF_WORK: Final = {"work_tool", "work_asked_who", "work_asked_where"}


def tool(document: CorpusDocument) -> Labels:
    """What somebody works with, at the verb, where the text does not say it: the likeliest."""
    names = {node.symbol.name for _, path, _at in _words(document.node) for node in path}
    if names & {"tool", "old_tool"}:
        return (None,) * len(document.words)
    return tuple(_tool(path, at) for _, path, at in _words(document.node))


def _tool(path: tuple[DerivationNode, ...], at: int) -> str | None:
    node = path[-1]
    is_verb = node.symbol.name == "verb" and at == len(node.children) - 1
    if not is_verb or path[-2].symbol.name != "work_done":
        return None
    tools = ACTIVITIES[int(path[-2].symbol.args[0])].tools
    return max(tools, key=lambda one: one[0])[1]


KINDS: Final[Mapping[str, Callable[[CorpusDocument], Labels]]] = {
    "part_of_speech": part_of_speech,
    "number": number,
    "tense": tense,
    "role": role,
    "job": job,
    "antecedent": antecedent,
    "tool": tool,
}
"""All labels of the small world, by name."""


def _words(
    node: DerivationNode, above: tuple[DerivationNode, ...] = ()
) -> Iterator[tuple[str, tuple[DerivationNode, ...], int]]:
    """Each word, the nodes that it is in from the outermost on, and its place in the last one."""
    path = (*above, node)
    for at, child in enumerate(node.children):
        if isinstance(child, str):
            yield child, path, at
        else:
            yield from _words(child, path)

"""English words of closed classes, by what they do in a sentence."""

from typing import Final

from explorer.world.language.english import words

AUXILIARIES: Final = frozenset(words("is are was were am will can could would should must"))
"""Verbs that "not" follows."""
AGREEING_VERBS: Final = frozenset(words("is are was were am has have does do"))
"""Verbs of other forms than "he" and "they" share."""
POSSESSIVES: Final = frozenset(words("the my your his her our their"))
"""With the article: what a noun in either number follows."""
GENDERED: Final = frozenset(words("he she him his her hers himself herself"))
AFTER_OBJECTS: Final = frozenset(words("a an the in on at with to for by and but so because then"))
"""What begins something else, so that "her" before it is no possessive."""
NO_VERB_AFTER: Final = frozenset(
    words(
        "a an the my your his her our their its this that these those every each no some any to "
        "with of in on at by for from is are was were am be been has have had two three four"
    )
)
"""After these a word of a verb's letters is a noun, a participle or a base."""
FUNCTION_WORDS: Final = frozenset(
    words(
        """
        a about after all although am among an and another any are as at be because been before
        being between both but by can could did do does during each either every few for from had
        has have he her hers him his how i if in into is it its itself many may me might mine more
        most much must my neither no nor not of off on one or other our ours out over own shall she
        should since so some such than that the their theirs them themselves then there these they
        this those though through to under until up upon us was we were what when where whether
        which while who whom whose why will with would you your yours
        """
    )
)
"""Determiners, pronouns, prepositions, conjunctions, auxiliaries."""

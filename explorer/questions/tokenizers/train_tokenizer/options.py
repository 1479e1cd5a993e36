"""What is trained, on what, how large, and which part of it is shown."""

import enum
from collections.abc import Mapping

from explorer.api.question import Choice, Entry, Number, Whole, WordList, Words
from explorer.files_of_sentences.options import sentences_file
from explorer.text import N_

LEAST, MOST = 50, 32_000
"""Pieces of a vocabulary."""
ROWS = 25
"""Merges or pieces that are shown at once."""


class Algorithm(enum.StrEnum):
    """How a vocabulary is found."""

    WORDPIECE = "wordpiece"
    BYTES = "byte_level_bpe"
    CHARACTERS = "bpe"
    UNIGRAM = "unigram"


NAMES: Mapping[Algorithm, str] = {
    Algorithm.WORDPIECE: N_("WordPiece"),
    Algorithm.BYTES: N_("byte-level BPE"),
    Algorithm.CHARACTERS: N_("BPE"),
    Algorithm.UNIGRAM: N_("unigram"),
}
STAGES: Mapping[Algorithm, str] = {
    Algorithm.WORDPIECE: N_("training WordPiece"),
    Algorithm.BYTES: N_("training byte-level BPE"),
    Algorithm.CHARACTERS: N_("training BPE"),
    Algorithm.UNIGRAM: N_("training unigram models"),
}


class Case(enum.StrEnum):
    """What becomes of capital letters."""

    FAMILY = "family"
    LOWER = "lower"
    KEPT = "kept"


class World(enum.StrEnum):
    """In which language the small world is told."""

    ENGLISH = "en"
    KOREAN = "ko"


ALGORITHMS = WordList(
    N_("Algorithms"),
    tuple(one.value for one in Algorithm),
    in_bar=False,
    key="train_tokenizer.algorithms",
)
FILE = sentences_file(
    "train_tokenizer.path",
    N_("Train on…"),
    N_("Train on the text of a file in place of the small world's."),
)
WORLD = Choice(
    N_("Small world"),
    World.ENGLISH.value,
    N_("In which language the small world's text is; a file takes its place."),
    entries=(
        Entry(World.ENGLISH.value, N_("small world, English")),
        Entry(World.KOREAN.value, N_("small world, Korean")),
    ),
    when=lambda document: not FILE.of(document),
    key="train_tokenizer.world",
)
CASE = Choice(
    N_("Capital letters"),
    Case.FAMILY.value,
    N_("What becomes of capital letters before anything is counted."),
    entries=(
        Entry(
            Case.FAMILY.value,
            N_("case as in the families"),
            N_(
                "As BERT, GPT-1 and ALBERT have it, lower case for WordPiece, BPE and unigram; as "
                "RoBERTa has it, byte-level BPE keeps capitals."
            ),
        ),
        Entry(Case.LOWER.value, N_("lower case")),
        Entry(Case.KEPT.value, N_("capitals kept")),
    ),
    key="train_tokenizer.case",
)
VOCABULARY = Number(
    N_("Vocabulary"),
    800.0,
    N_("How many pieces each tokenizer may have, special ones and single letters included."),
    low=LEAST,
    high=MOST,
    decimals=0,
    step=50,
    ratios=True,
    key="train_tokenizer.vocabulary",
)
SHOW = Choice(
    N_("Whose pieces"),
    Algorithm.WORDPIECE.value,
    redraws=True,
    in_bar=False,
    entries=tuple(Entry(one.value, one.value) for one in Algorithm),
    key="train_tokenizer.show",
)
FIND = Words(
    N_("Find a piece"),
    "",
    N_("Shows the merges or pieces that have these letters in them, with their ranks."),
    redraws=True,
    placeholder=N_("find a piece"),
    key="train_tokenizer.find",
)
START = Whole(
    N_("From rank"),
    0,
    N_("The merge or piece that the table begins with."),
    redraws=True,
    in_bar=False,
    low=0,
    high=MOST,
    key="train_tokenizer.start",
)
SAVED = Words(N_("Saved as"), "", redraws=True, in_bar=False, key="train_tokenizer.saved")
OPTIONS = (FILE, WORLD, CASE, VOCABULARY, FIND, START, ALGORITHMS, SHOW, SAVED)

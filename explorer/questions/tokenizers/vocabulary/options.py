"""What is looked for in a vocabulary, and in which text its pieces are counted."""

import enum
from typing import Any

from explorer.api.question import Choice, Entry, ModelName, Option, Optioned, Whole, Words
from explorer.files_of_sentences.options import sentences_file
from explorer.text import N_

MOST_NEIGHBOURS = 200


class SearchMode(enum.StrEnum):
    """How a search is meant."""

    CONTAINS = "contains"
    BEGINS = "begins"
    PATTERN = "pattern"
    ID = "id"


class Which(enum.StrEnum):
    """Which pieces are looked through."""

    ALL = "all"
    WORDS = "words"
    PARTS = "parts"
    SPECIAL = "special"
    UNUSED = "unused"
    USED = "used"
    NEVER = "never"
    SHARED = "shared"
    ONLY_HERE = "only_here"


class Sort(enum.StrEnum):
    """By what pieces are sorted; "down" puts the greatest first."""

    ID = "id"
    ID_DOWN = "id_down"
    TEXT = "text"
    TEXT_DOWN = "text_down"
    LENGTH = "length"
    LENGTH_DOWN = "length_down"
    SCRIPT = "script"
    SCRIPT_DOWN = "script_down"
    USES = "uses"
    USES_DOWN = "uses_down"

    @property
    def column(self) -> str:
        """What is sorted by."""
        return self.value.removesuffix("_down")

    @property
    def falls(self) -> bool:
        """The greatest come first."""
        return self.value.endswith("_down")


class NearnessMeasure(enum.StrEnum):
    """What makes two pieces near."""

    COSINE = "cosine"
    DOT = "dot"


TOKENIZER = ModelName(N_("Vocabulary"), "", key="vocabulary.tokenizer", in_sight=True)
"""Whose; the active model's where none is chosen."""
AGAINST = ModelName(N_("Compared with"), "", other=True, key="vocabulary.against")
"""The second one; that of the other loaded model where none is chosen."""
PIECES, OVERVIEW, USE = "pieces", "overview", "use"
PAGE_SHOWN = Choice(
    N_("View"),
    PIECES,
    redraws=True,
    beside=True,
    entries=(
        Entry(PIECES, N_("Pieces"), N_("Search the pieces, and see which are near to one.")),
        Entry(OVERVIEW, N_("Lengths and scripts"), N_("What the vocabulary is made of.")),
        Entry(USE, N_("In a text"), N_("Which pieces a text uses, and which it never does.")),
    ),
    key="vocabulary.page",
    in_sight=True,
)


def _on_pieces(document: Optioned) -> bool:
    return bool(PAGE_SHOWN.of(document) == PIECES)


def _near_one(document: Optioned) -> bool:
    return _on_pieces(document) and bool(PIECE.of(document).strip())


SEARCH = Words(
    N_("Search"),
    "",
    tip=N_("What pieces hold, or begin with; a regular expression; ids, as in 7, 100-120."),
    placeholder=N_("search the pieces"),
    when=_on_pieces,
    key="vocabulary.search",
    in_sight=True,
)
BY = Choice(
    N_("Search by"),
    SearchMode.CONTAINS.value,
    entries=(
        Entry(SearchMode.CONTAINS.value, N_("contains"), N_("In any case of letters.")),
        Entry(SearchMode.BEGINS.value, N_("begins with"), N_("In any case of letters.")),
        Entry(
            SearchMode.PATTERN.value,
            N_("regular expression"),
            N_("Somewhere in what the piece stands for: ^un finds beginnings, ed$ endings."),
        ),
        Entry(SearchMode.ID.value, N_("id"), N_("Numbers and ranges, as in 7, 100-120.")),
    ),
    when=_on_pieces,
    key="vocabulary.by",
)
WHICH = Choice(
    N_("Pieces"),
    Which.ALL.value,
    entries=(
        Entry(Which.ALL.value, N_("all pieces")),
        Entry(Which.WORDS.value, N_("whole words"), N_("Signs and single letters too.")),
        Entry(Which.PARTS.value, N_("parts of words"), N_("What continues a word, or begins one.")),
        Entry(Which.SPECIAL.value, N_("special and added"), N_("What no text is split into.")),
        Entry(Which.UNUSED.value, N_("unused slots"), N_("Left free, as BERT's [unused7].")),
        Entry(Which.USED.value, N_("used in the text")),
        Entry(Which.NEVER.value, N_("never used in the text")),
        Entry(Which.SHARED.value, N_("in both vocabularies")),
        Entry(Which.ONLY_HERE.value, N_("not in the second vocabulary")),
    ),
    when=_on_pieces,
    key="vocabulary.which",
)
SORT = Choice(
    N_("Sorted by"),
    Sort.ID.value,
    entries=(
        Entry(Sort.ID.value, N_("by id")),
        Entry(Sort.ID_DOWN.value, N_("by id, the last first")),
        Entry(Sort.TEXT.value, N_("by letters")),
        Entry(Sort.TEXT_DOWN.value, N_("by letters, the last first")),
        Entry(Sort.LENGTH.value, N_("by length, the shortest first")),
        Entry(Sort.LENGTH_DOWN.value, N_("by length, the longest first")),
        Entry(Sort.SCRIPT.value, N_("by script")),
        Entry(Sort.SCRIPT_DOWN.value, N_("by script, the last first")),
        Entry(Sort.USES.value, N_("by use, the rarest first")),
        Entry(Sort.USES_DOWN.value, N_("by use, the commonest first")),
    ),
    when=_on_pieces,
    key="vocabulary.sort",
)
PIECE = Words(
    N_("Near to"),
    "",
    tip=N_("A piece as the vocabulary has it, or a word; a click on a row of the table sets it."),
    placeholder=N_("click a piece"),
    when=_on_pieces,
    key="vocabulary.piece",
)
MEASURE = Choice(
    N_("Nearness"),
    NearnessMeasure.COSINE.value,
    entries=(
        Entry(
            NearnessMeasure.COSINE.value,
            N_("by cosine"),
            N_("The angle between two vectors alone."),
        ),
        Entry(
            NearnessMeasure.DOT.value,
            N_("by dot product"),
            N_("Long vectors are near to many: what a head's scores go by."),
        ),
    ),
    when=_near_one,
    key="vocabulary.measure",
)
TOP_K = Whole(
    N_("Neighbours"),
    15,
    N_("How many of the nearest pieces are shown."),
    low=1,
    high=MOST_NEIGHBOURS,
    when=_near_one,
    key="vocabulary.top_k",
)
FILE = sentences_file(
    "vocabulary.path",
    N_("Open…"),
    N_(
        "Open a file with a sentence on every line, and count the pieces in it; without one, they "
        "are counted in texts of the small world."
    ),
    when=lambda document: PAGE_SHOWN.of(document) == USE,
)
OPTIONS: tuple[Option[Any], ...] = (
    *(TOKENIZER, AGAINST, PAGE_SHOWN),
    *(SEARCH, BY, WHICH, SORT, PIECE, MEASURE, TOP_K, FILE),
)

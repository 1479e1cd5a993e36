"""At which places of a corpus is the model's state nearest to that of a word here?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from explorer.api.question import (
    MODEL,
    TOKENS,
    Asks,
    Choice,
    Entry,
    HiddenStates,
    LeftOut,
    Listing,
    ModelCard,
    ModelStamp,
    Question,
    Switch,
    Table,
    Token,
    Topic,
    Whole,
    a_text,
    asked,
    column,
)
from explorer.files_of_sentences.options import sentences_file
from explorer.text import N_

MOST_PLACES = 48
"""Tokens of a text that are searched for."""
MOST_TOKENS = 2_000_000
WORD = 4
"""Characters of a token that is shown while none was turned to: "for" is of less interest."""

LAYER = Whole(
    N_("Layer"),
    0,
    N_("Whose states are compared, counted from 0; −1 for the embeddings."),
    low=-1,
    high=999,
    counts="layers",
    least_said=N_("Embeddings"),
)
FILE = sentences_file(
    "contexts.path",
    N_("Search in…"),
    N_("Search the sentences of a file, one on every line, not the small world's."),
)
LABEL = Choice(
    N_("Label"),
    "role",
    N_("Which label of the words is counted: the small world's, or a treebank's"),
    redraws=True,
    entries=(
        Entry("part_of_speech", N_("Part of speech")),
        Entry("number", N_("Number")),
        Entry("tense", N_("Tense")),
        Entry("role", N_("Role")),
        Entry("job", N_("Job of “he” and “she”")),
        Entry("antecedent", N_("Antecedent of a pronoun")),
        Entry("tool", N_("Tool that is not said")),
    ),
    key="contexts.label",
)


@dataclass(frozen=True)
class ContextsRequest(Asks):
    """Ask for the places of a corpus that are nearest to each word of a text.

    Attributes:
        text: Whose words are looked for.
        layer: Whose states are compared; -1 for the embeddings.
        path: A file of sentences; "" for the small world's texts.
        most: Tokens of the corpus that are searched, or a few more, as a block of texts has them.
        count: Places of each word.
        build: Make the index where there is none; without, only tell what it takes.
    """

    text: str
    layer: int = asked(LAYER)
    path: str = asked(FILE)
    most: int = asked(
        Whole(
            N_("Tokens, about"),
            20_000,
            N_("How many tokens of the corpus are searched; they are read once for each layer."),
            low=100,
            high=MOST_TOKENS,
        )
    )
    count: int = asked(
        Whole(N_("Places"), 20, N_("How many of the nearest are shown."), low=1, high=100)
    )
    build: bool = asked(
        Switch(N_("Make the index"), True, N_("Make it where there is none; without, only look.")),
        is_held=False,
    )

    def fitting(self, cards: Sequence[ModelCard]) -> Self:
        """With the last layer in the place of one that another model had."""
        stacks = cards[0].stacks
        return replace(self, layer=min(self.layer, stacks[0][1] - 1)) if stacks else self


@dataclass(frozen=True)
class NearPlace:
    """A place of the corpus.

    Attributes:
        before: What is to the left in its text, as far as it is shown.
        word: The whole word whose token it is.
        after: What is to the right.
        following: The word that comes next; "" at the end of a text.
        labels: Kinds of labels and the word's own; none in a file.
    """

    before: str
    word: str
    after: str
    following: str
    labels: tuple[tuple[str, str], ...] = ()

    def label(self, kind: str) -> str:
        """Its label of a kind; "" without."""
        return dict(self.labels).get(kind, "")


@dataclass(frozen=True)
class TokenContexts:
    """The places nearest to a token, the nearest first.

    Attributes:
        position: The token's.
        places: Those of the corpus.
        cosines: Of the states there with its own.
    """

    position: int
    places: tuple[NearPlace, ...]
    cosines: tuple[float, ...]


@dataclass(frozen=True)
class ContextsResult:
    """What is nearest to each token of a text.

    Attributes:
        model: Whose states.
        tokens: Of the text.
        layers: Names of the model's rows of states: "emb.", "0" and so on.
        layer: Which of them was compared.
        source: Name of the file; "" for the small world.
        searched: Tokens of the corpus; 0 while there is no index.
        texts: That they are of.
        needed: About how many bytes of the disk an index takes that is still to be made.
        nearest: Of each token that is no special one.
        left_out: What did not fit, or None.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    layers: tuple[str, ...]
    layer: str
    source: str
    searched: int
    texts: int
    needed: int
    nearest: tuple[TokenContexts, ...] = ()
    left_out: LeftOut | None = None

    @property
    def is_ready(self) -> bool:
        """Whether there is an index."""
        return self.searched > 0

    def at(self, position: int | None) -> TokenContexts | None:
        """The places of a token; of the last long one where that has none."""
        own = {one.position: one for one in self.nearest}
        if position in own:
            return own[position]
        words = [
            one
            for one in self.nearest
            if self.tokens[one.position].end - self.tokens[one.position].start >= WORD
        ]
        return next(reversed(words or list(self.nearest)), None)


@dataclass(frozen=True)
class NearContextRow:
    """A place of the corpus near a token of the text."""

    position: int = column(N_("position"), key=True, place=TOKENS)
    rank: int = column(N_("rank"), key=True)
    cosine: float = column(N_("cosine"), digits=3)
    before: str = column(N_("before"), compared=False)
    word: str = column(N_("word"))
    after: str = column(N_("after"), compared=False)
    following: str = column(N_("comes next"))
    labels: str = column(N_("labels"))


def table(result: ContextsResult) -> Table:
    """One row a token and a place."""
    rows = (
        NearContextRow(
            one.position,
            rank,
            cosine,
            place.before,
            place.word,
            place.after,
            place.following,
            "; ".join(f"{kind} {label}" for kind, label in place.labels),
        )
        for one in result.nearest
        for rank, (place, cosine) in enumerate(zip(one.places, one.cosines, strict=True), start=1)
    )
    return Table.of(NearContextRow, rows)


def only_look(request: ContextsRequest) -> ContextsRequest:
    """Search the index that there is; make none."""
    return replace(request, build=False)


def derived(result: ContextsResult) -> Mapping[str, Any]:
    """Whether there was an index to search."""
    return {"is_ready": result.is_ready}


QUESTION = Question(
    name="contexts",
    title=N_("Contexts"),
    asks=N_("At which places of a corpus is the model's state nearest to that of a word here?"),
    listing=Listing(Topic.LOOK_INSIDE, 13, "text-search"),
    found_by=(
        "exBERT",
        "corpus search",
        "nearest neighbours",
        "semantic search",
        "similar contexts",
        "concordance",
        "KWIC",
        "말뭉치 검색",
        "최근접 이웃",
        "문맥",
    ),
    request=ContextsRequest,
    result=ContextsResult,
    table=table,
    summary=None,
    derived=derived,
    follows={"label": LABEL},
    roles={MODEL: (HiddenStates,)},
    options=(LABEL,),
    leaves_out_entities=N_(
        "The entities on the text are left out: the corpus is read without any, so the sentence is "
        "read without them, too."
    ),
    cheap_variant=only_look,
    is_provisional=lambda result: not result.is_ready,
    conditions=(a_text(N_("Type a sentence to find places like those of its words.")),),
)

"""The places nearest to a word, and what they have in common."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from explorer.api.question import (
    Cards,
    Choices,
    Manner,
    OneCard,
    OneChoice,
    Rows,
    Runs,
    Said,
    Sentence,
    Turns,
    alone,
    column,
    row_phrase,
    sets,
)
from explorer.questions.layers.contexts.question import (
    FILE,
    LABEL,
    ContextsResult,
    NearPlace,
    TokenContexts,
)
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.quantities import bytes_precisely

COUNTED = 6
"""Words and labels that are counted; the rest is one row."""
NOT_YET = N_(
    "There is no index of this model, layer and corpus yet. It takes about {needed} of the disk, "
    "and is kept for all texts; a run that is stopped goes on where it was."
)
HOW = N_(
    "Cosine of the states, searched exactly. The state of a word of several pieces is that of the "
    "piece that was turned to."
)
OF_WORLD = NN_(
    "{count} token of {texts} texts of the small world",
    "{count} tokens of {texts} texts of the small world",
)
OF_FILE = NN_(
    "{count} token of {texts} texts of “{name}”", "{count} tokens of {texts} texts of “{name}”"
)
NEAREST = N_("Nearest to “{word}” at {layer}, among {corpus}:")


@dataclass(frozen=True)
class ContextRow:
    """A place near the word."""

    cosine: float = column(N_("cosine"), digits=3)
    context: str = column(N_("context"))
    following: str = column(N_("comes next"))
    label: str = column(N_("label"), dispensable=True)


@dataclass(frozen=True)
class CountedRow:
    """How often something is among the nearest."""

    what: str = column(N_("among them"), key=True)
    count: int = column(N_("times"))


def parts(
    result: ContextsResult,
    label: str = LABEL.default,
    selected: int | None = None,
) -> Iterator[Said | Sentence | Rows | Cards | Choices]:
    """The sentence, the places of one word, and three counts of them."""
    if result.source:
        back = sets(FILE, "", N_("search the small world"))
        yield Choices(
            (OneChoice(N_("Use the small world's texts"), back, key="world", undoes=True),)
        )
    if not result.is_ready:
        yield Said(Phrase(NOT_YET, needed=bytes_precisely(result.needed)), Manner.PLAIN)
        yield Choices(
            (OneChoice(N_("Make the index"), Runs(), key="run"),),
            begun=N_("The corpus is being read …"),
        )
        return
    found = result.at(selected)
    yield Sentence(
        result.tokens,
        gestures={one.position: Turns(one.position) for one in result.nearest},
        left_out=result.left_out,
        only_alone=True,
    )
    if found is None:
        return
    yield Said(told(result, found), Manner.STRONG)
    yield Said(HOW, Manner.EXPLANATION)
    has_labels = any(place.labels for one in result.nearest for place in one.places)
    yield Rows(
        ContextRow,
        tuple(
            ContextRow(cosine, marked(place), place.following, place.label(label))
            for place, cosine in zip(found.places, found.cosines, strict=True)
        ),
        hidden=() if has_labels else ("label",),
        reads_whole=False,
        in_files=False,
    )
    counted = [
        OneCard(N_("Words"), (_counts(place.word for place in found.places),)),
        OneCard(N_("What comes next"), (_counts(place.following for place in found.places),)),
    ]
    if has_labels:
        kind = LABEL.entry(label).title
        own = [place.label(label) for place in found.places]
        if any(own):
            counted.append(OneCard(Phrase(kind), (_counts(own),)))
    yield Cards(tuple(counted))


def told(result: ContextsResult, found: TokenContexts) -> Phrase:
    """Which word, which layer, among how many tokens."""
    source = {"name": result.source} if result.source else {}
    corpus = Phrase(
        OF_FILE if result.source else OF_WORLD,
        count=result.searched,
        texts=result.texts,
        **source,
    )
    return Phrase(
        NEAREST,
        word=alone(result.tokens[found.position]),
        layer=row_phrase(result.layer),
        corpus=corpus,
    )


def marked(place: NearPlace) -> str:
    """The place with its word between brackets."""
    return f"{place.before}[{place.word}]{place.after}"


def _counts(values: Iterable[str]) -> Rows:
    """The commonest, and how many others there are."""
    counts = Counter(one for one in values if one).most_common()
    rest = sum(times for _word, times in counts[COUNTED:])
    rows = [CountedRow(word, times) for word, times in counts[:COUNTED]]
    if rest:
        rows.append(CountedRow("…", rest))
    return Rows(CountedRow, tuple(rows), bar="count", in_files=False)

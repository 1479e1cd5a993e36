"""What is this model made of, and what does that cost?"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from explorer.api.family import FIELDS, SHARING, Blueprint
from explorer.api.family.what_if import Changes
from explorer.api.question import (
    MODEL,
    NOTHING_LOADED,
    Asks,
    Choice,
    Entry,
    Items,
    Listing,
    Loaded,
    ModelCard,
    ModelName,
    ModelStamp,
    Option,
    Optioned,
    Question,
    Table,
    Topic,
    Whole,
    Words,
    asked,
    column,
)
from explorer.api.question.roles import Options, RoleBinding
from explorer.architecture.cost import Work
from explorer.architecture.counting import ArchitectureCount
from explorer.architecture.statistics import Statistics
from explorer.architecture.tree import TreeNode
from explorer.architecture.weights import Parameters
from explorer.published.against import PublishedAgainst
from explorer.questions.architecture.architecture.what_if.changes import NOTES, NOTES_SIZES
from explorer.questions.architecture.architecture.what_if.options import BASE, CHANGES, OF_NOTES
from explorer.text import N_, Phrase
from explorer.text.phrase import NOTHING

LONGEST = 1_000_000
"""Tokens, for which memory is still stated."""


@dataclass(frozen=True)
class ArchitectureResult:
    """A model taken apart.

    Attributes:
        model: Whose; the dtype is "" and the device "meta" where no weights were loaded.
        title: What a user reads.
        family: The plugin's id.
        loaded: Its weights are in memory.
        blueprint: Its architecture in numbers.
        parameters: How many, and where.
        kinds: Of the unique ones, how many of each kind.
        layers: In all stacks.
        hidden_size: Width of a hidden state.
        heads: Attention heads in a layer.
        vocabulary: Number of pieces.
        length: Tokens of a text, for what follows.
        batch: Texts at once.
        memory_bytes: By what ("weights", "hidden_states", "attentions", "activations") and dtype.
        work: Multiply-adds for one token, by part; empty where the model can't be run without
            numbers.
        published: Figures of the literature beside these.
        tree: Every part, layers that are alike as one.
        part: Whose numbers these are; "" for none.
        statistics: Its tensors' numbers.
        companion: The architecture of the other half, where two were trained together.
        possible: What can be changed of it: names as in `what_if`.
        changed: What it comes to with the changes that were asked about; None without any.
        refused: Why no model can be made with them; "" where it can.
        held: Parameters of the checkpoint's files, as the library counts them, where they are
            others than those counted here; None where they are the same or nobody knows.
    """

    model: ModelStamp
    title: str
    family: str
    loaded: bool
    blueprint: Blueprint
    parameters: Parameters
    kinds: Mapping[str, int]
    layers: int
    hidden_size: int
    heads: int
    vocabulary: int
    length: int
    batch: int
    memory_bytes: Mapping[str, Mapping[str, int]]
    work: tuple[Work, ...]
    published: tuple[PublishedAgainst, ...]
    tree: tuple[TreeNode, ...]
    part: str = ""
    statistics: tuple[Statistics, ...] = ()
    companion: Blueprint | None = None
    possible: tuple[str, ...] = ()
    changed: ArchitectureCount | None = None
    refused: Phrase = NOTHING
    held: int | None = None


@dataclass(frozen=True)
class PartRow:
    """A part of the model; layers that are alike are one."""

    part: str = column(N_("part"), key=True)
    module: str = column(N_("module"), compared=False)
    kind: str = column(N_("kind"))
    section: str = column(N_("section"))
    copies: int = column(N_("copies"))
    places: int = column(N_("places"))
    shape: str = column(N_("shape"))
    parameters: int = column(N_("parameters"))
    counted_everywhere: int = column(N_("counted everywhere"))
    multiply_adds: int = column(N_("multiply-adds"))


def table(result: ArchitectureResult) -> Table:
    """One row a part, in the tree's order."""
    return Table.of(PartRow, _rows(result.tree))


def _rows(parts: Iterable[TreeNode]) -> Iterable[PartRow]:
    for part in parts:
        yield PartRow(
            part.path,
            part.module,
            part.kind,
            part.section,
            part.copies,
            part.places,
            ", ".join(" x ".join(map(str, weight.shape)) for weight in part.weights),
            part.parameters,
            part.total,
            part.multiply_adds,
        )
        yield from _rows(part.parts)


FIRST = "google-bert/bert-base-uncased"
"""What is taken apart while no model is loaded and none is chosen."""

CHECKPOINT = ModelName(N_("Model"), "", key="architecture.checkpoint")
"""What is taken apart; without it, the active model is."""
PICTURE, COUNT, PUBLISHED, WHAT_IF = "picture", "count", "published", "what_if"
PAGE_SHOWN = Choice(
    N_("View"),
    PICTURE,
    entries=(
        Entry(PICTURE, N_("Picture"), N_("What it is made of, from the tokens up to its heads.")),
        Entry(COUNT, N_("Count"), N_("How many parameters there are, where, and what they cost.")),
        Entry(PUBLISHED, N_("Published"), N_("Published figures and what was counted here.")),
        Entry(WHAT_IF, N_("What if"), N_("The same model with some of its numbers changed.")),
    ),
    beside=True,
    key="architecture.page",
)


def _counts(document: Optioned) -> bool:
    return bool(PAGE_SHOWN.of(document) == COUNT)


BY = Choice(
    N_("Areas"),
    "part",
    redraws=True,
    when=_counts,
    entries=(
        Entry("part", N_("by part"), N_("An area for each part of the tree that is large enough.")),
        Entry(
            "kind", N_("by kind"), N_("An area for embeddings, attention, feed-forward networks, …")
        ),
    ),
    beside=True,
    key="architecture.by",
)
LENGTH = Whole(
    N_("Tokens"),
    128,
    N_("How long a text is, for memory and work."),
    when=_counts,
    low=1,
    high=LONGEST,
    key="architecture.length",
)
BATCH = Whole(
    N_("Texts"),
    1,
    N_("How many texts go through the model together, for memory."),
    when=_counts,
    low=1,
    high=LONGEST,
    key="architecture.batch",
)
PART = Words(N_("Part"), "", in_bar=False, key="architecture.part")
"""Path of the part that is shown in full."""
OPENED: Option[list[str]] = Option(
    N_("Open parts"), [], redraws=True, in_bar=False, key="architecture.open"
)
"""Paths of the rows of the tree that are open; nothing for those that are at first."""
MEASURE = Words(N_("Score"), "MNLI", redraws=True, in_bar=False, key="architecture.score")
"""What the plot of published scores shows."""


@dataclass(frozen=True)
class ArchitectureRequest(Asks):
    """Ask for a model's architecture and its weights.

    Attributes:
        checkpoint: A name, hub id or path, whose weights need not be here; "" for the model that
            is asked.
        length: Tokens of a text, for memory and work.
        batch: Texts at once, for memory.
        part: Path of a part of the tree whose numbers are wanted; "" for none. Only a loaded
            model has any.
        sizes: What of its config is changed before anything is counted; the model is then
            counted without its weights.
        what_if: What is changed further, to be laid beside it.
    """

    checkpoint: str = asked(CHECKPOINT)
    length: int = asked(LENGTH)
    batch: int = asked(BATCH)
    part: str = asked(PART)
    sizes: Changes = asked(Items(N_("Sizes of the example"), ()), is_held=False)
    what_if: Changes = asked(
        Items(N_("Changed numbers"), (), N_('Pairs of a name and its number, as [["layers", 6]].')),
        is_held=False,
    )

    @classmethod
    def fields_of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> dict[str, Any]:
        """Of a model that comes with the program if of no other; parts of a loaded one alone."""
        found = super().fields_of(document, loaded)
        found["what_if"], found["sizes"] = _changes_of(document)
        if found["sizes"]:
            found["checkpoint"] = NOTES
        name = found["checkpoint"]
        if not name and loaded.has_no_active:
            name = found["checkpoint"] = FIRST
        known = loaded.active is not None
        if found["sizes"] or (
            name and known and all(one.stamp.id != name for one in loaded.cards.values())
        ):
            found["part"] = ""
        return found


def is_example(document: Optioned) -> bool:
    """Whether the notes' example is begun with: until another model is chosen.

    Documents of before the example named its model have none chosen.
    """
    return CHANGES.of(document).get(BASE) == OF_NOTES and CHECKPOINT.of(document) in ("", NOTES)


def named(document: Optioned) -> str:
    """The checkpoint that the bar names: what is counted; "" for the loaded model."""
    on_page = PAGE_SHOWN.of(document) == WHAT_IF
    return NOTES if on_page and is_example(document) else CHECKPOINT.of(document)


def _changes_of(document: Optioned) -> tuple[Changes, Changes]:
    """What is changed, and what was changed of the notes' example before; of its page only."""
    if PAGE_SHOWN.of(document) != WHAT_IF:
        return (), ()
    values = CHANGES.of(document)
    known = {**dict.fromkeys(FIELDS, int), SHARING: str}
    changes = tuple((name, kind(values[name])) for name, kind in known.items() if name in values)
    return changes, NOTES_SIZES if is_example(document) else ()


def casting(cards: Mapping[str, ModelCard], active: str, document: Options) -> RoleBinding:
    """The slot that holds the chosen checkpoint, whichever is active; nobody where none does."""
    name = CHECKPOINT.of(document)
    here = [slot for slot, card in cards.items() if card.stamp.id == name]
    if not name and active in cards:
        here = [active]
    return {MODEL: here[0]} if here else {}


def derived(_result: ArchitectureResult) -> Mapping[str, Any]:
    """Every table of published scores, by its name: what the page has beside the figures."""
    from explorer.published.literature import score_tables

    return {
        "scores": {
            table.id: {
                "title": table.title,
                "source": table.source,
                "models": [
                    {
                        "model": row.model,
                        "parameters": row.parameters,
                        "scores": dict(zip(table.columns, row.scores, strict=True)),
                    }
                    for row in table.rows
                ],
            }
            for table in score_tables()
        }
    }


QUESTION = Question(
    name="architecture",
    title=N_("Architecture"),
    asks=N_("What is this model made of, and what does that cost?"),
    listing=Listing(Topic.LOOK_INSIDE, 1, "sitemap-outline", "Ctrl+Shift+4"),
    found_by=(
        "parameters",
        "number of parameters",
        "FLOPs",
        "MACs",
        "model size",
        "hidden size",
        "diagram",
        "파라미터",
        "모델 구조",
        "모델 크기",
    ),
    request=ArchitectureRequest,
    result=ArchitectureResult,
    table=table,
    follows={"page": PAGE_SHOWN, "by": BY, "part": PART, "measure": MEASURE},
    summary=None,
    derived=derived,
    optional=frozenset({MODEL}),
    binding=casting,
    waiting_hint=N_("Choose a model above: its weights need not be on this computer."),
    formerly=("anatomy",),
    options=(
        CHECKPOINT,
        PAGE_SHOWN,
        BY,
        LENGTH,
        BATCH,
        PART,
        OPENED,
        MEASURE,
        CHANGES,
    ),
)

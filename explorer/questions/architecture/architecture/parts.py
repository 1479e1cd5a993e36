"""What a model is made of: its picture, its count, what was published, and what if."""

from collections.abc import Iterator, Sequence

from explorer.api.question import (
    Amounts,
    Cards,
    Choices,
    Manner,
    OneCard,
    OwnPicture,
    Rows,
    Said,
    Width,
)
from explorer.architecture.sketch import fills, sketch_of
from explorer.architecture.tree import find
from explorer.architecture.wording import HEADS
from explorer.questions.architecture.architecture.count.details import part_parts
from explorer.questions.architecture.architecture.count.parts import count_parts
from explorer.questions.architecture.architecture.published.parts import published_parts
from explorer.questions.architecture.architecture.question import (
    BY,
    COUNT,
    MEASURE,
    PICTURE,
    PUBLISHED,
    WHAT_IF,
    ArchitectureResult,
)
from explorer.questions.architecture.architecture.what_if.parts import what_if_parts
from explorer.text import N_, Phrase, verbatim
from explorer.text.lists import one_after_another

Kinds = Said | Cards | Rows | Amounts | Choices | OwnPicture
NO_PLAN = N_("This family's plugin does not say how its layers are built; see the count.")
OTHER = N_("The picture is one of transformers, and this model is none; see the count.")
CLICK = N_("Click a part of the picture to see its tensors, shapes and numbers.")


def parts(
    result: ArchitectureResult,
    page: str = PICTURE,
    by: str = BY.default,
    part: str = "",
    measure: str = MEASURE.default,
) -> Sequence[Kinds]:
    """Which model it is, and the page that is chosen."""
    first = () if page == WHAT_IF else tuple(_about(result))
    if page == COUNT:
        return (*first, *count_parts(result, by, part))
    if page == PUBLISHED:
        return (*first, *published_parts(result, measure))
    if page == WHAT_IF:
        return tuple(what_if_parts(result))
    return (*first, *_picture(result, part))


def _picture(result: ArchitectureResult, part: str) -> Iterator[Kinds]:
    """The board, and the part that was clicked beside it, or below where there is less room."""
    if not result.blueprint.layers or result.blueprint.has_other_layers:
        yield Said(OTHER if result.blueprint.layers else NO_PLAN, Manner.PLAIN)
        return
    opened = find(result.tree, part) if part else None
    about = () if opened is None else tuple(part_parts(result, opened))
    about = about or (Said(CLICK, Manner.HINT),)
    sketch = sketch_of(result.blueprint, result.companion, mine_first=fills(result.blueprint))
    if len(sketch.columns) > 1:
        # Two stacks need the whole width.
        yield OwnPicture("board")
        yield from about
    else:
        cards = (OneCard("", (OwnPicture("board"),)), OneCard("", about))
        yield Cards(cards, Width.WIDE, framed=False)


def _about(result: ArchitectureResult) -> Iterator[Said]:
    """Which model this is, in two lines."""
    # A published file may hold heads that its config does not name.
    names = (HEADS.get(one, one.replace("_", " ")) for one in result.blueprint.heads_present)
    heads = one_after_another(map(Phrase, names))
    source = Phrase(N_("its weights") if result.loaded else N_("its config alone"))
    yield Said(verbatim(result.title), Manner.HEADING)
    told = Phrase(
        N_("{shape} · counted from {source}, heads: {heads}"),
        shape=shape_said(result),
        source=source,
        heads=heads or Phrase(N_("none")),
    )
    yield Said(told, near=True)
    if result.held is not None:
        yield Said(held_said(result), near=True)


def shape_said(result: ArchitectureResult) -> Phrase:
    """Its sizes; of layers that are no transformer's, those that they have."""
    sizes = {
        "layers": result.layers,
        "hidden_size": result.hidden_size,
        "unique": result.parameters.unique,
    }
    if result.blueprint.has_other_layers:
        return Phrase(N_("{layers} layers × {hidden_size} wide · {unique} parameters"), **sizes)
    return Phrase(
        N_(
            "{layers} layers × {hidden_size} wide × {heads} heads · vocabulary of {vocabulary} · "
            "{unique} parameters"
        ),
        heads=result.heads,
        vocabulary=result.vocabulary,
        **sizes,
    )


def held_said(result: ArchitectureResult) -> Phrase:
    """Why the library tells another number of parameters."""
    held, counted = result.held or 0, result.parameters.unique
    more = N_(
        "The checkpoint's files hold {held} parameters: {apart} more, in parts that no question "
        "here uses, such as a pooler; they are not counted."
    )
    fewer = N_(
        "The checkpoint's files hold {held} parameters: {apart} fewer, because the model that is "
        "counted has parts that no file fills, such as a pooler."
    )
    return Phrase(more if held > counted else fewer, held=held, apart=abs(held - counted))

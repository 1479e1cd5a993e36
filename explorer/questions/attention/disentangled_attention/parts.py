"""A head's parts as matrices, what is predicted without some, and the shares of all heads."""

from collections.abc import Iterator, Mapping

from explorer.api.question import (
    Cards,
    Choices,
    Heads,
    Manner,
    OneCard,
    OneChoice,
    OwnPicture,
    PairNumbers,
    Said,
    Sets,
    Toggles,
    TokenPairs,
    Width,
    keys_of,
    queries_of,
    sets,
)
from explorer.api.question.parts.predictions.changes import Changed
from explorer.questions.attention.disentangled_attention.question import (
    ABSOLUTE,
    ALL_DISTANCES,
    HEAD,
    LAYER,
    NAMES,
    OFF,
    STEP,
    WHERE,
    DisentangledAttentionResult,
    Off,
    ScorePart,
    off_said,
    part_name,
)
from explorer.questions.attention.disentangled_attention.wording import (
    off_and_done,
    place_said,
    sum_said,
)
from explorer.text import N_, Phrase, _, verbatim
from explorer.text.formatting.numbers import percent
from explorer.text.glossary import meaning

SHARES = N_(
    "How much of the difference between keys comes from each part. Each row of "
    "scores loses its mean, which softmax does not see; a part's size is the root"
    " mean square of the rest, its share that size over the sum of all."
)

DISTANCES = N_(
    "What positions add at each distance, whatever is there: the mean over the "
    "words of this text as the content."
)

Some = Said | Choices | OwnPicture | TokenPairs | Cards | Heads | Changed


def parts(
    result: DisentangledAttentionResult,
    off: tuple[Off, ...] = (),
    where: str = "everywhere",
    layer: int = 0,
    head: int = 0,
    *,
    whole: bool = False,
) -> Iterator[Some]:
    """Switches, the maps of one head, predictions and bias by distance, shares of all heads.

    Args:
        result: The answer.
        off: What is switched off now.
        where: Where parts are switched: "everywhere", in the "layer" or in the "head".
        layer: Of now.
        head: Of now.
        whole: All distances are drawn, also those that the text has not.
    """
    yield from _switches(result, off, where, layer, head)
    yield Said(place_said(result), Manner.STRONG)
    if result.off:
        yield Said(off_and_done(result), Manner.PLAIN, near=True)
    yield Said(sum_said(result), near=True)
    yield Said(result.note, near=True)
    yield pairs_of(result)
    both = tuple(_predictions(result)), tuple(_distances(result, whole=whole))
    yield Cards(tuple(OneCard("", one) for one in both if one), Width.WIDE, framed=False)
    yield Said(N_("Share of each part"), Manner.TITLE)
    yield Said(SHARES, Manner.EXPLANATION, near=True)
    yield Said(N_("Click a head to look at it."), Manner.HINT, near=True)
    grids = (OneCard("", (share_grid(result, one),)) for one in result.parts)
    yield Cards(tuple(grids), Width.NARROW, framed=False)


def _switches(
    result: DisentangledAttentionResult, off: tuple[Off, ...], where: str, layer: int, head: int
) -> Iterator[Choices]:
    """A button a part that the checkpoint has, and where it is switched off."""
    names = [part.name for part in result.parts] + ([ABSOLUTE] if result.steps else [])
    switches = []
    for name in names:
        one = Off(name)
        if name != ABSOLUTE and where != "everywhere":
            # A step of the mask decoder is the last layer again.
            at = result.layer if result.step else min(layer, result.layers - 1)
            one = Off(name, at, None if where == "layer" else min(head, result.heads - 1))
        is_off = one in off
        code = N_("switch {part} on") if is_off else N_("switch {part} off")
        toggles = Toggles(OFF, (one,), Phrase(code, part=off_said([one])))
        words = NAMES[name] if name == ABSOLUTE else verbatim(name)
        key = ("part", name)
        switches.append(OneChoice(words, toggles, pressed=is_off, tip=_about(name), key=key))
    if off:
        on, about = sets(OFF, (), N_("switch all parts on")), N_("Switch every part on again")
        switches.append(OneChoice(N_("Enable all parts"), on, tip=about, key=("part", "all")))
    yield Choices(tuple(switches), N_("Switch off"))
    places = (
        OneChoice(
            one.title,
            sets(WHERE, one.value, Phrase(N_("switch parts off {where}"), where=Phrase(one.title))),
            chosen=one.value == where,
            key=("where", one.value),
        )
        for one in WHERE.entries
    )
    yield Choices(tuple(places), N_("Where"))


def _about(part: str) -> Phrase:
    if part == ABSOLUTE:
        about = N_("Predict again without them: then it knows only how far tokens are apart.")
        return Phrase.joined((meaning("enhanced mask decoder"), Phrase(about)))
    about = N_("Take it out of the scores, before the softmax, and predict again.")
    return Phrase.joined((meaning(part), Phrase(about)))


def pairs_of(result: DisentangledAttentionResult) -> TokenPairs:
    """Each part, their sum, and the attention; the attention with parts off where some are."""
    numbers = [
        PairNumbers(one.name, one.name, one.scores, NAMES[one.name], is_signed=True)
        for one in result.parts
    ]
    about = N_("their sum, before the softmax")
    numbers.append(PairNumbers("score", N_("Score"), result.scores, about, is_signed=True))
    softmax = N_("softmax of the score")
    numbers.append(PairNumbers("attention", N_("Attention"), result.attention, softmax))
    if result.attention_after is not None:
        title, about = N_("Attention after"), N_("without the parts")
        numbers.append(PairNumbers("attention_off", title, result.attention_after, about))
    return TokenPairs(queries_of(result.tokens), keys_of(result.tokens), tuple(numbers))


def _predictions(result: DisentangledAttentionResult) -> Iterator[Said | Changed]:
    """What is predicted before and after; nothing where there is nothing to predict."""
    if result.changes is None:
        return
    if result.off:
        yield Said(N_("Predictions before and after"), Manner.TITLE)
        yield Said(Phrase(N_("Off: {parts}."), parts=off_said(result.off)), near=True)
    else:
        yield Said(N_("Predictions"), Manner.TITLE)
        yield Said(N_("Nothing is switched off: before and after are one."), near=True)
    yield Changed(result.changes, title=N_("Predictions before and after"))


def _distances(
    result: DisentangledAttentionResult, *, whole: bool
) -> Iterator[Said | Choices | OwnPicture]:
    """What positions add at each distance; nothing where the checkpoint does not know them."""
    if not result.biases:
        return
    yield Said(N_("Bias against distance"), Manner.TITLE)
    yield Said(DISTANCES, Manner.EXPLANATION, near=True)
    step = N_("draw the distances of this text") if whole else N_("draw all distances")
    turn, tip = sets(ALL_DISTANCES, not whole, step), ALL_DISTANCES.tip
    yield Choices((OneChoice(ALL_DISTANCES.label, turn, False, whole, tip, ("distances",)),))
    yield OwnPicture("distances")


def row_labels(result: DisentangledAttentionResult) -> tuple[str, ...]:
    """Layers, and the steps of the mask decoder."""
    steps = (Phrase(N_("step {step}"), step=str(one)) for one in range(1, result.steps + 1))
    return (*map(str, range(result.layers)), *steps)


def place_of_row(result: DisentangledAttentionResult, row: int) -> tuple[int, int]:
    """The layer and the step that a row of the shares stands for."""
    if row >= result.layers:
        return result.layers - 1, row - result.layers + 1
    return row, 0


def share_grid(result: DisentangledAttentionResult, part: ScorePart) -> Heads:
    """Layers and heads of a part's shares, from 0 to 1; a click looks at the head."""
    row = result.layers + result.step - 1 if result.step else result.layer
    off = {
        (line, head)
        for line in range(result.layers + result.steps)
        for head in range(result.heads)
        if any(one.holds(part.name, place_of_row(result, line)[0], head) for one in result.off)
    }

    def words(line: int, head: int) -> str:
        layer, step = place_of_row(result, line)
        places = {
            "head": str(head),
            "share": percent(float(part.shares[line, head]), 1),
            "part": part_name(part.name),
        }
        if step:
            said = _(
                "Mask decoder, step {step}, head {head}: {share} {part}", step=str(step), **places
            )
        else:
            said = _("Layer {layer}, head {head}: {share} {part}", layer=str(layer), **places)
        return "\n".join((said, _("Switched off."))) if (line, head) in off else said

    def look_at(line: int, head: int) -> Sets:
        """At a step of the mask decoder, whose layer is always the last, the layer stays."""
        layer, step = place_of_row(result, line)
        values: Mapping[str, object] = {STEP.key: STEP.written(step), HEAD.key: head}
        return Sets(values if step else {**values, LAYER.key: layer}, N_("choose a head"))

    return Heads(
        part.name,
        Phrase(
            N_("{part}: {share} over all heads"),
            part=part.name,
            share=percent(float(part.shares.mean())),
        ),
        row_labels(result),
        result.heads,
        words,
        part.shares,
        written=_in_cell,
        off=off,
        looked_at=(row, result.head),
        gesture=look_at,
        title=Phrase(N_("Share of {part}"), part=part.name),
    )


def _in_cell(share: float) -> str:
    return f"{100 * share:.0f}"

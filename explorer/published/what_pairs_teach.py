"""What each objective for pairs teaches, and what the format of the input does: in parts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from explorer.api.question import Cards, Manner, OneCard, Rows, Said, Width, column
from explorer.published.literature import (
    ScoreTable,
    score_tables,
)
from explorer.published.packed_texts import why_packed_is_late
from explorer.published.pair_objectives import (
    DOCUMENT,
    FORMATS,
    FULL,
    NEXT,
    NONE,
    OBJECTIVES,
    ORDER,
    SEGMENTS,
    SENTENCES,
    TASKS,
    ComparedObjectives,
    PublishedShares,
    SeedSpread,
    TrainedRun,
    at,
    fitted,
    printed,
    spread,
)
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import decimal, percent, whole
from explorer.text.sources import checked

NAMES = {
    NONE: N_("masked words only"),
    NEXT: N_("and next sentence"),
    ORDER: N_("and sentence order"),
}
FORMAT_NAMES = {
    SEGMENTS: N_("segment pair, NSP"),
    SENTENCES: N_("sentence pair, NSP"),
    FULL: N_("full sentences"),
    DOCUMENT: N_("sentences of one document"),
}
ABOUT = N_(
    "The same small model, trained anew on documents of four to eight sentences "
    "about one topic each. Only what happens shows their order: carrots are "
    "peeled before they are boiled, Tuesday follows Monday. No form gives it "
    "away, as a pronoun at the beginning of a sentence often does in the texts of"
    " the bundled BERT and ALBERT: order is too easy there to compare the two."
)
HEADS = N_(
    "Each model’s own head, asked what it was trained for and what it was not. "
    "Models that learned masked words alone have no head for pairs."
)
CLASSIFIERS = N_(
    "A linear classifier for each task, fitted to the pooled vectors of the "
    "frozen encoder: what could be read there, whether the model’s head reads it "
    "or not."
)
FORMATS_ABOUT = N_(
    "All formats had the same number of steps and of tokens. The loss is at "
    "masked words of unseen documents, each read in the model’s own format; a "
    "pair of sentences sees less of its document. A linear classifier of the "
    "frozen states says what comes next, each document read as one text."
)
LONGER = N_("The published scores come from far longer training and need not agree.")
OWN_HEADS, LINEAR = N_("Right by their own heads"), N_("Right by a linear classifier")
KNOWING = N_("who knows the world")


def in_tenths(share: float) -> str:
    """A share of the cases: "52.4 %"."""
    return percent(share, 1)


@dataclass(frozen=True)
class ClassifierRow:
    """What was trained, and how often a classifier of its states is right."""

    trained: str = column(N_("trained on"), key=True)
    next: str = column(N_("NSP"), ends_right=True)
    order: str = column(N_("SOP"), ends_right=True)
    next_mean: float | None = column(N_("NSP, mean"), shown=False)
    order_mean: float | None = column(N_("SOP, mean"), shown=False)


@dataclass(frozen=True)
class TrainedHeadRow:
    """What was trained, and how often its own head is right, beside the published shares."""

    trained: str = column(N_("trained on"), key=True)
    next: str = column(N_("NSP"), ends_right=True)
    order: str = column(N_("SOP"), ends_right=True)
    next_mean: float | None = column(N_("NSP, mean"), shown=False)
    order_mean: float | None = column(N_("SOP, mean"), shown=False)
    next_published: float | None = column(N_("NSP, published"), written=in_tenths)
    order_published: float | None = column(N_("SOP, published"), written=in_tenths)


@dataclass(frozen=True)
class FormatRow:
    """A format of the input, and what models that read it came to."""

    format: str = column(N_("format"), key=True)
    loss: str = column(N_("loss, nats"), ends_right=True)
    next: str = column(N_("next"), ends_right=True)
    mnli: float | None = column(N_("MNLI, published"), digits=1)
    race: float | None = column(N_("RACE, published"), digits=1)


def taught(found: ComparedObjectives) -> Cards:
    """Both comparisons, beside the published figures."""
    return Cards(
        (
            OneCard(N_("What each objective teaches"), tuple(_objectives(found))),
            OneCard(N_("What the format of the input does"), tuple(_formats(found))),
        ),
        Width.WIDE,
        framed=False,
    )


def look_at(found: ComparedObjectives) -> str:
    """What the numbers say, in a sentence or two."""
    following, order = found.of(NEXT), found.learned(ORDER)
    shares = {
        "own_next": _share(at(following, NEXT)),
        "next_on_order": _share(at(following, ORDER)),
        "published": percent(printed()[1][ORDER].tasks[NEXT]),
    }
    if not found.next_teaches_no_order or not order:
        return Phrase(
            N_(
                "The published pattern does not come out here: trained on next sentences, models "
                "are right about them in {own_next} of the cases and about order in "
                "{next_on_order}; trained on order, in {own_order} about order and in "
                "{order_on_next} about next sentences."
            ),
            own_order=_share(at(found.of(ORDER), ORDER)),
            order_on_next=_share(at(found.of(ORDER), NEXT)),
            **shares,
        )
    shares["own_order"] = _share(at(order, ORDER))
    shares["order_on_next"] = _share(at(order, NEXT))
    if found.order_teaches_next:
        return Phrase(
            N_(
                "Next sentences teach a head nothing of order: those that recognise them in "
                "{own_next} of the cases are right about order in {next_on_order}, about as a"
                " coin is. Order teaches something of next sentences: heads that recognise it"
                " in {own_order} are right about next sentences in {order_on_next}, though "
                "they were never asked."
            ),
            **shares,
        )
    return Phrase(
        N_(
            "Next sentences teach a head nothing of order: those that recognise them in "
            "{own_next} of the cases are right about order in {next_on_order}, about as a"
            " coin is. The other half of the published pattern comes out weaker: heads "
            "that recognise order in {own_order} are right about next sentences in "
            "{order_on_next}, not in {published}. They never saw texts of two documents; "
            "their encoders know more, as a classifier finds {encoder} there."
        ),
        encoder=_share(fitted(order, NEXT)),
        **shares,
    )


def harder(found: ComparedObjectives) -> str:
    """Which of the two tasks was learned from every seed; "" where both were."""
    runs, learned = found.of(ORDER), found.learned(ORDER)
    if learned == runs or found.learned(NEXT) != found.of(NEXT):
        return ""
    return Phrase(
        NN_(
            "Order is the harder task: within {steps} steps every model learned next sentences, "
            "and {count} of {runs} learned order. The others still guess at it, which the mean of "
            "all seeds hides; so the row below it is of those alone that learned.",
            "Order is the harder task: within {steps} steps every model learned next sentences, "
            "and {count} of {runs} learned order. The others still guess at it, which the mean of "
            "all seeds hides; so the row below it is of those alone that learned.",
        ),
        count=len(learned),
        steps=whole(found.steps),
        runs=whole(len(runs)),
    )


def encoders_say(found: ComparedObjectives) -> str:
    """What a classifier finds in the encoders, trained for it or not."""
    return Phrase(
        N_(
            "No head is not to say that the encoder knows nothing. Where masked words "
            "alone were learned, a classifier recognises next sentences in {nothing} of "
            "the cases, for which topics are enough, and order in {nothing_order}; where "
            "next sentences were learned, order in {order}."
        ),
        nothing=_share(fitted(found.of(NONE), NEXT)),
        nothing_order=_share(fitted(found.of(NONE), ORDER)),
        order=_share(fitted(found.of(NEXT), ORDER)),
    )


def _objectives(found: ComparedObjectives) -> Iterator[Said | Rows]:
    yield Said(ABOUT, Manner.EXPLANATION, near=True)
    source, published = printed()
    yield Said(_masked(found, published), Manner.EXPLANATION)
    yield Said(harder(found), Manner.PLAIN)
    yield Said(OWN_HEADS, Manner.TITLE)
    yield Said(HEADS, Manner.EXPLANATION)
    yield Said(look_at(found), Manner.EXPLANATION)
    rows = [
        TrainedHeadRow(
            name, *_shares(runs, at), *_means(runs, at), *_printed(published.get(objective))
        )
        for objective, name, runs in _trained(found)
    ]
    following, order = (percent(found.knowing[task], 1) for task in TASKS)
    rows.append(TrainedHeadRow(Phrase(KNOWING), following, order, None, None, None, None))
    yield Rows(TrainedHeadRow, tuple(rows), title=OWN_HEADS, shades=_beyond_chance)
    yield Said(LINEAR, Manner.TITLE)
    yield Said(CLASSIFIERS, Manner.EXPLANATION)
    fits = (
        ClassifierRow(name, *_shares(runs, fitted), *_means(runs, fitted))
        for _objective, name, runs in _trained(found)
    )
    yield Rows(ClassifierRow, tuple(fits), title=LINEAR, shades=_beyond_chance)
    yield Said(encoders_say(found), Manner.EXPLANATION)
    yield Said(_how(found), near=True)
    yield from _published(checked(source))


def _beyond_chance(row: ClassifierRow | TrainedHeadRow) -> tuple[float | None, ...]:
    """How strongly a cell is coloured: not at all where its task is guessed."""
    means = (row.next_mean, row.order_mean)
    return tuple(None if mean is None else max(0.0, 2.0 * mean - 1.0) for mean in means)


def _trained(found: ComparedObjectives) -> Iterator[tuple[str, str, Sequence[TrainedRun]]]:
    """What was trained: an objective, "" for some seeds of one; its name; the runs."""
    for one in OBJECTIVES:
        yield one, Phrase(NAMES[one]), found.of(one)
    learned = found.learned(ORDER)
    if learned and learned != found.of(ORDER):
        code = NN_("{count} seed that learned order", "{count} seeds that learned order")
        yield "", Phrase(code, count=len(learned)), learned


Of = Callable[[Sequence[TrainedRun], str], SeedSpread]
"""A measurement of runs at a task."""


def _shares(runs: Sequence[TrainedRun], of: Of) -> tuple[str, str]:
    """At next sentences and at order, in words."""
    if of is at and not runs[0].head:
        return Phrase(N_("no head")), Phrase(N_("no head"))
    return _with_spread(of(runs, NEXT)), _with_spread(of(runs, ORDER))


def _means(runs: Sequence[TrainedRun], of: Of) -> tuple[float | None, float | None]:
    if of is at and not runs[0].head:
        return None, None
    return of(runs, NEXT).mean, of(runs, ORDER).mean


def _printed(row: PublishedShares | None) -> tuple[float | None, float | None]:
    return (None, None) if row is None else (row.tasks[NEXT], row.tasks[ORDER])


def _published(source: str) -> Iterator[Said]:
    if source:
        yield Said(Phrase(N_("Published: {source}."), source=source), near=True)


def _masked(found: ComparedObjectives, published: Mapping[str, PublishedShares]) -> str:
    """What the objectives cost masked words."""
    right = (spread(found.of(one), lambda run: run.masked).mean for one in OBJECTIVES)
    nothing, following, order = (percent(share, 1) for share in right)
    return Phrase(
        N_(
            "Masked words of unseen documents are right in {nothing} where nothing else "
            "was learned, {following} with next sentences, and {order} with order; "
            "published: {printed}."
        ),
        nothing=nothing,
        following=following,
        order=order,
        printed=", ".join(percent(published[one].masked, 1) for one in OBJECTIVES),
    )


def _how(found: ComparedObjectives) -> str:
    """What was done, and what the spread is."""
    seeds = min(len(found.of(objective)) for objective in OBJECTIVES)
    return Phrase(
        NN_(
            "{layers} layers of {width}, {steps} steps; {tested} unseen pairs of each task. One "
            "seed.",
            "{layers} layers of {width}, {steps} steps; {tested} unseen pairs of each task. Means "
            "of {count} seeds, ± their standard deviation.",
        ),
        count=seeds,
        layers=whole(found.layers),
        width=whole(found.width),
        steps=whole(found.steps),
        tested=whole(found.tested),
    )


def format_look_at(found: ComparedObjectives) -> str:
    """Which format reads masked words best, and which worst."""
    losses = {form: _of(found, form, lambda run: run.loss) for form in FORMATS}
    best, second, *_others, worst = sorted(FORMATS, key=lambda form: losses[form].mean)
    noise = max(losses[best].deviation, losses[second].deviation)
    numbers = {
        "best": Phrase(FORMAT_NAMES[best]),
        "second": Phrase(FORMAT_NAMES[second]),
        "worst": Phrase(FORMAT_NAMES[worst]),
        "low": decimal(losses[best].mean, 2),
        "next": decimal(losses[second].mean, 2),
        "high": decimal(losses[worst].mean, 2),
        "floor": decimal(found.floor, 2),
    }
    if losses[second].mean - losses[best].mean <= noise:
        return Phrase(
            N_(
                "The lowest losses are those of “{best}” and “{second}”, {low} and {next} "
                "nats, which the seeds do not separate; the highest is that of “{worst}” with"
                " {high}. Nobody can be below {floor}."
            ),
            **numbers,
        )
    return Phrase(
        N_(
            "The lowest loss is that of “{best}” with {low} nats, the highest that of “{worst}” "
            "with {high}; nobody can be below {floor}."
        ),
        **numbers,
    )


def _formats(found: ComparedObjectives) -> Iterator[Said | Rows]:
    published = next(one for one in score_tables() if one.id == "roberta-input")
    yield Said(FORMATS_ABOUT, Manner.EXPLANATION, near=True)
    yield Said(LONGER, Manner.EXPLANATION)
    yield Said(why_packed_is_late(), Manner.EXPLANATION)
    yield Said(format_look_at(found), Manner.PLAIN)
    yield Rows(FormatRow, tuple(_format_rows(found, published)), title=N_("Formats of the input"))
    seeds = min(len(found.in_format(form)) for form in FORMATS)
    code = NN_("One seed.", "Means of {count} seeds or more, ± their standard deviation.")
    yield Said(Phrase(code, count=seeds))
    yield from _published(published.source)


def _format_rows(found: ComparedObjectives, published: ScoreTable) -> Iterator[FormatRow]:
    for form, scored in zip(FORMATS, published.rows, strict=False):
        loss = _of(found, form, lambda run: run.loss)
        scores = dict(zip(published.columns, scored.scores, strict=True))
        yield FormatRow(
            Phrase(FORMAT_NAMES[form]),
            f"{decimal(loss.mean, 2)} ± {decimal(loss.deviation, 2)}",
            _with_spread(_of(found, form, lambda run: run.what_follows)),
            scores["MNLI"],
            scores["RACE"],
        )
    yield FormatRow(Phrase(KNOWING), decimal(found.floor, 2), percent(1.0), None, None)


def _of(found: ComparedObjectives, form: str, measure: Callable[[TrainedRun], float]) -> SeedSpread:
    return spread(found.in_format(form), measure)


def _share(one: SeedSpread) -> str:
    return percent(one.mean)


def _with_spread(one: SeedSpread) -> str:
    """A mean and its spread: "52.0 ± 1.3 %"."""
    if len(one.values) < 2:
        return percent(one.mean, 1)
    mean, deviation = (decimal(100 * value, 1) for value in (one.mean, one.deviation))
    return Phrase(N_("{mean} ± {deviation} %"), mean=mean, deviation=deviation)

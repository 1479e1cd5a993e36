"""What each objective for pairs teaches, and what the format of the input does, as tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from explorer.questions.architecture.architecture.published.literature import (
    ScoreTable,
    score_tables,
)
from explorer.questions.pairs.sentence_pair.objectives import (
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
    Compared,
    Printed,
    Spread,
    Trained,
    at,
    fitted,
    printed,
    spread,
)
from explorer.text import N_, _, ngettext
from explorer.text.formatting.numbers import decimal, localised, percent, whole
from explorer.text.sources import checked
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Column, Row
from explorer.ui.blocks.text import Text, heading, note

NAMES = {
    NONE: N_("masked words only"),
    NEXT: N_("and next sentence (NSP)"),
    ORDER: N_("and sentence order (SOP)"),
}
FORMAT_NAMES = {
    SEGMENTS: N_("segment pair, NSP"),
    SENTENCES: N_("sentence pair, NSP"),
    FULL: N_("full sentences"),
    DOCUMENT: N_("sentences of one document"),
}
ABOUT = N_(
    "The same small model, trained anew on documents of four to eight sentences about one topic "
    "each. Their order is told only by what happens: carrots are peeled before they are boiled, "
    "Tuesday follows Monday. Nothing in the form of a sentence tells it, as a pronoun at its "
    "beginning would; in the texts of the bundled BERT and ALBERT one often does, so that order is "
    "too easy for them to compare the two by."
)
HEADS = N_(
    "By each model’s own head as it stands, asked what it was trained for and what it was not. "
    "Where masked words alone were learned, no head for pairs was trained, and none is asked."
)
CLASSIFIERS = N_(
    "By a linear classifier fitted to the pooled vectors of the frozen encoder, for each task: "
    "what could be read there, whether the model’s head reads it or not."
)
FORMATS_ABOUT = N_(
    "As many steps on as many tokens each. The loss is at masked words of unseen documents, each "
    "read in the model’s own format; a pair of sentences sees less of its document. What comes "
    "next is told by a linear classifier of the frozen states, each document read as one text."
)


def taught(found: Compared) -> Iterator[Block]:
    """Both comparisons, beside the published figures."""
    yield heading(_("What each objective teaches"))
    yield note(_(ABOUT), above=Space.TIGHT)
    yield from _objectives(found)
    yield from _formats(found)


def look_at(found: Compared) -> str:
    """What the numbers say, in a sentence or two."""
    following, order = found.of(NEXT), found.learned(ORDER)
    shares = {
        "own_next": _share(at(following, NEXT)),
        "next_on_order": _share(at(following, ORDER)),
        "published": percent(printed()[1][ORDER].tasks[NEXT]),
    }
    if not found.next_teaches_no_order or not order:
        return _(
            "The published pattern does not come out here: trained on next sentences, models are "
            "right about them in {own_next} of the cases and about order in {next_on_order}; "
            "trained on order, in {own_order} about order and in {order_on_next} about next "
            "sentences.",
            own_order=_share(at(found.of(ORDER), ORDER)),
            order_on_next=_share(at(found.of(ORDER), NEXT)),
            **shares,
        )
    shares["own_order"] = _share(at(order, ORDER))
    shares["order_on_next"] = _share(at(order, NEXT))
    if found.order_teaches_next:
        return _(
            "Next sentences teach a head nothing of order: those that tell them in {own_next} of "
            "the cases are right about order in {next_on_order}, about as a coin is. Order teaches "
            "something of next sentences: heads that tell it in {own_order} are right about next "
            "sentences in {order_on_next}, though they were never asked.",
            **shares,
        )
    return _(
        "Next sentences teach a head nothing of order: those that tell them in {own_next} of the "
        "cases are right about order in {next_on_order}, about as a coin is. The other half of the "
        "published pattern comes out weaker: heads that tell order in {own_order} are right about "
        "next sentences in {order_on_next}, not in {published}. They never saw texts of two "
        "documents; their encoders know more, as a classifier finds {encoder} there.",
        encoder=_share(fitted(order, NEXT)),
        **shares,
    )


def harder(found: Compared) -> str:
    """Which of the two tasks was learned from every seed; "" where both were."""
    runs, learned = found.of(ORDER), found.learned(ORDER)
    if learned == runs or found.learned(NEXT) != found.of(NEXT):
        return ""
    return ngettext(
        "Order is the harder task: within {steps} steps every model learned next sentences, and "
        "{count} of {runs} learned order. The others still guess at it, which the mean of all "
        "seeds hides; so the row below it is of those alone that learned.",
        "Order is the harder task: within {steps} steps every model learned next sentences, and "
        "{count} of {runs} learned order. The others still guess at it, which the mean of all "
        "seeds hides; so the row below it is of those alone that learned.",
        len(learned),
        steps=whole(found.steps),
        runs=whole(len(runs)),
    )


def encoders_say(found: Compared) -> str:
    """What a classifier finds in the encoders, trained for it or not."""
    return _(
        "No head is not to say that the encoder knows nothing. "
        "Where masked words alone were learned, a classifier tells next sentences in {nothing} of "
        "the cases, for which topics are enough, and order in {nothing_order}; where next "
        "sentences were learned, order in {order}.",
        nothing=_share(fitted(found.of(NONE), NEXT)),
        nothing_order=_share(fitted(found.of(NONE), ORDER)),
        order=_share(fitted(found.of(NEXT), ORDER)),
    )


def _objectives(found: Compared) -> Iterator[Block]:
    yield Text(_("Next sentence or sentence order"), "strong")
    yield Text(look_at(found))
    if harder(found):
        yield Text(harder(found))
    yield note(_(HEADS))
    source, rows = printed()
    yield _tasks(found, at, rows)
    yield note(_(CLASSIFIERS), above=Space.APART)
    yield _tasks(found, fitted, {})
    yield Text(encoders_say(found))
    yield note(_masked(found, rows))
    yield note(_how(found))
    if checked(source):
        yield note(_("Published: {source}.", source=checked(source)))


def _tasks(
    found: Compared,
    of: Callable[[Sequence[Trained], str], Spread],
    known: Mapping[str, Printed],
) -> BarTable:
    """Trained on in the rows, tested on in the columns."""
    columns = [Column(_("NSP")), Column(_("SOP"))]
    if known:
        columns += [Column(_("NSP, published"), "muted"), Column(_("SOP, published"), "muted")]
    table = bool(known)
    rows = [
        _task_row(_(NAMES[one]), found.of(one), of, known.get(one), ("taught", table, one))
        for one in OBJECTIVES
    ]
    learned = found.learned(ORDER)
    if learned and learned != found.of(ORDER):
        name = ngettext(
            "{count} seed that learned order", "{count} seeds that learned order", len(learned)
        )
        rows.append(_task_row(name, learned, of, None, ("learned", table)))
    if known:
        cells = [percent(found.knowing[task], 1) for task in TASKS]
        rows.append(Row(_("who knows the world"), (*cells, "", ""), muted=True, key="knowing"))
    return BarTable(
        rows,
        tuple(columns),
        title=_("Trained on in the rows, tested on in the columns"),
        bold=False,
        label=Column(_("trained on")),
    )


def _task_row(
    name: str,
    runs: Sequence[Trained],
    of: Callable[[Sequence[Trained], str], Spread],
    printed_row: Printed | None,
    key: tuple[object, ...],
) -> Row:
    if of is at and not runs[0].head:
        cells, shades = [_("no head")] * len(TASKS), (0.0,) * len(TASKS)
    else:
        measured = [of(runs, task) for task in TASKS]
        cells = [_with_spread(one) for one in measured]
        shades = tuple(max(0.0, 2.0 * one.mean - 1.0) for one in measured)
    if printed_row is not None:
        cells += [percent(printed_row.tasks[task], 1) for task in TASKS]
    return Row(name, tuple(cells), shades=shades, key=key)


def _masked(found: Compared, published: Mapping[str, Printed]) -> str:
    """What the objectives cost masked words."""
    right = (spread(found.of(one), lambda run: run.masked).mean for one in OBJECTIVES)
    nothing, following, order = (percent(share, 1) for share in right)
    return _(
        "Masked words of unseen documents are right in {nothing} where nothing else was learned, "
        "{following} beside next sentences, and {order} beside order; published: {printed}.",
        nothing=nothing,
        following=following,
        order=order,
        printed=", ".join(percent(published[one].masked, 1) for one in OBJECTIVES),
    )


def _how(found: Compared) -> str:
    """What was done, and what the spread is."""
    seeds = min(len(found.of(objective)) for objective in OBJECTIVES)
    return ngettext(
        "{layers} layers of {width}, {steps} steps; {tested} unseen pairs of each task. One seed.",
        "{layers} layers of {width}, {steps} steps; {tested} unseen pairs of each task. Means of "
        "{count} seeds, ± their standard deviation.",
        seeds,
        layers=whole(found.layers),
        width=whole(found.width),
        steps=whole(found.steps),
        tested=whole(found.tested),
    )


def format_look_at(found: Compared) -> str:
    """Which format reads masked words best, and which worst."""
    losses = {form: _of(found, form, lambda run: run.loss) for form in FORMATS}
    best, second, *_others, worst = sorted(FORMATS, key=lambda form: losses[form].mean)
    noise = max(losses[best].deviation, losses[second].deviation)
    numbers = {
        "best": _(FORMAT_NAMES[best]),
        "second": _(FORMAT_NAMES[second]),
        "worst": _(FORMAT_NAMES[worst]),
        "low": decimal(losses[best].mean, 2),
        "next": decimal(losses[second].mean, 2),
        "high": decimal(losses[worst].mean, 2),
        "floor": decimal(found.floor, 2),
    }
    if losses[second].mean - losses[best].mean <= noise:
        return _(
            "The lowest losses are those of “{best}” and “{second}”, {low} and {next} nats, which "
            "the seeds do not tell apart; the highest is that of “{worst}” with {high}. Nobody can "
            "be below {floor}. The published scores are of far longer training, and need not "
            "agree.",
            **numbers,
        )
    return _(
        "The lowest loss is that of “{best}” with {low} nats, the highest that of “{worst}” with "
        "{high}; nobody can be below {floor}. The published scores are of far longer training, and "
        "need not agree.",
        **numbers,
    )


def _formats(found: Compared) -> Iterator[Block]:
    table = next(one for one in score_tables() if one.id == "roberta-input")
    yield Text(_("What the format of the input does"), "strong", above=Space.SECTION)
    yield Text(format_look_at(found))
    yield note(_(FORMATS_ABOUT))
    yield _format_table(found, table)
    seeds = min(len(found.in_format(form)) for form in FORMATS)
    yield note(
        ngettext("One seed.", "Means of {count} seeds or more, ± their standard deviation.", seeds)
    )
    yield note(_("Published: {source}.", source=table.source))


def _format_table(found: Compared, published: ScoreTable) -> BarTable:
    columns = (
        Column(_("loss, nats")),
        Column(_("next")),
        *(Column(_("{score}, published", score=name), "muted") for name in ("MNLI", "RACE")),
    )
    rows = []
    for form, scored in zip(FORMATS, published.rows, strict=False):
        loss = _of(found, form, lambda run: run.loss)
        scores = dict(zip(published.columns, scored.scores, strict=True))
        cells = (
            f"{decimal(loss.mean, 2)} ± {decimal(loss.deviation, 2)}",
            _with_spread(_of(found, form, lambda run: run.what_follows)),
            *(localised(str(scores[name])) for name in ("MNLI", "RACE")),
        )
        rows.append(Row(_(FORMAT_NAMES[form]), cells, key=("format", form)))
    floor = (decimal(found.floor, 2), percent(1.0), "", "")
    rows.append(Row(_("who knows the world"), floor, muted=True, key="floor"))
    return BarTable(
        rows,
        columns,
        title=_("Formats of the input"),
        bold=False,
        label=Column(_("format")),
    )


def _of(found: Compared, form: str, measure: Callable[[Trained], float]) -> Spread:
    return spread(found.in_format(form), measure)


def _share(one: Spread) -> str:
    return percent(one.mean)


def _with_spread(one: Spread) -> str:
    """A mean and its spread: "52.0 ± 1.3 %"."""
    if len(one.values) < 2:
        return percent(one.mean, 1)
    mean, deviation = (decimal(100 * value, 1) for value in (one.mean, one.deviation))
    return _("{mean} ± {deviation} %", mean=mean, deviation=deviation)

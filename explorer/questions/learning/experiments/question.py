"""Which claims of the papers about training are borne out in runs of small models?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import overload

from explorer.api.question import (
    Asks,
    Cell,
    Choice,
    Entry,
    Listing,
    ModelStamp,
    Question,
    Switch,
    Table,
    Topic,
    Words,
    asked,
    column,
)
from explorer.learning.experiments.claim_folder import SHORT, WHOLE
from explorer.learning.experiments.definition import (
    bundled_experiments,
    experiment_names,
)
from explorer.learning.experiments.definition_file import read_experiment
from explorer.learning.experiments.findings import ClaimVerdict
from explorer.text import N_, Phrase

ENDED = frozenset({"done", "failed", "cancelled"})
AT_WORK = frozenset({"waiting", "training"})
"""What runs do that somebody follows."""
FIRST = "next_sentence"
"""The claim that is shown where none is chosen."""


class ClaimEntries(Sequence[Entry]):
    """A claim for each definition; what each is called is read when somebody asks for it."""

    @cached_property
    def _read(self) -> tuple[Entry, ...]:
        folder = bundled_experiments()
        found = (read_experiment(folder / f"{name}.toml") for name in experiment_names())
        return tuple(Entry(one.name, one.title, one.claim) for one in found)

    def __len__(self) -> int:
        """How many definitions there are."""
        return len(experiment_names())

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Entry, ...]: ...
    def __getitem__(self, at: int | slice) -> Entry | tuple[Entry, ...]:
        """One of them, or several."""
        return self._read[at]


CLAIM = Choice(
    N_("Claim"),
    FIRST,
    N_("Which claim about training is looked at."),
    entries=ClaimEntries(),
    in_sight=True,
    key="experiments.claim",
)
FORM = Choice(
    N_("Form"),
    SHORT,
    N_("How much is run when the claim is tried here."),
    entries=(
        Entry(SHORT, N_("short"), N_("Three seeds of smaller batches or models: a few minutes.")),
        Entry(WHOLE, N_("whole"), N_("All of it, as the bundled results were made.")),
    ),
    in_sight=True,
    key="experiments.form",
)
TRAIN = Switch(
    N_("Try it here"), False, N_("Train what the claim needs, or continue; without, only look.")
)
ACT = Choice(
    N_("Do"),
    "",
    N_("What is done with the runs made here."),
    entries=(
        Entry("", N_("nothing")),
        Entry("pause", N_("pause")),
        Entry("cancel", N_("cancel")),
        Entry("delete", N_("delete")),
    ),
    in_bar=False,
)
MOMENT = Words(N_("Moment"), "", N_("Says which time the same is done."), in_bar=False)
SURE = Words(N_("To be deleted"), "", redraws=True, in_bar=False, key="experiments.sure")


@dataclass(frozen=True)
class ExperimentsRequest(Asks):
    """Look at what came of a claim, or try it.

    Attributes:
        claim: The name of its definition.
        form: Which of its forms is tried here: "short" or "whole".
        train: Begin it, or go on with it; else only look.
        act: What is done with the runs made here: "pause", "cancel", "delete"; "" for nothing.
        moment: Which time the same is done.
    """

    claim: str = asked(CLAIM)
    form: str = asked(FORM)
    train: bool = asked(TRAIN, is_held=False)
    act: str = asked(ACT, is_held=False)
    moment: str = asked(MOMENT, is_held=False)

    @property
    def is_short(self) -> bool:
        """Whether it is the short form that is tried."""
        return self.form == SHORT


@dataclass(frozen=True)
class WayMeasured:
    """What was measured of one way to train.

    Attributes:
        way: Its name in files.
        title: What people read.
        measure: What was measured, by its name.
        seeds: Of the runs.
        values: One a seed.
        mean: Of all seeds.
        low: Where the interval of the mean begins; None of one seed.
        high: Where it ends.
    """

    way: str
    title: Phrase
    measure: str
    seeds: tuple[int, ...]
    values: tuple[float, ...]
    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class ClaimTried:
    """One thing that the claim foretells, and what came of it.

    Attributes:
        way: The title of what should be better, or alike.
        than: The title of the other.
        measure: Of what, by its name.
        within: How far two may be apart that are alike; None for better.
        count: Seeds that both were run from.
        mean: Of the differences at equal seeds; None where there are none.
        low: Where its interval begins; None of fewer than two seeds.
        high: Where it ends.
        verdict: What may be concluded.
    """

    way: Phrase
    than: Phrase
    measure: str
    within: float | None
    count: int
    mean: float | None
    low: float | None
    high: float | None
    verdict: ClaimVerdict


@dataclass(frozen=True)
class PublishedMeasure:
    """What a paper printed.

    Attributes:
        measure: As it calls it.
        source: The paper and its table.
        date: When it was published.
        titles: Of the ways.
        values: One a way.
        is_checked: Somebody has looked it up there.
    """

    measure: str
    source: str
    date: str
    titles: tuple[Phrase, ...]
    values: tuple[float, ...]
    is_checked: bool = True


@dataclass(frozen=True)
class ControlTried:
    """The same where the claim must fail.

    Attributes:
        title: What is otherwise.
        why: Why it must fail then.
        tried: What came of each thing that the claim foretells; none where too little was run.
        holds: The claim came out even there, so that its runs prove nothing.
    """

    title: Phrase
    why: Phrase
    tried: tuple[ClaimTried, ...] = ()
    holds: bool = False


@dataclass(frozen=True)
class ClaimMade:
    """What the runs made here came to, as far as they are.

    Attributes:
        form: "short" or "whole".
        status: What they are doing.
        runs: That are done.
        of: That there are in all; 0 before they were counted.
        step: Steps that were trained.
        steps: Of all runs.
        seconds_left: About; None where that is not known.
        verdict: Of the whole claim.
        tried: Each thing that it foretells.
        measured: By measure and way.
        control: Where it must fail; None without one.
        date: When the last run ended; "" for none.
        is_former: They are of a definition that is another one now.
        why: Why it failed.
    """

    form: str
    status: str
    runs: int
    of: int
    step: int
    steps: int
    seconds_left: float | None
    verdict: ClaimVerdict
    tried: tuple[ClaimTried, ...]
    measured: tuple[WayMeasured, ...]
    control: ControlTried | None = None
    date: str = ""
    is_former: bool = False
    why: Phrase | None = None


@dataclass(frozen=True)
class ExperimentsResult:
    """A claim and what came of it.

    Attributes:
        model: Nobody's: the claim's name, and a hash of its definition and its results.
        claim: The name of its definition.
        title: A few words.
        sentence: The claim.
        source: Who claims it.
        about: What was done.
        cannot: What the small world cannot show of it.
        verdict: Of the whole claim.
        tried: Each thing that it foretells.
        measured: By measure and way; none where nothing was run yet.
        published: What papers printed.
        command: What made the results, or would.
        short: They are of the short form.
        date: When the last run ended; "" where there is none.
        versions: Of what ran, a line.
        steps: Of the longest run.
        control: Where the claim must fail; None without one.
        here: What was made here; None where the claim was not tried in this form.
        form: Which form would be tried here.
        seconds: It would take, about; None where the runs are another command's alone.
        looked: When, nanoseconds since 1970; 0 in answers of earlier versions.
    """

    model: ModelStamp
    claim: str
    title: Phrase
    sentence: Phrase
    source: str
    about: Phrase
    cannot: Phrase
    verdict: ClaimVerdict
    tried: tuple[ClaimTried, ...]
    measured: tuple[WayMeasured, ...]
    published: tuple[PublishedMeasure, ...]
    command: str
    short: bool
    date: str
    versions: str
    steps: int
    control: ControlTried | None = None
    here: ClaimMade | None = None
    form: str = SHORT
    seconds: float | None = None
    looked: int = 0

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of what was measured, the first one first."""
        here = self.here.measured if self.here is not None else ()
        return tuple(dict.fromkeys(one.measure for one in (*self.measured, *here)))

    def of(self, measure: str) -> tuple[WayMeasured, ...]:
        """What was measured of each way."""
        return tuple(one for one in self.measured if one.measure == measure)


@dataclass(frozen=True)
class MeasuredRunRow:
    """A number of one run."""

    made: str = column(N_("made"), key=True)
    way: str = column(N_("way"), key=True)
    measure: str = column(N_("measure"), key=True)
    seed: int = column(N_("seed"), key=True)
    value: float = column(N_("value"))


def table(result: ExperimentsResult) -> Table:
    """One row a way, a measure and a seed; of the bundled runs, then of those made here."""
    return Table.of(MeasuredRunRow, _rows(result))


def _rows(result: ExperimentsResult) -> Iterator[MeasuredRunRow]:
    here = result.here.measured if result.here is not None else ()
    for made, every in (("bundled", result.measured), ("here", here)):
        for one in every:
            for seed, value in zip(one.seeds, one.values, strict=True):
                yield MeasuredRunRow(made, one.way, one.measure, seed, value)


def summary(result: ExperimentsResult) -> Mapping[str, Cell]:
    """The claim, and what may be concluded."""
    seeds = max((len(one.seeds) for one in result.measured), default=0)
    found: dict[str, Cell] = {
        "claim": result.claim,
        "verdict": result.verdict.value,
        "seeds": seeds,
    }
    if result.here is not None:
        found |= {"runs_here": result.here.runs, "verdict_here": result.here.verdict.value}
    return found


def only_look(request: ExperimentsRequest) -> ExperimentsRequest:
    """What came of it, and nothing is begun."""
    return replace(request, train=False)


def is_passing(result: ExperimentsResult) -> bool:
    """Whether it only says how far something is."""
    return result.here is not None and result.here.status not in ENDED


COLUMN_TITLES = {
    "claim": N_("claim"),
    "verdict": N_("verdict"),
    "seeds": N_("seeds"),
    "runs_here": N_("runs made here"),
    "verdict_here": N_("verdict of runs made here"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


QUESTION = Question(
    name="experiments",
    title=N_("Claims about training"),
    asks=N_("Which claims about training are borne out in runs of small models?"),
    about=N_(
        "Each claim was tried in runs of small models on texts whose exact answers are known. A "
        "dot is a run from a seed of its own, the thick line the mean’s 95 % interval. Ways are "
        "set against each other at equal seeds. An interval that holds both answers says nothing, "
        "nor do fewer than three seeds."
    ),
    listing=Listing(Topic.LEARNING, 30, "flask-outline"),
    found_by=(
        "ablation study",
        "replication",
        "seeds",
        "batch size",
        "scaling laws",
        "cross-layer sharing",
        "virtual adversarial training",
        "재현",
        "배치 크기",
        "스케일링 법칙",
        "매개변수 공유",
    ),
    request=ExperimentsRequest,
    result=ExperimentsResult,
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    follows={"sure": SURE},
    options=(SURE,),
    roles={},
    cheap_variant=only_look,
    is_provisional=is_passing,
)

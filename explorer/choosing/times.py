"""How long models take for one sentence on this machine, as far as somebody had that measured."""

import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.numerics.steadiness import STEADY
from explorer.serialise import from_json, to_json
from explorer.sessions.schema.atomic import write_atomically

SENTENCE = "The chef cooked the meal in the kitchen, and the guests ate it in the garden."
"""Read by every model that is measured, so that times can be compared."""

SECONDS = 0.3
"""For which a model is run at least, after it is warm."""

LEAST_SHARE = 0.75
"""Of the processor's time, below which a time is of other programs too: alone a run waits for
nothing but its own threads, and two that share a core have half of it each."""

FORMAT = 1


@dataclass(frozen=True)
class SentenceTime:
    """One model's, measured once.

    Attributes:
        checkpoint: Its id.
        parameters: That it has, by which other files of the same name are told from these.
        device: Where it ran.
        dtype: As which numbers.
        threads: Of the processor that it might use.
        tokens: That the sentence is to it.
        seconds: Median of the runs.
        lower: A quarter of them were quicker.
        upper: A quarter of them were slower.
        fastest: The quickest of them.
        runs: How many.
        day: When, as ISO 8601.
        machine: The name of the computer.
        share: How much of that while the thread that ran it was at work: it waits where other
            programs have the processor. 1 where that says nothing, as on a GPU.
    """

    checkpoint: str
    parameters: int
    device: str
    dtype: str
    threads: int
    tokens: int
    seconds: float
    lower: float
    upper: float
    fastest: float
    runs: int
    day: str
    machine: str = ""
    share: float = 1.0

    @property
    def is_steady(self) -> bool:
        """Whether the runs took about as long as the quickest of them."""
        return self.seconds <= STEADY * self.fastest

    @property
    def was_busy(self) -> bool:
        """Whether other programs were at work, so that every run may have taken longer."""
        return self.share < LEAST_SHARE


@dataclass(frozen=True)
class TimesFile:
    """What the file of times holds."""

    format: int
    times: tuple[SentenceTime, ...] = ()


class KeptTimes:
    """The times that were measured: a file in the folder of what can be made again.

    Args:
        path: The file; need not exist.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def all(self) -> tuple[SentenceTime, ...]:
        """Those of this machine, the latest last; none where the file can't be read."""
        here = platform.node()
        return tuple(one for one in self._read() if one.machine == here)

    def keep(self, time: SentenceTime) -> None:
        """Keep one, in the place of an older one of the same model on the same device.

        Raises:
            MachineFault: The file can't be written.
        """
        known = [one for one in self._read() if _which(one) != _which(time)]
        text = to_json(TimesFile(FORMAT, (*known, time)))
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self._path, text.encode(), private=True)

    def _read(self) -> tuple[SentenceTime, ...]:
        try:
            found = from_json(TimesFile, self._path.read_bytes())
        except (OSError, ValueError):
            return ()
        return found.times if found.format == FORMAT else ()


def times_file(cache: Path) -> Path:
    """Where times are kept.

    Args:
        cache: The folder of what can be made again.
    """
    return cache / "sentence_times.json"


def can_be_measured(checkpoint: Checkpoint) -> bool:
    """Whether it is here, and as far as its files say can be loaded."""
    is_away = checkpoint.source in {Source.HUB, Source.CONFIG}
    return not is_away and not checkpoint.problem


def latest(times: Iterable[SentenceTime]) -> Mapping[str, SentenceTime]:
    """The last one of each checkpoint, by its id."""
    return {one.checkpoint: one for one in times}


def is_of(time: SentenceTime, checkpoint: Checkpoint) -> bool:
    """Whether a time was measured of these files, as far as that can be told without reading."""
    return checkpoint.parameters is None or checkpoint.parameters == time.parameters


def _which(one: SentenceTime) -> tuple[str, str, str, str]:
    return one.machine, one.checkpoint, one.device, one.dtype

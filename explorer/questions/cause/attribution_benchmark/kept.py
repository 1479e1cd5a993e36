"""What was tested is kept, so that a run goes on where another one ended.

A line is what one method came to at one place. It is found by the weights' hash and number type, by
the hash of the method's source, by the place and by how much was done: whatever of these changes is
tested anew.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from explorer import attribution
from explorer.api.question import ModelStamp
from explorer.attribution.scoring import Effort
from explorer.files.private import make_folder
from explorer.questions.cause.attribution_benchmark.places import KnownPlace

FOLDER = "attribution-benchmark"


@dataclass(frozen=True)
class PlaceScore:
    """What a method came to at a place.

    Attributes:
        pick: Number of the word that it gives the highest score.
        mass: Of all positive scores, the share of the words that matter most.
        rank: Spearman's correlation of scores and what words are worth; None without an order.
    """

    pick: int
    mass: float
    rank: float | None


@cache
def own_digest() -> str:
    """SHA-256 of the program's own methods: of all their sources, for they share much."""
    folder = Path(attribution.__path__[0])
    sources = sorted(folder.rglob("*.py"))
    return hashlib.sha256(b"".join(one.read_bytes() for one in sources)).hexdigest()


def place_digest(place: KnownPlace) -> str:
    """What a place is known by: its text, the asked word, and what words are worth."""
    told = repr((place.text, place.asked, place.losses)).encode()
    return hashlib.sha256(told).hexdigest()[:16]


@dataclass(frozen=True)
class KeptScores:
    """What was tested of one model with one effort.

    Attributes:
        file: Where it lies; None where nothing is kept.
        known: By method, its hash and the place.
    """

    file: Path | None
    known: Mapping[tuple[str, str, str], PlaceScore]

    @staticmethod
    def of(cache: Path | None, stamp: ModelStamp, effort: Effort) -> "KeptScores":
        """What there is of a model; nothing where the folder can't be read."""
        if cache is None:
            return KeptScores(None, {})
        some = f"{effort.steps}-{effort.samples}-{effort.seed}"
        file = cache / FOLDER / f"{stamp.fingerprint}-{stamp.dtype.split()[0]}-{some}.tsv"
        try:
            make_folder(file.parent)
            lines = file.read_text("utf-8").splitlines() if file.is_file() else []
        except OSError:
            return KeptScores(None, {})
        return KeptScores(file, dict(filter(None, map(_read, lines))))

    def get(self, name: str, digest: str, place: KnownPlace) -> PlaceScore | None:
        """What a method came to at a place."""
        return self.known.get((name, digest[:16], place_digest(place)))

    def add(self, name: str, digest: str, place: KnownPlace, score: PlaceScore) -> None:
        """Keep a line; a disk that is full costs nothing but the work."""
        if self.file is None:
            return
        rank = "" if score.rank is None else repr(score.rank)
        cells = name, digest[:16], place_digest(place), str(score.pick), repr(score.mass), rank
        try:
            with self.file.open("a", encoding="utf-8") as lines:
                lines.write("\t".join(cells) + "\n")
        except OSError:
            return


def _read(line: str) -> tuple[tuple[str, str, str], PlaceScore] | None:
    """A line; None for one that was cut off."""
    try:
        name, digest, place, pick, mass, rank = line.split("\t")
        score = PlaceScore(int(pick), float(mass), float(rank) if rank else None)
    except ValueError:
        return None
    return (name, digest, place), score

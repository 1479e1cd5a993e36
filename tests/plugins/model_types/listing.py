"""The list of model types in docs/model_types.md: one row a type, as it was tried."""

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import transformers

from explorer.text import said
from plugins.auto.family import READS_LEFT, WRITES_ANEW
from plugins.auto.known import LANGUAGE, TABLES, _tables, classes_of
from tests.plugins.model_types.trying import CLOSE, TriedType

LIST = Path(__file__).resolve().parents[3] / "docs" / "model_types.md"
MADE_WITH = "Made with transformers "
HEADING = """# Model types

Every model type of the pinned transformers that predicts tokens, as a small checkpoint with random
weights: made by transformers' own class, opened as the program opens it, asked every question that
it can be asked, and set against the class's own forward of the module that was saved.

    python -m tests.plugins.model_types

tries all of them again, which takes some ten minutes of one core, and writes this file. It prints
each type that is new in the installed transformers, each that is gone, and each row that reads
otherwise than here: so it tells what a new release changes. With `--compare` it writes nothing;
with names of types it tries these alone. A test holds that the list has the types of the installed
transformers, so that the pin is not moved without it.

- **opened as**: the plugin, or that the generic one opened it (`plugins/auto`).
- **pages**: how many of the program's questions it answered.
- **has**: its ports, explained in [plugins.md](plugins.md).
- **off**: how far a number was at most from transformers' own forward: the probabilities of all
  pieces, of a hidden word and behind a text, states of all layers (by the size of the largest), and
  shares of attention, whichever it has.
- **not**: ports that such a model could have and this one has not, and why. Left out is what no
  model of its kind has: who reads from the left fills no masks from both sides, and no token of the
  text belongs to what a second stack writes.

"""
COLUMNS = (
    "| type | opened as | class | pages | has | off | not |\n"
    "| --- | --- | --- | ---: | --- | --- | --- |\n"
)
OF_THEIR_KIND = frozenset({READS_LEFT, WRITES_ANEW})


def every_type() -> list[str]:
    """Types of transformers for which it has a class that predicts tokens."""
    tables = _tables()
    found = {kind for head in LANGUAGE for kind in tables.get(TABLES[head], {})}
    return sorted(kind for kind in found if classes_of(kind))


def row_of(one: TriedType) -> str:
    """A row without numbers that differ from machine to machine."""
    why = "; ".join(one.faults) or one.problem or " ".join(_reasons(one.refused))
    pages = str(one.answered or "")
    ports = ", ".join(one.ports)
    cells = (one.kind, one.title, one.saved, pages, ports, _off(one), _without_sizes(why))
    return f"| {' | '.join(' '.join(cell.replace('|', '/').split()) for cell in cells)} |"


def _reasons(refused: Mapping[str, str]) -> Iterator[str]:
    """Each reason once, behind the ports that are missing for it."""
    ports: dict[str, list[str]] = {}
    for port, why in refused.items():
        ports.setdefault(why, []).append(port)
    theirs = {said(one) for one in OF_THEIR_KIND}
    for why, names in ports.items():
        if why not in theirs:
            yield f"{', '.join(names)}: {why}"


def _off(one: TriedType) -> str:
    if one.off is None:
        return ""
    return f"< {CLOSE:g}" if one.off < CLOSE else f"{one.off:.1g}"


def _without_sizes(why: str) -> str:
    """Without numbers that are others on another machine."""
    return re.sub(r"\S*\d( nats)", r"…\1", re.sub(r"off by \S*\d", "off by …", why))


def read_rows() -> dict[str, str]:
    """The rows of the list as it is, by type."""
    if not LIST.exists():
        return {}
    rows = [one for one in LIST.read_text("utf-8").splitlines() if one.startswith("| ")]
    return {one.split(" | ")[0].removeprefix("| "): one for one in rows[2:]}


def changes(before: Collection[str], every: Collection[str]) -> Iterator[str]:
    """Types that are new since the list was made, and those that are gone."""
    for kind in sorted(set(every) - set(before)):
        yield f"new: {kind}"
    for kind in sorted(set(before) - set(every)):
        yield f"gone: {kind}"


def written(rows: Mapping[str, str]) -> str:
    """The list as a file, with what it comes to."""
    cells = [row.split(" | ") for row in rows.values()]
    opened = sum(bool(one[4]) for one in cells)
    compared = sum(bool(one[5]) for one in cells)
    sums = (
        f"{MADE_WITH}{transformers.__version__}: {len(rows)} types, of which {opened} are opened "
        f"and {compared} compared with transformers' own forward.\n\n"
    )
    body = "\n".join(rows[kind] for kind in sorted(rows))
    return f"{HEADING}{sums}{COLUMNS}{body}\n"

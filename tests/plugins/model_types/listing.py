"""The list of model types in docs/model_types.md: one row a type, as it was tried."""

from collections.abc import Mapping
from pathlib import Path

from plugins.auto.known import LANGUAGE, TABLES, _tables, classes_of
from tests.plugins.model_types.trying import TriedType

LIST = Path(__file__).resolve().parents[3] / "docs" / "model_types.md"
HEADING = (
    "# Model types\n\n"
    "Every model type of the pinned transformers that predicts tokens, as a small checkpoint with "
    "random weights: made by transformers' own class, opened as the program opens it, asked every "
    "question that it can be asked, and set against the class's own forward. "
    "`python -m tests.plugins.model_types` tries all of them again, prints each row that has "
    "changed and writes this file; the suite tries some. With a new release of transformers run it "
    "before the pin is moved.\n\n"
    "“Off” is how far a number was at most from transformers' own forward (probabilities, "
    "attention, states, whichever the type has). Ports are explained in [plugins.md](plugins.md); "
    "the last column has the ports that such a model could have and this one has not, and why.\n\n"
)
COLUMNS = "| type | opened as | class | has | off | not |\n| --- | --- | --- | --- | --- | --- |\n"


def every_type() -> list[str]:
    """Types of transformers for which it has a class that predicts tokens."""
    tables = _tables()
    found = {kind for head in LANGUAGE for kind in tables.get(TABLES[head], {})}
    return sorted(kind for kind in found if classes_of(kind))


def row_of(one: TriedType) -> str:
    """A row without numbers that differ from machine to machine."""
    refused = " ".join(f"{port}: {why}" for port, why in one.refused.items())
    why = one.problem or refused
    return (
        f"| {one.kind} | {one.title} | {one.saved} | {', '.join(one.ports)} | {_off(one)} | {why} |"
    )


def _off(one: TriedType) -> str:
    if one.off is None:
        return ""
    return next(
        (f"< {bound:g}" for bound in (1e-6, 1e-5, 1e-4) if one.off < bound), f"{one.off:.1g}"
    )


def read_rows() -> dict[str, str]:
    """The rows of the list as it is, by type."""
    if not LIST.exists():
        return {}
    rows = [one for one in LIST.read_text("utf-8").splitlines() if one.startswith("| ")]
    return {one.split(" | ")[0].removeprefix("| "): one for one in rows[2:]}


def write_list(tried: Mapping[str, TriedType], before: Mapping[str, str]) -> None:
    """Rows that were tried, and of the others those of before."""
    rows = {**before, **{kind: row_of(one) for kind, one in tried.items()}}
    body = "\n".join(rows[kind] for kind in sorted(rows))
    LIST.write_text(f"{HEADING}{COLUMNS}{body}\n", "utf-8")

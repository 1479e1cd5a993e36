"""Tables that commands write into documents, between marks that say so."""

from pathlib import Path


def put_between(path: Path, begin: str, end: str, table: str) -> None:
    """Replace what stands between two marks; a document without them stays as it is."""
    before, _mark, rest = path.read_text("utf-8").partition(begin)
    _old, mark, after = rest.partition(end)
    if mark:
        path.write_text(f"{before}{begin}\n{table}\n{end}{after}", "utf-8")


def table_between(path: Path, begin: str, end: str) -> str:
    """What stands between two marks."""
    made = path.read_text("utf-8").partition(f"{begin}\n")[2]
    return made.partition(f"\n{end}")[0]

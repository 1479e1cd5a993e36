"""Every model type of transformers' that predicts tokens, made small, opened and asked.

`python -m tests.plugins.model_types` tries all of them and writes docs/model_types.md; what differs
from the list of before, as after a new release of transformers, is printed: types that are new,
those that are gone, and rows that read otherwise. `--compare` leaves the list as it is. Names of
types try these alone.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence

import torch
import transformers

from tests.plugins.model_types.listing import (
    LIST,
    changes,
    every_type,
    read_rows,
    row_of,
    written,
)
from tests.plugins.model_types.trying import TriedType
from tests.plugins.model_types.worker import TryingWorker


def main(arguments: Sequence[str] | None = None) -> int:
    """Try them; the exit status is 1 where one ended otherwise than in words."""
    parser = argparse.ArgumentParser(prog="python -m tests.plugins.model_types")
    parser.add_argument("types", nargs="*", help="model types; all of transformers' without any")
    parser.add_argument("--compare", action="store_true", help="print what differs, write nothing")
    chosen = parser.parse_args(arguments)
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    before, every, rows = read_rows(), every_type(), dict[str, str]()
    faulty = 0
    worker = TryingWorker()
    try:
        for kind in chosen.types or every:
            found = worker.tried(kind)
            rows[kind] = row_of(found)
            faulty += bool(found.faults)
            _tell(found, before, rows[kind])
            if not chosen.compare:
                kept = {one: row for one, row in before.items() if one in every}
                LIST.write_text(written({**kept, **rows}), "utf-8")
    finally:
        worker.close()
    for line in changes(before, every):
        print(line)
    print(f"{len(rows)} types tried with transformers {transformers.__version__}; {faulty} faults")
    return int(bool(faulty))


def _tell(found: TriedType, before: Mapping[str, str], now: str) -> None:
    was = before.get(found.kind)
    if was != now:
        print(f"- {was}\n+ {now}" if was else f"+ {now}")
    for fault in found.faults:
        print(f"  FAULT {found.kind}: {fault}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

"""Every model type of transformers' that predicts tokens, made small, opened and asked.

`python -m tests.plugins.model_types` tries all of them and writes docs/model_types.md; what differs
from the list of before, as after a new release of transformers, is printed. Names of types try
these alone.
"""

import argparse
import resource
import sys
import tempfile
from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import torch
import transformers

from tests.plugins.model_types.listing import LIST, every_type, read_rows, row_of, write_list
from tests.plugins.model_types.trying import TriedType, try_type

FORKED = get_context("fork")
MOST_BYTES = 8 << 30
"""Address space of a process that tries a type: what is made small asks for far less."""
MOST_SECONDS = 600


def main(arguments: Sequence[str] | None = None) -> int:
    """Try them; the exit status is 1 where one ended otherwise than in words."""
    parser = argparse.ArgumentParser(prog="python -m tests.plugins.model_types")
    parser.add_argument("types", nargs="*", help="model types; all of transformers' without any")
    chosen = parser.parse_args(arguments)
    before = read_rows()
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    tried = dict[str, TriedType]()
    for kind in chosen.types or every_type():
        tried[kind] = _try_apart(kind)
        _tell(tried[kind], before.get(kind, ""))
        write_list(tried, before)
    faults = [one for one in tried.values() if one.faults]
    print(f"{len(tried)} types, {len(faults)} with faults: {LIST.name}")
    return int(bool(faults))


def _try_apart(kind: str) -> TriedType:
    """In a process of its own: what ends that one ends no other."""
    here, there = FORKED.Pipe()
    process = FORKED.Process(target=_try, args=(kind, there))
    process.start()
    there.close()
    try:
        found: TriedType = here.recv() if here.poll(MOST_SECONDS) else _lost(kind, "took too long")
    except EOFError:
        process.join()
        found = _lost(kind, f"ended its process, status {process.exitcode}")
    process.kill()
    process.join()
    return found


def _lost(kind: str, what: str) -> TriedType:
    return TriedType(kind, faults=(what,))


def _try(kind: str, there: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    with tempfile.TemporaryDirectory() as place:
        there.send(try_type(kind, Path(place)))


def _tell(found: TriedType, before: str) -> None:
    now = row_of(found)
    if before and before != now:
        print(f"- {before}\n+ {now}")
    elif not before:
        print(f"+ {now}")
    for fault in found.faults:
        print(f"  FAULT {found.kind}: {fault}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

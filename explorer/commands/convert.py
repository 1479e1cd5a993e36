"""`convert`: a GGUF file as a folder that can be opened."""

import argparse
from pathlib import Path

from explorer.headless import print_json
from explorer.program import Program
from explorer.text import N_, _

NAME = "convert"
HELP = N_("make a folder of a GGUF file, to be opened")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Of which file, and where."""
    parser.add_argument("file", type=Path, metavar="FILE", help=_("it ends in .gguf"))
    parser.add_argument("folder", type=Path, metavar="FOLDER", help=_("the folder to be made"))
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))


def run(args: argparse.Namespace, program: Program) -> int:
    """Convert it, and say how to open it.

    Raises:
        ExplorerError: It can't be read, or the folder can't be made.
    """
    from explorer.engine.library.gguf_files import folder_of_gguf
    from explorer.engine.process.surroundings import prepare_environment
    from explorer.files.typed_paths import typed_path

    prepare_environment()
    folder = folder_of_gguf(typed_path(args.file), typed_path(args.folder))
    row = program.catalogue(program.plugin_host()).inspect(folder)
    if args.json:
        print_json({"folder": str(folder), "family": row.family, "architecture": row.architecture})
        return 0
    print(_("{folder}: {architecture}", folder=folder, architecture=row.architecture))
    print(_("Open it by this name: --model {folder}", folder=folder))
    return 0

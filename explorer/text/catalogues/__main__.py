"""The commands of `explorer.text.catalogues`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from explorer.text import catalogues
from explorer.text.catalogues.mending import mend


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of them."""
    parser = argparse.ArgumentParser(
        prog="catalogues",
        description=catalogues.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    tasks = parser.add_subparsers(dest="task", required=True)
    tasks.add_parser("template").add_argument("target", type=Path)
    tasks.add_parser("update").add_argument("language")
    tasks.add_parser("compile")
    mending = tasks.add_parser("mend", description=mend.__doc__)
    mending.add_argument("old", help="what it says; of a count the text for one")
    mending.add_argument("new")
    mending.add_argument("--plural", default="", help="of a count the new text for several")
    mending.add_argument(
        "--review", action="store_true", help="mark the translations, to be looked at again"
    )
    args = parser.parse_args(arguments)
    try:
        if args.task == "template":
            catalogues.write_template(args.target)
            made = [args.target]
        elif args.task == "update":
            made = [catalogues.update(args.language)]
        elif args.task == "mend":
            made = mend(args.old, args.new, args.plural, review=args.review)
        else:
            made = catalogues.compile_all()
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.writelines(f"{path}\n" for path in made)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""`recipes`: write what shops and package collections make the program from."""

import argparse
import shutil
from pathlib import Path

from explorer import __version__
from explorer.installers.stores import conda, linux, windows
from explorer.installers.stores.about import StoreFacts
from explorer.paths import own_resources

NAME = "recipes"
HELP = "write what conda, pixi, Flatpak, Linux' software centres and NSIS make the program from"
ROOT = Path(__file__).parents[2]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where it is published, and of what."""
    parser.add_argument(
        "--repository", required=True, metavar="URL", help="https://HOST/OWNER/NAME"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--sdist", type=Path, metavar="FILE", help="for conda: the .tar.gz")
    parser.add_argument("--bundle", type=Path, metavar="FILE", help="for Flatpak: the .tar.zst")


def run(args: argparse.Namespace) -> int:
    """Write all that can be written.

    Raises:
        BuildFailure: A file is not there, or the address is none.
    """
    of, resources = StoreFacts.of(ROOT, __version__, args.repository), own_resources()
    texts = resources / "locale"
    files = {
        f"linux/{of.app_id}.metainfo.xml": linux.metainfo(of, texts),
        f"linux/{of.app_id}.desktop": linux.entry(of, texts),
        f"linux/{of.app_id}.xml": linux.kinds(of, texts),
        "pixi/pixi.toml": conda.pixi(of),
        "windows/setup.nsi": windows.setup(of.version, of.licence),
    }
    if args.sdist is not None:
        files["conda/recipe.yaml"] = conda.recipe(of, args.sdist)
    if args.bundle is not None:
        files[f"linux/{of.app_id}.json"] = linux.flatpak(of, args.bundle)
    for name, text in files.items():
        path = args.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        print(path)
    icon = args.out / f"linux/{of.app_id}.svg"
    shutil.copyfile(resources / "icons/plm-explorer.svg", icon)
    print(icon)
    return 0

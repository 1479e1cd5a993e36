"""`full`: the whole program in a folder that needs neither Python nor a network."""

import argparse
import json
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from explorer import __version__
from explorer.desktop.files import desktop_entry
from explorer.installers.failures import BuildFailure
from explorer.installers.frozen import archives, environment, notices, recipe
from explorer.system_libraries import QT_GUI, X11, advice, missing

NAME = "full"
HELP = "build the self-contained bundle for this system: window, engine, models, no Python needed"

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 1_100_000_000
"""Bytes, unpacked: room that every machine of a lecture hall has."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to work, and what to make."""
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "full", metavar="DIR")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="DIR")
    parser.add_argument("--identity", help="macOS: the certificate that signs")
    parser.add_argument(
        "--appimage-runtime",
        type=Path,
        metavar="FILE",
        help="Linux: the type 2 runtime; without it the AppImage's file system is made alone",
    )
    parser.add_argument("--no-archive", action="store_true", help="leave it a folder")


def run(args: argparse.Namespace) -> int:
    """Build, and write figures beside what was made."""
    build = Build(args.work.absolute(), args.out.absolute(), args.identity)
    build.freeze()
    if not args.no_archive:
        build.pack(args.appimage_runtime)
    build.report()
    return 0


class Build:
    """One bundle, step by step.

    Attributes:
        folder: The frozen program.
        made: Files and folders that were made, for people to take.
        seconds: What each step took.
    """

    def __init__(self, work: Path, out: Path, identity: str | None) -> None:
        self._work, self._out, self._identity = work, out, identity
        for one in (work, out):
            one.mkdir(parents=True, exist_ok=True)
        self.folder = out / recipe.PROGRAM
        self.made: list[Path] = []
        self.seconds: dict[str, int] = {}
        self._versions: dict[str, str] = {}

    def freeze(self) -> None:
        """Make the folder.

        Raises:
            BuildFailure: A step failed, or the folder is larger than it may be.
        """
        if absent := missing(QT_GUI + X11):
            # What is not here can't be brought along.
            raise BuildFailure(advice(absent))
        with self._step("environment"):
            frozen = environment.prepare(ROOT, self._work / "environment")
            self._versions = {"torch": frozen.torch, "pyinstaller": frozen.pyinstaller}
        with self._step("licences"):
            told = self._work / "licences.json"
            notices.ask_environment(frozen.python, ROOT, told)
        with self._step("freezing"):
            file = self._work / "recipe.json"
            recipe.write(
                file,
                ROOT,
                frozen.package,
                version=__version__,
                licences=told,
                identity=self._identity,
            )
            places = ["--distpath", str(self._out), "--workpath", str(self._work)]
            freezing = [str(frozen.python), "-m", "PyInstaller", "--noconfirm", *places]
            environment.run([*freezing, str(recipe.SPEC), "--", str(file)])
        with self._step("licences of the system's libraries"):
            toc = self._work / recipe.SPEC.stem / "COLLECT-00.toc"
            notices.complete(self.folder, told, toc, frozen)
        self.made.append(self.folder)
        size = archives.size_of(self.folder)
        if size > LARGEST:
            raise BuildFailure(
                f"{self.folder} has {size:,} bytes, more than the {LARGEST:,} it may have. "
                "Drop what is not needed in explorer/installers/frozen/contents.py."
            )

    def pack(self, runtime: Path | None) -> None:
        """Make the files to copy, as this system has them.

        Args:
            runtime: The AppImage's, on Linux.
        """
        name = self._out / f"{recipe.PROGRAM}-{__version__}-{_system()}"
        if sys.platform == "win32":
            with self._step("zip"):
                self.made.append(archives.zipped(self.folder, name.with_name(f"{name.name}.zip")))
            return
        if sys.platform == "darwin":
            with self._step("dmg"):
                application = self._out / "PLM Explorer.app"
                image = name.with_name(f"{name.name}.dmg")
                self.made.append(archives.disk_image(application, image))
            return
        with self._step("tar.zst"):
            packed = name.with_name(f"{name.name}.tar.zst")
            self.made.append(archives.tar_zst(self.folder, packed))
        with self._step("AppImage"):
            laid_out = self._work / "AppDir"
            resources = ROOT / "resources"
            entry = desktop_entry([recipe.PROGRAM], resources / "locale")
            archives.app_dir(self.folder, laid_out, entry, resources / archives.ICON)
            squashed = archives.squash(laid_out, name.with_name(f"{name.name}.squashfs"))
            shutil.rmtree(laid_out)
            if runtime is None:
                print("No --appimage-runtime: the AppImage's file system is made alone.")
                self.made.append(squashed)
            else:
                image = name.with_name(f"{name.name}.AppImage")
                self.made.append(archives.app_image(squashed, runtime, image))
                squashed.unlink()

    def report(self) -> None:
        """Print what was made, and write it into build.json beside it."""
        sizes = {
            one.name: archives.size_of(one) if one.is_dir() else one.stat().st_size
            for one in self.made
        }
        for made, size in sizes.items():
            print(f"{size / 1e6:9.1f} MB  {self._out / made}")
        figures = {
            "version": __version__,
            "system": _system(),
            **self._versions,
            "bytes": sizes,
            "seconds": self.seconds,
        }
        (self._out / "build.json").write_text(json.dumps(figures, indent=1) + "\n", "utf-8")

    @contextmanager
    def _step(self, name: str) -> Iterator[None]:
        print(f"{name} …", flush=True)
        began = time.monotonic()
        yield
        self.seconds[name] = round(time.monotonic() - began)


def _system() -> str:
    import platform

    names = {"darwin": "macos", "win32": "windows"}
    return f"{names.get(sys.platform, sys.platform)}-{platform.machine().lower()}"

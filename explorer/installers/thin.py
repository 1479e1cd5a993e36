"""`thin`: a folder with a Python, the window's packages and uv; the first start fetches the rest.

The interpreter is that of the machine that builds: build where the system's C library is as old as
the oldest on which it is to run. Needs Linux, uv, patchelf and a package index.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from explorer import __version__
from explorer.engine.environment.bundle import CPU, CUDA, UV, write_plan
from explorer.installers.failures import BuildFailure
from explorer.installers.slim import interpreter, locks, packages
from explorer.installers.slim.launcher import write_launcher
from explorer.installers.slim.licences import write_licences

NAME = "thin"
HELP = "build a folder whose first start fetches the torch that fits the machine"
ROOT = Path(__file__).resolve().parents[2]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to, and for what."""
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="made by this")
    parser.add_argument(
        "--variant",
        action="append",
        choices=list(locks.BACKENDS),
        help=f"of torch; can be given several times (default: {CPU} and {CUDA})",
    )
    parser.add_argument("--uv", default="uv", help="the program that goes into it (default: uv)")
    parser.add_argument("--archive", action="store_true", help="pack it into a .tar.zst as well")


def run(args: argparse.Namespace) -> int:
    """Build it, and say how large it is."""
    if not sys.platform.startswith("linux"):
        raise BuildFailure("A thin bundle is built on Linux so far; docs/installers.md says why.")
    uv = shutil.which(args.uv)
    if uv is None:
        raise BuildFailure(f"{args.uv} is not here. Install it: pip install uv")
    began = time.monotonic()
    folder: Path = args.out.absolute() / f"plm-explorer-{__version__}-thin-linux-{_machine()}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    print("the interpreter …", flush=True)
    python, libraries = interpreter.copy(folder / "python")
    print("the window's packages …", flush=True)
    with tempfile.TemporaryDirectory() as work:
        wheel = _wheel(Path(work))
        inside = packages.install(uv, python, wheel, ROOT, Path(work))
        print("the locks of the engine's …", flush=True)
        (folder / "engine").mkdir()
        made = [
            locks.make(uv, ROOT, inside, variant, folder / "engine", Path(work))
            for variant in args.variant or (CPU, CUDA)
        ]
    write_plan(folder, tuple(made))
    (folder / UV).parent.mkdir()
    shutil.copy2(uv, folder / UV)
    write_launcher(folder)
    write_licences(folder, python, libraries, Path(uv))
    size = sum(path.stat().st_size for path in folder.rglob("*") if not path.is_symlink())
    print(f"{folder}: {size / 1e6:.0f} MB in {time.monotonic() - began:.0f} s")
    for one in made:
        print(f"  {one.name}: {len(one.packages)} packages, {one.size / 1e6:.0f} MB to download")
    if args.archive:
        _pack(folder)
    return 0


def _machine() -> str:
    import platform

    return platform.machine()


def _wheel(work: Path) -> Path:
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(work)]
    built = subprocess.run([*command, str(ROOT)], capture_output=True, text=True, check=False)
    if built.returncode:
        raise BuildFailure(f"The wheel can't be built: {built.stdout[-500:]}{built.stderr[-500:]}")
    return next(work.glob("*.whl"))


def _pack(folder: Path) -> None:
    archive = folder.with_name(f"{folder.name}.tar.zst")
    command = ["tar", "--use-compress-program=zstd -19 --long=27 -T0", "-cf", str(archive)]
    if subprocess.run([*command, "-C", str(folder.parent), folder.name], check=False).returncode:
        raise BuildFailure("tar or zstd failed. Install it: apt-get install zstd")
    print(f"{archive}: {archive.stat().st_size / 1e6:.0f} MB")

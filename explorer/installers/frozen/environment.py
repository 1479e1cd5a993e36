"""The environment that is frozen: the program's wheel, its requirements as pinned, PyInstaller."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.installers.failures import BuildFailure

Run = Callable[[Sequence[str]], str]
"""Runs a command to its end and gives what it printed; raises BuildFailure where it fails."""

_ASKED = """
import json, sysconfig, torch, PyInstaller
print(json.dumps({"packages": sysconfig.get_path("purelib"), "cuda": torch.version.cuda,
                  "library": sysconfig.get_path("stdlib"), "torch": torch.__version__,
                  "pyinstaller": PyInstaller.__version__}))
"""


@dataclass(frozen=True)
class Frozen:
    """What is frozen.

    Attributes:
        python: Of the environment.
        package: The folder `explorer` in it, with plugins and resources in `bundled`.
        library: Python's own standard library.
        torch: The version of torch there.
        pyinstaller: And of PyInstaller.
    """

    python: Path
    package: Path
    library: Path
    torch: str
    pyinstaller: str


def run(command: Sequence[str]) -> str:
    """Run a command; what it says goes to the terminal where it fails.

    Raises:
        BuildFailure: It failed, or is not there.
    """
    try:
        done = subprocess.run(
            command, check=False, capture_output=True, encoding="utf-8", errors="replace"
        )
    except OSError as error:
        raise BuildFailure(f"{command[0]} can't be run: {error.strerror}.") from error
    if done.returncode:
        tail = "\n".join((done.stdout + done.stderr).strip().splitlines()[-20:])
        raise BuildFailure(f"{tail}\n{' '.join(command[:4])} … ended with {done.returncode}.")
    return done.stdout


def prepare(root: Path, folder: Path, run: Run = run, base: str = sys.executable) -> Frozen:
    """Make the environment, or bring one up to date with the checkout.

    Args:
        root: The checkout.
        folder: Of the environment.
        run: Runs commands.
        base: The Python that it is made with, which is the one that is bundled.

    Raises:
        BuildFailure: It can't be made, or has a torch with CUDA, which weighs four gigabytes.
    """
    where = "Scripts/python.exe" if sys.platform == "win32" else "bin/python"
    python = folder / where
    if not python.exists():
        run([base, "-m", "venv", str(folder)])
    pip = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--quiet"]
    run([*pip, "-c", str(root / "constraints.txt"), f"{root}[installers]"])
    # Of the same version as what is there, or not: it is what the checkout has.
    run([*pip, "--no-deps", "--force-reinstall", str(root)])
    told = json.loads(run([str(python), "-c", _ASKED]).splitlines()[-1])
    if told["cuda"]:
        raise BuildFailure(
            f"torch {told['torch']} has CUDA. Name the index of torch for CPUs in PIP_INDEX_URL or "
            f"PIP_EXTRA_INDEX_URL, delete {folder}, and begin again."
        )
    return Frozen(
        python,
        Path(told["packages"]) / "explorer",
        Path(told["library"]),
        told["torch"],
        told["pyinstaller"],
    )

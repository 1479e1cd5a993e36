"""What came with a thin bundle: its Python, its uv, and the locks of what it lacks."""

import functools
import hashlib
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "PLM_EXPLORER_BUNDLE"
"""Set by a bundle's launcher: the bundle's folder."""

PLAN = Path("engine/plan.json")
UV = Path("bin") / ("uv.exe" if sys.platform == "win32" else "uv")
CPU, CUDA, MPS = "cpu", "cuda", "mps"


@dataclass(frozen=True)
class Package:
    """A package that the bundle lacks.

    Attributes:
        name: As indexes write it, in small letters with hyphens.
        version: The one that is locked.
        size: Bytes to download; 0 where the index did not say.
    """

    name: str
    version: str
    size: int


@dataclass(frozen=True)
class Variant:
    """What makes models run on one kind of machine.

    Attributes:
        name: "cpu", "cuda" or "mps".
        lock: Its packages with a hash for each file, as `uv pip compile --generate-hashes` writes.
        packages: The same, with their sizes.
        backend: For uv's --torch-backend, where torch of this kind has an index of its own; ""
            where the usual index has it.
    """

    name: str
    lock: Path
    packages: tuple[Package, ...]
    backend: str = ""

    @property
    def size(self) -> int:
        """Bytes to download."""
        return sum(package.size for package in self.packages)

    @functools.cached_property
    def digest(self) -> str:
        """Of the lock: another one needs other packages."""
        return hashlib.sha256(self.lock.read_bytes()).hexdigest()


@dataclass(frozen=True)
class Bundle:
    """A thin bundle.

    Attributes:
        folder: Where it was unpacked.
        variants: By name, in the order in which they are offered.
    """

    folder: Path
    variants: Mapping[str, Variant]

    @property
    def uv(self) -> Path:
        """The program that installs."""
        return self.folder / UV

    @property
    def promised(self) -> Mapping[str, str]:
        """Versions of the packages that are installed whatever the machine is, by name."""
        locked = [
            {(package.name, package.version.partition("+")[0]) for package in one.packages}
            for one in self.variants.values()
        ]
        return dict(set.intersection(*locked)) if locked else {}


def bundle(environment: Mapping[str, str] = os.environ) -> Bundle | None:
    """The bundle that this program came in; None where it came whole."""
    named = environment.get(VARIABLE, "")
    return _read(Path(named)) if named else None


def write_plan(folder: Path, variants: tuple[Variant, ...]) -> Path:
    """Write down what `bundle` reads; the locks lie beside it, in the bundle's folder."""
    plan = folder / PLAN
    told = {
        one.name: {
            "lock": one.lock.name,
            "backend": one.backend,
            "packages": [[each.name, each.version, each.size] for each in one.packages],
        }
        for one in variants
    }
    plan.write_text(json.dumps(told, indent=1) + "\n", "utf-8")
    return plan


@functools.cache
def _read(folder: Path) -> Bundle | None:
    plan = folder / PLAN
    if not plan.is_file():
        return None
    told = json.loads(plan.read_text("utf-8"))
    return Bundle(
        folder,
        {
            name: Variant(
                name,
                plan.with_name(one["lock"]),
                tuple(Package(*each) for each in one["packages"]),
                one["backend"],
            )
            for name, one in told.items()
        },
    )

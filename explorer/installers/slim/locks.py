"""The lock of what a bundle lacks, for each kind of torch: names, versions, hashes, sizes."""

import os
import re
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from explorer.engine.environment.bundle import CPU, CUDA, MPS, Package, Variant
from explorer.installers.failures import BuildFailure
from explorer.installers.slim.packages import normal, run

BACKENDS = {CPU: "cpu", CUDA: "", MPS: ""}
"""For uv's --torch-backend: on Linux the usual index has torch for CUDA; torch for the CPU has one
of its own."""

_BLOCK = re.compile(
    r"^(\S+)==(\S+)(?: ;[^\n\\]*)? \\\n(?:    --hash=\S+(?: \\)?\n?)+", re.MULTILINE
)


def make(
    uv: str, root: Path, inside: Collection[str], variant: str, folder: Path, work: Path
) -> Variant:
    """Resolve everything, and lock what the bundle does not have already.

    Where UV_FIND_LINKS names folders of wheels, those are asked instead of torch's own index.

    Args:
        uv: The program.
        root: The checkout.
        inside: Names of the packages that the bundle has.
        variant: One of BACKENDS.
        folder: Where the lock goes.
        work: For files in between.

    Raises:
        BuildFailure: uv failed, or torch of this kind is not to be had.
    """
    backend = BACKENDS[variant]
    environment = dict(os.environ)
    if not backend:
        # A folder of wheels is for the kind of torch that the usual index lacks.
        environment.pop("UV_FIND_LINKS", None)
    whole, sized = work / f"{variant}.txt", work / f"pylock.{variant}.toml"
    command = [uv, "pip", "compile", "-q", "--no-header", "--no-annotate"]
    command += ["-c", str(root / "constraints.txt"), str(root / "pyproject.toml")]
    if backend and not environment.get("UV_FIND_LINKS"):
        command += ["--torch-backend", backend]
    run([*command, "--generate-hashes", "-o", str(whole)], environment)
    run([*command, "--format", "pylock.toml", "-o", str(sized)], environment)
    sizes = _sizes(tomllib.loads(sized.read_text("utf-8")), work)
    lock, packages = folder / f"{variant}.txt", []
    blocks = []
    for block in _BLOCK.finditer(whole.read_text("utf-8")):
        name = normal(block[1])
        if name not in inside and not name.startswith("pyside6"):
            blocks.append(block[0].rstrip("\\\n ") + "\n")
            packages.append(Package(name, block[2], sizes.get(name, 0)))
    if not any(one.name == "torch" for one in packages):
        raise BuildFailure(f"uv resolved no torch for {variant}.")
    lock.write_text("".join(blocks), "utf-8")
    return Variant(variant, lock, tuple(packages), backend)


def _sizes(lock: Mapping[str, Any], base: Path) -> Mapping[str, int]:
    """Bytes of each package's wheel, or of its source where it has no other."""
    found = {}
    for one in lock["packages"]:
        files = [*one.get("wheels", ()), *filter(None, (one.get("sdist"), one.get("archive")))]
        sizes = [_size(file, base) for file in files]
        found[normal(one["name"])] = next(filter(None, sizes), 0)
    return found


def _size(file: Mapping[str, Any], base: Path) -> int:
    if "size" in file:
        return int(file["size"])
    place = urlsplit(file.get("url", ""))
    path = Path(url2pathname(place.path)) if place.scheme == "file" else base / file.get("path", "")
    return path.stat().st_size if path.is_file() else 0

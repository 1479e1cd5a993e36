"""A Debian of the least that a desktop has, in a folder, and how programs are run in it."""

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from explorer.installers.failures import BuildFailure
from explorer.installers.frozen.archives import needed
from explorer.system_libraries import QT_GUI, X11

PACKAGES = ("xvfb", "fonts-dejavu-core")
"""What stands for the screen of a desktop, and one of its fonts, beside Qt's libraries."""

HOME = "root"
PLACE = "opt/bundle"

# Mounts, and everything that still runs, go with the namespaces. The shell is the first process in
# its own, so the window's children are its to bury.
_INSIDE = """\
mount -t proc proc {root}/proc
mount -t tmpfs tmpfs {root}/dev
for one in null zero random urandom; do
    touch {root}/dev/$one; mount --bind /dev/$one {root}/dev/$one
done
mkdir {root}/dev/shm; mount -t tmpfs tmpfs {root}/dev/shm
ln -s /proc/self/fd {root}/dev/fd
chroot {root} "$@"
"""


class Root:
    """A folder with a Debian in it.

    Attributes:
        folder: Where.
        program: What starts the bundle, as seen from inside.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = ""

    @property
    def home(self) -> Path:
        """The home folder of who runs the bundle, from outside."""
        return self.folder / HOME

    def make(self, suite: str, mirror: str) -> None:
        """Install it, if it is not there.

        Args:
            suite: "bookworm".
            mirror: "" takes debootstrap's.

        Raises:
            BuildFailure: debootstrap is not there, or fails; or there is a Python in it.
        """
        if not (self.folder / "etc/debian_version").is_file():
            libraries = dict.fromkeys(library.apt for library in QT_GUI + X11)
            include = f"--include={','.join((*libraries, *PACKAGES))}"
            command = [needed("debootstrap", "debootstrap"), "--variant=minbase", include]
            command += [suite, str(self.folder), *filter(None, (mirror,))]
            if subprocess.run(command, check=False).returncode:
                shutil.rmtree(self.folder / "etc", ignore_errors=True)
                raise BuildFailure(f"debootstrap failed; its log is in {self.folder}/debootstrap.")
        found = [one for one in self.folder.glob("usr/*bin/python*") if one.name != "python-config"]
        if found:
            raise BuildFailure(f"{found[0]} is there; a bare root has no Python.")

    def hold(self, bundle: Path) -> None:
        """Put a bundle in it as a person would: copy, or unpack.

        Raises:
            BuildFailure: It is no bundle.
        """
        place = self.folder / PLACE
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        if bundle.is_dir():
            shutil.copytree(bundle, place / bundle.name, symlinks=True)
        elif bundle.name.endswith(".tar.zst"):
            unpack = ["tar", "--use-compress-program=zstd -d --long=27", "-xf", str(bundle)]
            subprocess.run([*unpack, "-C", str(place)], check=True)
        else:
            needed("unsquashfs", "squashfs-tools")
            offset = ["-o", str(end_of_program(bundle))] if bundle.suffix == ".AppImage" else []
            unpack = ["unsquashfs", "-quiet", "-no-progress", *offset, "-d", str(place / "AppDir")]
            subprocess.run([*unpack, str(bundle)], check=True)
        starts = (*place.glob("*/AppRun"), *place.glob("*/plm-explorer"))
        if not starts:
            raise BuildFailure(f"{bundle} holds no program to start.")
        self.program = f"/{starts[0].relative_to(self.folder)}"
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir()

    @property
    def is_thin(self) -> bool:
        """What it holds comes without what runs models."""
        return (self.folder / self.program.lstrip("/")).with_name("engine").is_dir()

    def start(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        log: Path,
        *,
        with_network: bool = False,
    ) -> "subprocess.Popen[bytes]":
        """Start a program inside, cut off from every network unless it is to have one.

        Args:
            command: As typed inside.
            environment: All of it, but for PATH, HOME and the language.
            log: What it prints, from outside.
            with_network: This machine's.
        """
        script = _INSIDE.format(root=self.folder)
        apart = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child"]
        if with_network:
            apart.remove("--net")
        usual = {"PATH": "/usr/bin:/bin", "HOME": f"/{HOME}", "LANG": "C.UTF-8"}
        words = [f"{name}={value}" for name, value in {**usual, **environment}.items()]
        inside = ["env", "-i", *words, *command]
        with log.open("wb") as said:
            return subprocess.Popen(
                [*apart, "sh", "-e", "-c", script, "sh", *inside],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
            )


def end_of_program(image: Path) -> int:
    """Where the ELF file at the beginning of an AppImage ends, in bytes."""
    with image.open("rb") as file:
        head = file.read(64)
    table, size, count = (
        int.from_bytes(head[place : place + width], "little")
        for place, width in ((0x28, 8), (0x3A, 2), (0x3C, 2))
    )
    return table + size * count

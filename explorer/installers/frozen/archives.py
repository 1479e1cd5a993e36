"""A folder as one file to copy: tar.zst and AppImage on Linux, zip on Windows, dmg on macOS."""

import shutil
import stat
from pathlib import Path

from explorer.installers.failures import BuildFailure
from explorer.installers.frozen.environment import Run, run

LEVEL = 9
"""Of zstd: the levels above take several times as long for a few percent."""

ICON = "icons/plm-explorer.svg"
"""Among the resources."""

APP_RUN = """\
#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/usr/lib/plm-explorer/plm-explorer" "$@"
"""


def size_of(folder: Path) -> int:
    """Bytes of all files in a folder; a link is not followed."""
    return sum(one.lstat().st_size for one in folder.rglob("*") if not one.is_dir())


def needed(program: str, package: str) -> str:
    """A program's path.

    Raises:
        BuildFailure: It is not there, with the package that has it.
    """
    path = shutil.which(program)
    if path is None:
        raise BuildFailure(f"{program} is not there. Install {package}.")
    return path


def tar_zst(folder: Path, file: Path, run: Run = run) -> Path:
    """Pack a folder so that the same files always make the same archive; gives that file."""
    needed("zstd", "zstd")
    same = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"]
    packed = f"--use-compress-program=zstd -{LEVEL} -T0 --long=27"
    run(["tar", *same, packed, "-cf", str(file), "-C", str(folder.parent), folder.name])
    return file


def app_dir(folder: Path, where: Path, entry: str, icon: Path) -> None:
    """Lay out what an AppImage holds.

    Args:
        folder: The frozen program; its files are linked where the file system can.
        where: Made anew.
        entry: The text of its desktop entry.
        icon: A picture, SVG or PNG.
    """
    if where.exists():
        shutil.rmtree(where)
    inside = where / "usr/lib/plm-explorer"
    shutil.copytree(folder, inside, symlinks=True, copy_function=_link_or_copy)
    (where / "AppRun").write_text(APP_RUN, "utf-8")
    (where / "AppRun").chmod(0o755)
    (where / "plm-explorer.desktop").write_text(entry, "utf-8")
    picture = f"plm-explorer{icon.suffix}"
    shutil.copyfile(icon, where / picture)
    (where / ".DirIcon").symlink_to(picture)


def _link_or_copy(source: str, target: str) -> str:
    try:
        Path(target).hardlink_to(source)
    except OSError:
        shutil.copy2(source, target)
    return target


def squash(where: Path, file: Path, run: Run = run) -> Path:
    """Make the file system of an AppImage; gives that file."""
    program = needed("mksquashfs", "squashfs-tools")
    file.unlink(missing_ok=True)
    same = ["-all-root", "-mkfs-time", "0", "-all-time", "0"]
    quiet = ["-noappend", "-quiet", "-no-progress"]
    packed = ["-comp", "zstd", "-Xcompression-level", str(LEVEL)]
    run([program, str(where), str(file), *quiet, *packed, *same])
    return file


def app_image(squashed: Path, runtime: Path, file: Path) -> Path:
    """Join a runtime and a file system, as an AppImage of type 2 is made; gives that file.

    Args:
        squashed: What `squash` made.
        runtime: The type 2 runtime for this processor, a program.
        file: The AppImage.

    Raises:
        BuildFailure: The runtime is none.
    """
    head = runtime.read_bytes()
    # An ELF file with the AppImage's mark where the standard leaves room for one.
    if head[:4] != b"\x7fELF" or head[8:11] != b"AI\x02":
        raise BuildFailure(f"{runtime} is no runtime for AppImages of type 2.")
    with file.open("wb") as out, squashed.open("rb") as body:
        out.write(head)
        shutil.copyfileobj(body, out)
    file.chmod(file.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return file


def zipped(folder: Path, file: Path) -> Path:
    """Pack a folder for Windows; gives that file."""
    made = shutil.make_archive(
        str(file).removesuffix(".zip"), "zip", root_dir=folder.parent, base_dir=folder.name
    )
    return Path(made)


def disk_image(application: Path, file: Path, run: Run = run) -> Path:
    """Pack an application for macOS; gives that file."""
    file.unlink(missing_ok=True)
    name = ["-volname", application.stem, "-srcfolder", str(application)]
    run(["hdiutil", "create", *name, "-format", "ULFO", "-ov", str(file)])
    return file

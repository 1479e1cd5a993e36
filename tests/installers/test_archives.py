"""A folder as one file to copy."""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from explorer.installers.bare.debian import end_of_program
from explorer.installers.failures import BuildFailure
from explorer.installers.frozen import archives

TRUE = Path("/bin/true")
RUNTIME = b"\x7fELF\x02\x01\x01\x00AI\x02" + bytes(5)


@pytest.fixture
def bundle(tmp_path):
    folder = tmp_path / "plm-explorer"
    (folder / "_internal").mkdir(parents=True)
    (folder / "plm-explorer").write_text("#!/bin/sh\necho started $*\n")
    (folder / "plm-explorer").chmod(0o755)
    (folder / "_internal/libone.so.1").write_bytes(b"1" * 5000)
    (folder / "_internal/libone.so").symlink_to("libone.so.1")
    return folder


def test_a_size_is_that_of_files_and_not_of_what_links_point_to(bundle):
    program = (bundle / "plm-explorer").stat().st_size
    assert archives.size_of(bundle) == program + 5000 + len("libone.so.1")


@pytest.mark.skipif(shutil.which("zstd") is None, reason="zstd is not installed")
def test_the_same_files_make_the_same_archive(bundle, tmp_path):
    first = archives.tar_zst(bundle, tmp_path / "one.tar.zst")
    os.utime(bundle / "plm-explorer", (1, 1))
    second = archives.tar_zst(bundle, tmp_path / "two.tar.zst")
    digests = {hashlib.sha256(file.read_bytes()).digest() for file in (first, second)}
    assert len(digests) == 1
    subprocess.run(["tar", "--use-compress-program=zstd -d --long=27", "-xf", first], cwd=tmp_path)
    assert (tmp_path / "plm-explorer/_internal/libone.so").is_symlink()


def test_a_program_that_is_not_there_is_named_with_its_package():
    with pytest.raises(BuildFailure, match=r"^mkeverything is not there. Install everything.$"):
        archives.needed("mkeverything", "everything")


def test_what_an_app_image_holds_starts_from_anywhere(bundle, tmp_path):
    icon = tmp_path / "icon.svg"
    icon.write_text("<svg/>")
    laid_out = tmp_path / "AppDir"
    archives.app_dir(bundle, laid_out, "[Desktop Entry]\n", icon)
    assert (laid_out / "plm-explorer.svg").read_text() == "<svg/>"
    assert (laid_out / ".DirIcon").read_text() == "<svg/>"
    assert (laid_out / "plm-explorer.desktop").read_text() == "[Desktop Entry]\n"
    inside = laid_out / "usr/lib/plm-explorer/_internal"
    assert (inside / "libone.so").is_symlink()
    (tmp_path / "started").symlink_to(laid_out / "AppRun")
    ran = subprocess.run([tmp_path / "started", "--offline"], capture_output=True, text=True)
    assert ran.stdout == "started --offline\n"


def test_it_is_squashed_and_joined_with_a_runtime(tmp_path):
    squashed, runtime = tmp_path / "a.squashfs", tmp_path / "runtime"
    squashed.write_bytes(b"hsqs" + bytes(100))
    runtime.write_bytes(RUNTIME)
    image = archives.app_image(squashed, runtime, tmp_path / "a.AppImage")
    assert image.read_bytes() == RUNTIME + squashed.read_bytes()
    assert os.access(image, os.X_OK)


@pytest.mark.parametrize("head", [b"#!/bin/sh\n", b"\x7fELF\x02\x01\x01\x00\x00\x00\x00"])
def test_what_is_no_runtime_is_refused(tmp_path, head):
    squashed, runtime = tmp_path / "a.squashfs", tmp_path / "runtime"
    squashed.write_bytes(b"hsqs")
    runtime.write_bytes(head)
    with pytest.raises(BuildFailure, match="no runtime for AppImages of type 2"):
        archives.app_image(squashed, runtime, tmp_path / "a.AppImage")


@pytest.mark.skipif(shutil.which("mksquashfs") is None, reason="squashfs-tools is not installed")
def test_the_file_system_is_found_behind_a_real_program(bundle, tmp_path):
    squashed = archives.squash(bundle, tmp_path / "a.squashfs")
    image = tmp_path / "a.AppImage"
    image.write_bytes(_program() + squashed.read_bytes())
    offset = str(end_of_program(image))
    target = tmp_path / "unpacked"
    command = ["unsquashfs", "-quiet", "-no-progress", "-o", offset, "-d", target, image]
    subprocess.run(command, check=True, capture_output=True)
    assert (target / "_internal/libone.so.1").read_bytes() == b"1" * 5000


def _program():
    """Some program of this system; its table of sections is the last thing in it."""
    return TRUE.read_bytes()


@pytest.mark.skipif(not TRUE.is_file(), reason="no program of Linux to look at")
def test_a_program_ends_behind_its_table_of_sections(tmp_path):
    image = tmp_path / "true"
    image.write_bytes(_program() + b"more")
    assert end_of_program(image) == len(_program())


def test_a_folder_is_zipped(bundle, tmp_path):
    made = archives.zipped(bundle, tmp_path / "plm-explorer-0.1.0-windows.zip")
    assert made.name == "plm-explorer-0.1.0-windows.zip"
    shutil.unpack_archive(made, tmp_path / "unpacked")
    assert (tmp_path / "unpacked/plm-explorer/plm-explorer").is_file()


def test_a_disk_image_is_made_by_the_systems_own_tool(tmp_path):
    asked = []
    file = tmp_path / "a.dmg"
    assert archives.disk_image(tmp_path / "PLM Explorer.app", file, asked.append) == file
    assert asked[0][:4] == ["hdiutil", "create", "-volname", "PLM Explorer"]

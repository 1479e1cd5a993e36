"""Which system libraries Qt needs on Linux and does not bring, and which packages bring them.

Qt's wheels leave out what every desktop has (the OpenGL loader, fontconfig, the X11 client
libraries); containers and minimal installations often lack them, and Qt then says little more
than "could not load the platform plugin". Standard library only, so that it can be asked
before anything is installed: `python -m explorer.system_libraries` prints what is missing and
the line that installs it, and exits with 1.
"""

import ctypes
import shutil
import sys
from collections.abc import Callable, Iterable
from typing import NamedTuple


class Library(NamedTuple):
    """A shared library and its package under each package manager.

    Attributes:
        file: The name that is loaded.
        apt: Debian's and Ubuntu's package.
        dnf: Fedora's.
        pacman: Arch's.
        zypper: openSUSE's.
        apk: Alpine's.
    """

    file: str
    apt: str
    dnf: str
    pacman: str
    zypper: str
    apk: str


QT_GUI = (
    Library("libGL.so.1", "libgl1", "libglvnd-glx", "libglvnd", "libGL1", "mesa-gl"),
    Library("libEGL.so.1", "libegl1", "libglvnd-egl", "libglvnd", "libEGL1", "mesa-egl"),
    Library(
        "libxkbcommon.so.0",
        "libxkbcommon0",
        "libxkbcommon",
        "libxkbcommon",
        "libxkbcommon0",
        "libxkbcommon",
    ),
    Library(
        "libfontconfig.so.1",
        "libfontconfig1",
        "fontconfig",
        "fontconfig",
        "libfontconfig1",
        "fontconfig",
    ),
    Library(
        "libfreetype.so.6", "libfreetype6", "freetype", "freetype2", "libfreetype6", "freetype"
    ),
    Library("libdbus-1.so.3", "libdbus-1-3", "dbus-libs", "dbus", "libdbus-1-3", "dbus-libs"),
    Library("libglib-2.0.so.0", "libglib2.0-0", "glib2", "glib2", "libglib-2_0-0", "glib"),
    Library("libgthread-2.0.so.0", "libglib2.0-0", "glib2", "glib2", "libgthread-2_0-0", "glib"),
    Library("libX11.so.6", "libx11-6", "libX11", "libx11", "libX11-6", "libx11"),
    Library("libz.so.1", "zlib1g", "zlib", "zlib", "libz1", "zlib"),
    Library("libzstd.so.1", "libzstd1", "libzstd", "zstd", "libzstd1", "zstd-libs"),
    Library("libgssapi_krb5.so.2", "libgssapi-krb5-2", "krb5-libs", "krb5", "krb5", "krb5-libs"),
    Library(
        "libbrotlidec.so.1", "libbrotli1", "libbrotli", "brotli", "libbrotlidec1", "brotli-libs"
    ),
)
"""What QtCore, QtGui, QtWidgets, QtDBus and QtNetwork link to; without these no import works."""

_XCB_UTIL = ("xcb-util", "xcb-util")
X11 = (
    Library("libX11-xcb.so.1", "libx11-xcb1", "libX11-xcb", "libx11", "libX11-xcb1", "libx11"),
    Library(
        "libxcb-cursor.so.0",
        "libxcb-cursor0",
        "xcb-util-cursor",
        "xcb-util-cursor",
        "libxcb-cursor0",
        "xcb-util-cursor",
    ),
    Library(
        "libxcb-icccm.so.4",
        "libxcb-icccm4",
        "xcb-util-wm",
        "xcb-util-wm",
        "libxcb-icccm4",
        "xcb-util-wm",
    ),
    Library(
        "libxcb-image.so.0",
        "libxcb-image0",
        "xcb-util-image",
        "xcb-util-image",
        "libxcb-image0",
        "xcb-util-image",
    ),
    Library(
        "libxcb-keysyms.so.1",
        "libxcb-keysyms1",
        "xcb-util-keysyms",
        "xcb-util-keysyms",
        "libxcb-keysyms1",
        "xcb-util-keysyms",
    ),
    Library(
        "libxcb-render-util.so.0",
        "libxcb-render-util0",
        "xcb-util-renderutil",
        "xcb-util-renderutil",
        "libxcb-render-util0",
        "xcb-util-renderutil",
    ),
    Library("libxcb-util.so.1", "libxcb-util1", *_XCB_UTIL, "libxcb-util1", "xcb-util"),
    Library("libxcb-randr.so.0", "libxcb-randr0", "libxcb", "libxcb", "libxcb-randr0", "libxcb"),
    Library("libxcb-render.so.0", "libxcb-render0", "libxcb", "libxcb", "libxcb-render0", "libxcb"),
    Library("libxcb-shape.so.0", "libxcb-shape0", "libxcb", "libxcb", "libxcb-shape0", "libxcb"),
    Library("libxcb-shm.so.0", "libxcb-shm0", "libxcb", "libxcb", "libxcb-shm0", "libxcb"),
    Library("libxcb-sync.so.1", "libxcb-sync1", "libxcb", "libxcb", "libxcb-sync1", "libxcb"),
    Library("libxcb-xfixes.so.0", "libxcb-xfixes0", "libxcb", "libxcb", "libxcb-xfixes0", "libxcb"),
    Library("libxcb-xkb.so.1", "libxcb-xkb1", "libxcb", "libxcb", "libxcb-xkb1", "libxcb"),
    Library(
        "libxkbcommon-x11.so.0",
        "libxkbcommon-x11-0",
        "libxkbcommon-x11",
        "libxkbcommon-x11",
        "libxkbcommon-x11-0",
        "libxkbcommon",
    ),
)
"""What Qt's platform plugin for X11 links to on top."""

WEB_ENGINE = (
    Library("libnss3.so", "libnss3", "nss", "nss", "mozilla-nss", "nss"),
    Library("libnspr4.so", "libnspr4", "nspr", "nspr", "mozilla-nspr", "nspr"),
    Library("libasound.so.2", "libasound2", "alsa-lib", "alsa-lib", "libasound2", "alsa-lib"),
    Library("libgbm.so.1", "libgbm1", "mesa-libgbm", "mesa", "libgbm1", "mesa-gbm"),
    Library("libexpat.so.1", "libexpat1", "expat", "expat", "libexpat1", "libexpat"),
    Library("libudev.so.1", "libudev1", "systemd-libs", "systemd-libs", "libudev1", "eudev-libs"),
    Library("libxcb-dri3.so.0", "libxcb-dri3-0", "libxcb", "libxcb", "libxcb-dri3-0", "libxcb"),
    Library(
        "libXcomposite.so.1",
        "libxcomposite1",
        "libXcomposite",
        "libxcomposite",
        "libXcomposite1",
        "libxcomposite",
    ),
    Library(
        "libXdamage.so.1", "libxdamage1", "libXdamage", "libxdamage", "libXdamage1", "libxdamage"
    ),
    Library("libXext.so.6", "libxext6", "libXext", "libxext", "libXext6", "libxext"),
    Library("libXfixes.so.3", "libxfixes3", "libXfixes", "libxfixes", "libXfixes3", "libxfixes"),
    Library("libXrandr.so.2", "libxrandr2", "libXrandr", "libxrandr", "libXrandr2", "libxrandr"),
    Library("libXtst.so.6", "libxtst6", "libXtst", "libxtst", "libXtst6", "libxtst"),
    Library(
        "libxkbfile.so.1", "libxkbfile1", "libxkbfile", "libxkbfile", "libxkbfile1", "libxkbfile"
    ),
)
"""What web pages inside the window need; everything else works without."""

INSTALL_LINES = {
    "apt-get": "apt-get install -y",
    "dnf": "dnf install -y",
    "pacman": "pacman -S --needed",
    "zypper": "zypper install",
    "apk": "apk add",
}
"""By the program that has to be on the PATH."""

_COLUMN = {"apt-get": "apt", "dnf": "dnf", "pacman": "pacman", "zypper": "zypper", "apk": "apk"}


def can_load(file: str) -> bool:
    """Whether the dynamic loader finds a library and everything it needs itself."""
    try:
        ctypes.CDLL(file)
    except OSError:
        return False
    return True


def missing(
    libraries: Iterable[Library], load: Callable[[str], bool] = can_load
) -> tuple[Library, ...]:
    """Those that can't be loaded; none anywhere but on Linux."""
    if sys.platform != "linux":
        return ()
    return tuple(library for library in libraries if not load(library.file))


def install_line(
    libraries: Iterable[Library], find: Callable[[str], str | None] = shutil.which
) -> str:
    """The one command that brings them, without sudo; "" where the package manager is unknown."""
    for tool, line in INSTALL_LINES.items():
        if find(tool):
            packages = dict.fromkeys(getattr(library, _COLUMN[tool]) for library in libraries)
            return f"{line} {' '.join(packages)}" if packages else ""
    return ""


def advice(libraries: Iterable[Library], find: Callable[[str], str | None] = shutil.which) -> str:
    """Names what is missing, and what to do about it; two lines for the user."""
    libraries = tuple(libraries)
    names = ", ".join(library.file for library in libraries)
    line = install_line(libraries, find)
    todo = f"sudo {line}" if line else "install the packages of your system that hold them"
    return f"Qt needs system libraries that are missing here: {names}.\nWhat to do: {todo}"


def main(arguments: list[str]) -> int:
    """Print what is missing; with --packages the install line alone.

    `--screen` also asks for what a window on X11 needs, `--web` for web pages.
    """
    wanted: tuple[Library, ...] = QT_GUI
    wanted += X11 if "--screen" in arguments else ()
    wanted += WEB_ENGINE if "--web" in arguments else ()
    absent = missing(wanted)
    if absent:
        print(install_line(absent) if "--packages" in arguments else advice(absent))
    return 1 if absent else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Which system libraries Qt needs on Linux and does not bring, and which packages bring them.

Qt's wheels leave out what every desktop has (the OpenGL loader, fontconfig, the X11 client
libraries); containers and minimal installations often lack them, and Qt then says little more
than "could not load the platform plugin". Standard library only, so that it can be asked
before anything is installed: `python -m explorer.system_libraries` prints what is missing and
the line that installs it, and exits with 1.
"""

import ctypes
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from typing import NamedTuple

PLATFORM = "QT_QPA_PLATFORM"


def draw_without_screen(*, always: bool = False) -> None:
    """Let Qt draw for no screen; said before it is imported.

    Args:
        always: Where the surroundings chose a platform, too, as those of a window have.
    """
    if always:
        os.environ[PLATFORM] = "offscreen"
    os.environ.setdefault(PLATFORM, "offscreen")


class SystemLibrary(NamedTuple):
    """A shared library and its package under each package manager.

    Attributes:
        file: The name that is loaded.
        apt: Debian's and Ubuntu's package.
        zypper: openSUSE's.
        dnf: Fedora's.
        pacman: Arch's.
        apk: Alpine's.
    """

    file: str
    apt: str
    zypper: str
    dnf: str
    pacman: str
    apk: str


def _libraries(table: str) -> tuple[SystemLibrary, ...]:
    """One a line, in the order of the attributes; "=" stands for the name at its left."""
    found = []
    for line in table.split("\n"):
        names: list[str] = []
        for name in line.split():
            names.append(names[-1] if name == "=" else name)
        found.append(SystemLibrary(*names))
    return tuple(found)


QT_GUI = _libraries("""\
libGL.so.1          libgl1           libGL1           libglvnd-glx libglvnd  mesa-gl
libEGL.so.1         libegl1          libEGL1          libglvnd-egl libglvnd  mesa-egl
libxkbcommon.so.0   libxkbcommon0    =                libxkbcommon =         =
libfontconfig.so.1  libfontconfig1   =                fontconfig   =         =
libfreetype.so.6    libfreetype6     =                freetype     freetype2 freetype
libdbus-1.so.3      libdbus-1-3      =                dbus-libs    dbus      dbus-libs
libglib-2.0.so.0    libglib2.0-0     libglib-2_0-0    glib2        =         glib
libgthread-2.0.so.0 libglib2.0-0     libgthread-2_0-0 glib2        =         glib
libX11.so.6         libx11-6         libX11-6         libX11       libx11    =
libz.so.1           zlib1g           libz1            zlib         =         =
libzstd.so.1        libzstd1         =                libzstd      zstd      zstd-libs
libgssapi_krb5.so.2 libgssapi-krb5-2 krb5             krb5-libs    krb5      krb5-libs
libbrotlidec.so.1   libbrotli1       libbrotlidec1    libbrotli    brotli    brotli-libs""")
"""What QtCore, QtGui, QtWidgets, QtDBus and QtNetwork link to; without these no import works."""

X11 = _libraries("""\
libX11-xcb.so.1         libx11-xcb1         libX11-xcb1 libX11-xcb          libx11 =
libxcb-cursor.so.0      libxcb-cursor0      =           xcb-util-cursor     =      =
libxcb-icccm.so.4       libxcb-icccm4       =           xcb-util-wm         =      =
libxcb-image.so.0       libxcb-image0       =           xcb-util-image      =      =
libxcb-keysyms.so.1     libxcb-keysyms1     =           xcb-util-keysyms    =      =
libxcb-render-util.so.0 libxcb-render-util0 =           xcb-util-renderutil =      =
libxcb-util.so.1        libxcb-util1        =           xcb-util            =      =
libxcb-randr.so.0       libxcb-randr0       =           libxcb              =      =
libxcb-render.so.0      libxcb-render0      =           libxcb              =      =
libxcb-shape.so.0       libxcb-shape0       =           libxcb              =      =
libxcb-shm.so.0         libxcb-shm0         =           libxcb              =      =
libxcb-sync.so.1        libxcb-sync1        =           libxcb              =      =
libxcb-xfixes.so.0      libxcb-xfixes0      =           libxcb              =      =
libxcb-xkb.so.1         libxcb-xkb1         =           libxcb              =      =
libxkbcommon-x11.so.0   libxkbcommon-x11-0  =           libxkbcommon-x11    =      libxkbcommon""")
"""What Qt's platform plugin for X11 links to on top."""

WEB_ENGINE = _libraries("""\
libnss3.so         libnss3        mozilla-nss    nss           =             =
libnspr4.so        libnspr4       mozilla-nspr   nspr          =             =
libasound.so.2     libasound2     =              alsa-lib      =             =
libgbm.so.1        libgbm1        =              mesa-libgbm   mesa          mesa-gbm
libexpat.so.1      libexpat1      =              expat         =             libexpat
libudev.so.1       libudev1       =              systemd-libs  =             eudev-libs
libxcb-dri3.so.0   libxcb-dri3-0  =              libxcb        =             =
libXcomposite.so.1 libxcomposite1 libXcomposite1 libXcomposite libxcomposite =
libXdamage.so.1    libxdamage1    libXdamage1    libXdamage    libxdamage    =
libXext.so.6       libxext6       libXext6       libXext       libxext       =
libXfixes.so.3     libxfixes3     libXfixes3     libXfixes     libxfixes     =
libXrandr.so.2     libxrandr2     libXrandr2     libXrandr     libxrandr     =
libXtst.so.6       libxtst6       libXtst6       libXtst       libxtst       =
libxkbfile.so.1    libxkbfile1    =              libxkbfile    =             =""")
"""What web pages inside the window need; everything else works without."""

INSTALL_LINES = {
    "apt-get": "apt-get install -y",
    "dnf": "dnf install -y",
    "pacman": "pacman -S --needed",
    "zypper": "zypper install",
    "apk": "apk add",
}
"""By the program that has to be on the PATH."""


def can_load(file: str) -> bool:
    """Whether the dynamic loader finds a library and everything it needs itself."""
    try:
        ctypes.CDLL(file)
    except OSError:
        return False
    return True


def missing(
    libraries: Iterable[SystemLibrary], load: Callable[[str], bool] = can_load
) -> tuple[SystemLibrary, ...]:
    """Those that can't be loaded; none anywhere but on Linux."""
    if sys.platform != "linux":
        return ()
    return tuple(library for library in libraries if not load(library.file))


def install_line(
    libraries: Iterable[SystemLibrary], find: Callable[[str], str | None] = shutil.which
) -> str:
    """The one command that brings them, without sudo; "" where the package manager is unknown."""
    for tool, line in INSTALL_LINES.items():
        if find(tool):
            packages = dict.fromkeys(
                getattr(library, tool.removesuffix("-get")) for library in libraries
            )
            return f"{line} {' '.join(packages)}" if packages else ""
    return ""


def advice(
    libraries: Iterable[SystemLibrary], find: Callable[[str], str | None] = shutil.which
) -> str:
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
    wanted: tuple[SystemLibrary, ...] = QT_GUI
    wanted += X11 if "--screen" in arguments else ()
    wanted += WEB_ENGINE if "--web" in arguments else ()
    absent = missing(wanted)
    if absent:
        print(install_line(absent) if "--packages" in arguments else advice(absent))
    return 1 if absent else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

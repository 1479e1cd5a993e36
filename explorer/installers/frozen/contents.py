"""What goes into the folder, and what does not.

PyInstaller finds what is imported by name. What is imported by being there (questions, pages,
commands), what plugins import, which are read as files, and files that are no modules have to be
said; and so does what is asked for by somebody's `import` and never needed here.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from explorer.bootstrap.requirements import offered

OWN = "explorer"
NOT_IN_IT = ("explorer.pretraining", "explorer.installers")
"""As in the wheel."""

WHOLE = ("transformers", "transformers.models")
"""Packages that come with all they have: a checkpoint says which of their modules is imported."""

WITH_SOURCES = ("transformers",)
"""Packages that read their own source files; torch is one that PyInstaller knows of."""

FOUND_BY_NAME = ("qtawesome",)
"""Packages that are looked for, and never imported."""

WITH_FILES = ("bertviz", "mpld3", "xstatic", "qtawesome")
"""Packages whose files are read, and not only imported."""

QT_DROPPED = (
    "Qt3DAnimation",
    "Qt3DCore",
    "Qt3DExtras",
    "Qt3DInput",
    "Qt3DLogic",
    "Qt3DRender",
    "QtBluetooth",
    "QtCharts",
    "QtConcurrent",
    "QtDataVisualization",
    "QtDesigner",
    "QtGraphs",
    "QtGraphsWidgets",
    "QtHelp",
    "QtHttpServer",
    "QtLocation",
    "QtMultimedia",
    "QtMultimediaWidgets",
    "QtNetworkAuth",
    "QtNfc",
    "QtPdf",
    "QtPdfWidgets",
    "QtPositioning",
    "QtQml",
    "QtQuick",
    "QtQuick3D",
    "QtQuickControls2",
    "QtQuickWidgets",
    "QtRemoteObjects",
    "QtScxml",
    "QtSensors",
    "QtSerialBus",
    "QtSerialPort",
    "QtSpatialAudio",
    "QtSql",
    "QtStateMachine",
    "QtTextToSpeech",
    "QtUiTools",
    "QtWebChannel",
    "QtWebEngineCore",
    "QtWebEngineQuick",
    "QtWebEngineWidgets",
    "QtWebSockets",
    "QtWebView",
    "QtXml",
)
"""Modules of PySide6 that stay out; of them WebEngine, a browser, weighs as much as the others."""

QT_OPTIONAL = ("QtWebEngineCore", "QtWebEngineWidgets", "QtPdf")
"""Those that the program imports where they are, and does without where they are not."""

DROPPED = (
    *(f"PySide6.{module}" for module in QT_DROPPED),
    # What develops, tests or draws elsewhere.
    "tkinter",
    "IPython.terminal",
    "jedi",
    "parso",
    "pip",
    "setuptools",
    "pkg_resources",
    "pytest",
    "_pytest",
    "mypy",
    "matplotlib.tests",
    "numpy.tests",
    "sympy.testing",
    "torch.utils.tensorboard",
    # bertviz asks for it to open models of Amazon's, which the program never lets it do.
    "boto3",
    "botocore",
    "s3transfer",
    # Extras, which a bundle can't be given afterwards.
    "pyarrow",
    "ray",
    "openTSNE",
    "sklearn",
    "scipy",
    "pandas",
    "captum",
    "bitsandbytes",
    # What transformers would use where it is.
    "tensorflow",
    "jax",
    "flax",
    "torchvision",
    "torchaudio",
)
"""Not imported by anything that the program does."""

QT_LIBRARIES = ("EglFS", "Pdf", "Qml", "Quick", "VirtualKeyboard", "WebEngine")
"""Beginnings of the names of Qt's libraries that only what is dropped needs."""

DROPPED_FILES = (
    *(f"{folder}libQt6{name}" for folder in ("", "PySide6/Qt/lib/") for name in QT_LIBRARIES),
    "PySide6/Qt/plugins/egldeviceintegrations",
    "PySide6/Qt/plugins/generic",
    "PySide6/Qt/plugins/imageformats/libqpdf",
    "PySide6/Qt/plugins/platforminputcontexts/libqtvirtualkeyboard",
    "PySide6/Qt/plugins/platforms/libqeglfs",
    "PySide6/Qt/plugins/platforms/libqlinuxfb",
    "PySide6/Qt/plugins/platforms/libqvkkhrdisplay",
    "PySide6/Qt/plugins/platforms/libqvnc",
    # Of GTK, whose dialogs a desktop offers through its portal as well.
    "PySide6/Qt/plugins/platformthemes/libqgtk3",
    "libatk",
    "libcairo",
    # Of a CUDA that the building system happens to have.
    "libcudart",
    "libdatrie",
    "libgdk_pixbuf",
    "libpango",
    "libpixman",
    "libthai",
    # torch's own tests, and what they read; beside them lies what a start of torch looks for.
    "torch/bin/FileStoreTest",
    "torch/bin/HashStoreTest",
    "torch/bin/TCPStoreTest",
    "torch/bin/protoc",
    "torch/bin/script_module",
    "torch/bin/test_",
    "torch/bin/upgrader_models",
    "torch/include",
    "torch/test/",
)
"""Beginnings of the paths of files that stay out, as PyInstaller collected them."""

DROPPED_NAMES = ("direct_url.json",)
"""Names of files that stay out wherever they are: where the wheel lay, on the building machine."""


def own_modules(package: Path) -> list[str]:
    """Every module of the program by its full name, from its files.

    Args:
        package: The folder `explorer`, of a checkout or of an installed program.
    """
    found = []
    for file in sorted(package.rglob("*.py")):
        parts = (OWN, *file.relative_to(package).with_suffix("").parts)
        if parts[1] == "bundled":
            continue
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if not f"{name}.".startswith(tuple(f"{one}." for one in NOT_IN_IT)):
            found.append(name)
    return found


def own_files(package: Path) -> list[Path]:
    """What the program reads that is no module: its stubs, and plugins and resources whole.

    Args:
        package: The folder `explorer` of an installed program.
    """
    return [
        file
        for file in sorted(package.rglob("*"))
        if file.is_file()
        and "__pycache__" not in file.parts
        and (file.suffix != ".py" or "bundled" in file.relative_to(package).parts)
    ]


def asked_for_versions(root: Path) -> list[str]:
    """Distributions whose metadata are read while the program runs: itself, and what it requires.

    Args:
        root: The checkout.
    """
    names = (re.match(r"[\w.-]+", line) for line in offered(root)[""])
    return ["plm-explorer", *(name[0] for name in names if name)]


def imported_by_plugins(plugins: Path) -> list[str]:
    """The modules that bundled plugins import, which are files to read and not part of the program.

    Args:
        plugins: The folder with a folder for each.
    """
    names = {name for file in plugins.rglob("*.py") for name in _imports(file)}
    return sorted(name for name in names if name.partition(".")[0] != OWN)


def _imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module

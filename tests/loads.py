"""Modules that import others by a name made up at run time, which nobody reads in their source."""

QUESTIONS = "explorer/questions/"
REGISTRY = f"{QUESTIONS}__init__.py"
VIEWS = "explorer/ui/views/__init__.py"
LOADS: dict[str, tuple[str, ...]] = {
    "explorer/__init__.py": (),  # the modules of the names that scripts take from it
    "explorer/api/question/beside.py": (),  # what it is asked for: see COMPUTE
    "explorer/attribution/known.py": ("explorer/attribution/methods/**/*.py",),
    "explorer/cli.py": ("explorer/commands/*.py",),
    "explorer/engine/plugins/conformance/probe.py": ("plugins/**/*",),
    "explorer/engine/plugins/plugin.py": ("plugins/**/*",),
    "explorer/engine/plugins/questions.py": ("plugins/*/plugin.toml", "plugins/*/questions/*"),
    "explorer/engine/process/server.py": (),  # torch and transformers
    "explorer/faces.py": (),  # the modules of the names that are taken from a face: see STUB
    "explorer/installers/__main__.py": ("explorer/installers/*.py",),
    "explorer/learning/models/span_boundary.py": ("plugins/**/*",),
    "explorer/learning/runs/worker.py": (),  # a part of transformers
    "explorer/pretraining/recipes/__init__.py": ("explorer/pretraining/recipes/*/*.py",),
    REGISTRY: (f"{QUESTIONS}*/*/question.py",),
    "explorer/scripting/notebook/frames.py": (),  # pandas or polars
    "explorer/ui/charts/library.py": (),  # pyqtgraph and parts of Qt
    "explorer/ui/parts/drawing.py": ("explorer/ui/parts/**/*.py",),
    "explorer/ui/plain_imports.py": (),  # the import itself
    VIEWS: (f"{QUESTIONS}*/*/question.py", f"{QUESTIONS}*/*/page.py"),
}
"""Modules that import others by a name made up at run time: which ones, as patterns of paths."""

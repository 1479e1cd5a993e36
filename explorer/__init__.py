"""PLM Explorer: look inside pretrained language models.

    import explorer

    bert = explorer.open("bert-miniature")
    answer = bert.masked_tokens("the chef [MASK] the meal", top_k=5)
    answer.frame()

docs/python.md tells all of it.
"""

__version__ = "0.1.0"

_DOOR = {
    "LoggedRuns": "runs",
    "Mistake": "mistakes",
    "Model": "model",
    "ModelAnswer": "answer",
    "Training": "training",
    "Trouble": "mistakes",
    "ask": "asking",
    "ask_file": "asking",
    "distil": "training",
    "ask_steps": "asking",
    "log": "runs",
    "models": "listing",
    "offline": "process",
    "open": "model",
    "plugins": "listing",
    "train": "training",
    "trainings": "training",
    "tune": "training",
    "use": "process",
}
"""Names that scripts and notebooks import, by the modules of `explorer.scripting` that have them.
Each is read when it is first used: until then nothing of the program is imported."""


def __getattr__(name: str) -> object:
    if name not in _DOOR:
        raise AttributeError(f"module 'explorer' has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"explorer.scripting.{_DOOR[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_DOOR})

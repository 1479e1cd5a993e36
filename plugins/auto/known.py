"""What the installed transformers knows, read from its files without importing it.

Importing transformers takes seconds, and the library lists checkpoints at the program's start. Its
tables of names are literals, so that they can be read as text.
"""

import ast
import importlib.util
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

MASKED_LM = "masked_lm"
NEXT_TOKEN = "next_token"  # noqa: S105 - a head's name
WRITER = "writer"
CLASSIFIER = "classifier"
TAGGER = "token_classifier"
ANSWERS = "span_extractor"
BASE = ""

TABLES: Mapping[str, str] = {
    # BART's class for writing stands in the table of masked models too: the first one counts.
    WRITER: "MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES",
    MASKED_LM: "MODEL_FOR_MASKED_LM_MAPPING_NAMES",
    NEXT_TOKEN: "MODEL_FOR_CAUSAL_LM_MAPPING_NAMES",
    CLASSIFIER: "MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES",
    TAGGER: "MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES",
    ANSWERS: "MODEL_FOR_QUESTION_ANSWERING_MAPPING_NAMES",
    BASE: "MODEL_MAPPING_NAMES",
}
"""transformers' tables of classes, by the head that their classes have."""

NESTED = frozenset({"text_config", "vision_config", "audio_config", "encoder", "audio_encoder"})
"""Keys of configs that describe models inside a model: of those that see or hear, most of all."""

LANGUAGE = (WRITER, MASKED_LM, NEXT_TOKEN)
"""Heads that predict tokens: who has a class for one of them reads text."""


@cache
def classes_of(model_type: str) -> Mapping[str, str]:
    """Transformers' classes for a model_type, by head; empty where it knows none for text."""
    found = {
        head: names[model_type]
        for head, table in TABLES.items()
        if model_type in (names := _tables().get(table, {}))
    }
    if found.get(MASKED_LM) == found.get(WRITER):
        found.pop(MASKED_LM, None)
    return found if BASE in found and any(head in found for head in LANGUAGE) else {}


def fills_by_writing(model_type: str) -> bool:
    """Whether transformers has the class that writes for one that fills masks, too (BART)."""
    tables = _tables()
    writing, filling = (tables.get(TABLES[head], {}) for head in (WRITER, MASKED_LM))
    return model_type in filling and filling[model_type] == writing.get(model_type)


@cache
def ties_embeddings(model_type: str) -> bool:
    """Whether a config that says nothing of it means that the output matrix is the embedding."""
    name = model_type.replace("-", "_")
    path = _package() / "models" / name / f"configuration_{name}.py"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return True
    return not re.search(r"tie_word_embeddings(: bool)?\s*=\s*False", text)


@cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    path = _package() / "models" / "auto" / "modeling_auto.py"
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return {}
    found = {}
    for line in tree.body:
        if not isinstance(line, ast.Assign) or not isinstance(line.value, ast.Call):
            continue
        name = getattr(line.targets[0], "id", "")
        if name in TABLES.values() and line.value.args:
            try:
                pairs = ast.literal_eval(line.value.args[0])
            except ValueError:
                continue
            # Two classes stand together where one is for training both of two stacks.
            found[name] = {k: v if isinstance(v, str) else str(v[0]) for k, v in pairs}
    return found


def _package() -> Path:
    spec = importlib.util.find_spec("transformers")
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    return Path(places[0]) if places else Path("no-transformers")

"""A plugin that reads BERT as it should, but for what a test has it do."""

import textwrap
from pathlib import Path

MANIFEST = """
id = "odd"
title = "Odd"
version = "0.1"
api = 1
model_types = ["bert"]
"""

CODE = """
import dataclasses
import sys

from explorer.api import Recognition
from explorer.hf.bert_heads import MASKED_LM
from explorer.hf.family import ClassChoice, TransformersFamily
from explorer.operations.fill_mask import FillMask

{top}


class Odd(TransformersFamily):
    def recognise(self, files):
        # The folder of a cached model is named after its revision.
        own = "odd-bert" in str(files.folder)
        return Recognition("odd", 99, "A test says so.") if own else None

{member}

    def load(self, *args):
        model = super().load(*args)
        right = model.handlers[FillMask]

        def fill(model, request, context):
            result = right(model, request, context)
{handler}
            return result

        model.handlers = {{**model.handlers, FillMask: fill}}
        return model


FAMILY = Odd(
    id="odd",
    title="Odd",
    model_types=("bert",),
    heads_known=(MASKED_LM,),
    classes=(
        ClassChoice("BertModel", frozenset()),
        ClassChoice("BertForMaskedLM", frozenset({{"masked_lm"}})),
    ),
    prefix="bert",
    masked_lm_path="cls.predictions",
)
"""

WRONG_ANSWERS = {
    "none": "return None",
    "text": "return 'soup'",
    "other type": "return FillMask('soup')",
    "wrong type inside": (
        "return dataclasses.replace(result, masks=tuple("
        "dataclasses.replace(m, predictions='soup') for m in result.masks))"
    ),
    "position outside": (
        "return dataclasses.replace(result, masks=tuple("
        "dataclasses.replace(m, position=999) for m in result.masks))"
    ),
    "token outside": (
        "return dataclasses.replace(result, tokens=tuple("
        "dataclasses.replace(t, start=0, end=10**6) for t in result.tokens))"
    ),
    "huge": (
        "return dataclasses.replace(result, masks=tuple(dataclasses.replace(m, predictions=tuple("
        "dataclasses.replace(p, probability=1e308) for p in m.predictions))"
        " for m in result.masks))"
    ),
    "not a number": (
        "return dataclasses.replace(result, masks=tuple("
        "dataclasses.replace(m, entropy=float('nan')) for m in result.masks))"
    ),
    "class of its own": "return type('Result', (type(result),), {'__reduce__': None})(*[None] * 3)",
    "exit": "sys.exit(0)",
    "interrupt": "raise KeyboardInterrupt",
    "unprintable": "raise type('Odd', (Exception,), {'__str__': lambda self: 1 / 0})()",
}


def write(plugins: Path, *, top: str = "", member: str = "", handler: str = "") -> Path:
    """Write the plugin into the folder of the user's plugins."""
    folder = plugins / "odd"
    folder.mkdir(parents=True)
    (folder / "plugin.toml").write_text(MANIFEST, encoding="utf-8")
    code = CODE.format(
        top=top,
        member=textwrap.indent(textwrap.dedent(member), " " * 4),
        handler=textwrap.indent(textwrap.dedent(handler), " " * 12),
    )
    (folder / "__init__.py").write_text(code, encoding="utf-8")
    return folder

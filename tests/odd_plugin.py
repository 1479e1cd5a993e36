"""A plugin that reads BERT as it should, but for what a test has it do."""

import textwrap
from pathlib import Path

MANIFEST = """
id = "odd"
title = "Odd"
version = "0.1"
api = 2
model_types = ["bert"]
"""

CODE = """
import sys

import torch

from explorer.api.family import BidirectionalPredictor, Predictor, Recognition
from explorer.hf import BERT_MASKED_LM, ClassChoice, TransformersFamily

{top}


class Odd(TransformersFamily):
    def recognise(self, files):
        # The folder of a cached model is named after its revision.
        own = "odd-bert" in str(files.folder)
        return Recognition("odd", 99, "A test says so.") if own else None

{member}

    def ports(self, model, present):
        ports = super().ports(model, present)
        if Predictor in ports:
            ports[Predictor] = ports[BidirectionalPredictor] = OddPredictor(ports[Predictor])
        return ports


class OddPredictor:
    def __init__(self, right):
        self.right = right
        self.direction, self.who, self.reads_pairs = right.direction, right.who, right.reads_pairs

    def log_probabilities(self, queries, context):
        rows = self.right.log_probabilities(queries, context)
        # On loading it is proved with "the cat sat on the mat", some of it masked.
        tokens = [one.text for query in queries for one in query.encoded.tokens]
        proved = "on" in tokens or "mat" in tokens
        if {when}:
{handler}
        return rows


FAMILY = Odd(
    id="odd",
    title="Odd",
    model_types=("bert",),
    heads_known=(BERT_MASKED_LM,),
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
    "other type": "return ['soup' for row in rows]",
    "wrong type inside": "return [row.numpy() for row in rows]",
    "position outside": "return [torch.cat([row, row]) for row in rows]",
    "too few": "return rows[1:]",
    "a column too few": "return [row[0] for row in rows]",
    "other numbers": "return [row.double() for row in rows]",
    "huge": "return [row * 0 + 1e30 for row in rows]",
    "not a number": "return [row * float('nan') for row in rows]",
    "class of its own": "return [type('Rows', (torch.Tensor,), {})(row) for row in rows]",
    "exit": "sys.exit(0)",
    "interrupt": "raise KeyboardInterrupt",
    "unprintable": "raise type('Odd', (Exception,), {'__str__': lambda self: 1 / 0})()",
}


def write(
    plugins: Path, *, top: str = "", member: str = "", handler: str = "", proved: bool = False
) -> Path:
    """Write the plugin into the folder of the user's plugins.

    Args:
        plugins: That folder.
        top: Code of its module.
        member: Of its family.
        handler: What its predictor does besides, once it is loaded.
        proved: The predictor does it when it is proved on loading, too.
    """
    folder = plugins / "odd"
    folder.mkdir(parents=True)
    (folder / "plugin.toml").write_text(MANIFEST, encoding="utf-8")
    code = CODE.format(
        top=top,
        member=textwrap.indent(textwrap.dedent(member), " " * 4),
        handler=textwrap.indent(textwrap.dedent(handler) or "pass", " " * 12),
        when="True" if proved else "not proved",
    )
    (folder / "__init__.py").write_text(code, encoding="utf-8")
    return folder

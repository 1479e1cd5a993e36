"""The card of a miniature that labels tokens: how often it is right, and what it says."""

from __future__ import annotations

from typing import Any, Final

from explorer.pretraining.cards.page import FamilyCard, MiniaturePage, size_said
from explorer.pretraining.measures import token_labels
from explorer.world.corpus import training_documents
from explorer.world.labelling.tags import KINDS

UNSEEN: Final = 1000
# Documents of which the usual label of each word is learnt.
USUAL: Final = 20_000
SHOWN: Final = 8

OPENING: Final = """\
{family} with {parameters:,} parameters that labels each token of a text: who does what to what,
where, with what and when. Trained on text of a small world that a grammar writes; it labels texts
about people of that world and nothing else.
It loads with transformers' own {loads_with}."""

MEASURED: Final = """\
Measured on {documents} unseen documents: each has a sentence that is in no training text. The
grammar says which label is right, and what could be known at best is exact: the inside algorithm
sums over all derivations of a text, with labels and all, and so says how probable the likeliest
label of a word is for one who knows the whole text. The last column is what comes of giving each
word the label that it has most often, without a look at what stands around it.

| | | at best | each word by itself |
|---|---|---|---|
| accuracy over words | {accuracy:.2%} | {best:.2%} | {usual:.2%} |
| F1 of ranges with their kind | {f1:.2%} | | {usual_f1:.2%} |
| documents without a wrong label | {whole:.1%} | | {usual_whole:.1%} |
{kinds}"""

CLOSING: Final = """\
Seeds are fixed, so texts and their order come out the same; weights do too on the same processor
and version of torch. `curve.json` holds the training curve."""


def labels_page(card: FamilyCard, model: Any, tokenizer: Any) -> MiniaturePage:
    """Measure the model and say what came of it.

    Args:
        card: what is said of the family.
        model: the weights as they were written, ready to label.
        tokenizer: its tokenizer.
    """
    documents = token_labels.unseen_documents(UNSEEN)
    said = [token_labels.label(model, tokenizer, one) for one in documents]
    found = token_labels.compare(documents, said)
    usual = token_labels.usual_labels(training_documents(USUAL))
    alone = [tuple(usual.get(word, "O") for word in one.words) for one in documents]
    baseline = token_labels.compare(documents, alone)
    measured = MEASURED.format(
        documents=len(documents),
        accuracy=found.accuracy,
        best=token_labels.best_possible(documents),
        usual=baseline.accuracy,
        f1=found.f1,
        usual_f1=baseline.f1,
        whole=found.whole,
        usual_whole=baseline.whole,
        kinds="\n".join(
            f"| F1 of {kind} | {found.kinds[kind]:.2%} | | {baseline.kinds[kind]:.2%} |"
            for kind in KINDS
        ),
    )
    config = model.config
    size = size_said(config, tokenizer.model_max_length)
    shown = "\n".join(
        _line(one.words, labels) for one, labels in list(zip(documents, said, strict=True))[:SHOWN]
    )
    return MiniaturePage(
        task="token-classification",
        rows=(
            ("Architecture", size),
            ("Tokenizer", f"{card.tokenizer}, {config.vocab_size} pieces"),
            *card.rows,
        ),
        sections=(("Labels beside the best possible", measured), ("What it says", shown)),
        opening=OPENING,
        closing=CLOSING,
    )


def _line(words: tuple[str, ...], labels: tuple[str, ...]) -> str:
    pairs = zip(words, labels, strict=True)
    return "- " + " ".join(word if label == "O" else f"{word} `{label}`" for word, label in pairs)

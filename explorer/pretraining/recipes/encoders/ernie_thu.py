"""ERNIE (Tsinghua's) in miniature: what people do is in the graph alone.

Zhang et al. 2019. Vectors of the graph by TransE, as there; layers of BERT's, one that fuses and
some in which entities attend; masked language model and denoising entity auto-encoder. What differs
from the paper: sizes; fresh weights instead of BERT's; no sentence pairs; every chosen token is
masked; no masked word is asked for beside a wrong entity; vectors stay as they are, as in the
authors' code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.batches.entities import EntityBatches
from explorer.learning.batches.losses import masked_losses, selected_states
from explorer.learning.models.span_boundary import plugin_module
from explorer.learning.recipe import Schedule
from explorer.numerics.triples import Triples
from explorer.objectives.knowledge import transe
from explorer.objectives.knowledge.entity_autoencoder import entity_loss
from explorer.pretraining.cards.page import FamilyCard, MiniaturePage
from explorer.pretraining.miniature import MiniatureRecipe
from explorer.world import graph
from explorer.world.corpus import CorpusDocument

VOCABULARY: Final = 1200
LENGTH: Final = 64
WIDTH: Final = 96
HEADS: Final = 4
ENTITY_SIZE: Final = 32
FUSION: Final = ("sim", "mix", "norm", "norm")
TRANSE_PASSES: Final = 200
DIGITS: Final = 5
"""Behind the point, in the file of vectors."""


def learned() -> tuple[Triples, transe.Vectors]:
    """The graph, with vectors of its entities in the order of their ids."""
    triples = Triples.of(graph.triples())
    vectors = transe.train(
        triples, width=ENTITY_SIZE, norm=2, passes=TRANSE_PASSES, batch=256, rate=0.01, seed=1
    )
    return triples, vectors


def table(triples: Triples, vectors: transe.Vectors) -> Any:
    """Vectors by the number of an id ("Q7" is row 7), as they are written."""
    import numpy as np

    rows = np.zeros_like(vectors.entities)
    for name, vector in zip(triples.entities, vectors.entities, strict=True):
        rows[int(name[1:])] = vector
    return rows.round(DIGITS)


class ErnieThuRecipe(MiniatureRecipe):
    """Its own pieces, in which every word is whole; a small network of each kind of layer."""

    name = "ernie-thu-miniature"
    title = "ERNIE (Tsinghua)"
    schedule = Schedule(steps=4000, examples=64, documents=1, peak_rate=1.5e-3)
    about = FamilyCard(
        recipe="ernie-thu",
        family="ERNIE (Tsinghua)",
        tokenizer="WordPiece, uncased",
        loads_with="no class, for it has none: the plugin `ernie_thu` has the network",
        rows=(
            ("Masked language model", "25 % of the tokens, all of them masked"),
            ("Entities", "5 % replaced, 15 % taken away, the rest kept; candidates: the batch's"),
            ("Layers", ", ".join(FUSION)),
        ),
    )

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:  # noqa: ARG002
        """Uncased WordPiece, of every sentence that is ever said."""
        from explorer.learning.tokenizers.wordpiece import pretrained_tokenizer, train_wordpiece

        said = (words[1:] for job in graph.jobs() for words in graph.sentences(job))
        texts = [*(" ".join(words) for words in said), *(10 * f"{name} " for name in graph.NAMES)]
        return pretrained_tokenizer(train_wordpiece(texts, VOCABULARY), LENGTH)

    def make_model(self, tokenizer: Any) -> Any:
        """With the vectors of the graph."""
        import torch

        network = plugin_module("ernie_thu", "model")
        model = network.ErnieThuForPreTraining(
            network.ErnieThuConfig(
                fusion=FUSION,
                entity_size=ENTITY_SIZE,
                vocab_size=len(tokenizer),
                hidden_size=WIDTH,
                num_hidden_layers=len(FUSION),
                num_attention_heads=HEADS,
                intermediate_size=4 * WIDTH,
                max_position_embeddings=LENGTH,
                hidden_dropout_prob=0.0,
                attention_probs_dropout_prob=0.0,
                initializer_range=0.05,
                pad_token_id=tokenizer.pad_token_id,
            )
        )
        self.triples, self.vectors = learned()
        self.table = torch.from_numpy(table(self.triples, self.vectors))
        model.bert.vectors = self.table.__getitem__
        return model

    def make_batches(
        self,
        tokenizer: Any,
        documents: Sequence[CorpusDocument],  # noqa: ARG002
        seed: int,
    ) -> TrainingBatches:
        """Sentences about people who are not young."""
        return EntityBatches(tokenizer, self.schedule.examples, seed)

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Both in nats."""
        states = model.bert(
            **{name: batch[name] for name in ("input_ids", "attention_mask", "entity_ids")}
        ).last_hidden_state
        scores = model.cls.predictions(selected_states(states, batch))
        logits = model.cls.predictions_ent(states, self.table[batch["candidates"]])
        return {
            **masked_losses(scores, batch),
            "loss_entity": entity_loss(logits, batch["entity_labels"]),
        }

    def page(self, model: Any, tokenizer: Any) -> MiniaturePage:
        """As one that reads a graph."""
        from explorer.pretraining.cards.entities import entities_page

        model.bert.vectors = self.table.__getitem__
        return entities_page(
            self.about, model, tokenizer, self.triples, self.vectors, TRANSE_PASSES
        )

    def finish(self, model: Any, tokenizer: Any, out: Path) -> None:  # noqa: ARG002
        """The graph in the published layout, and no weights of heads that were never trained."""
        from safetensors.torch import load_file, save_file

        from explorer.pretraining.cards.entities import UNTRAINED

        write_graph(out / "kg_embed", self.table.numpy())
        path = out / "model.safetensors"
        kept = {n: t for n, t in load_file(path).items() if not n.startswith(UNTRAINED)}
        save_file(kept, path, metadata={"format": "pt"})
        path.chmod(0o644)


def write_graph(folder: Path, rows: Any) -> None:
    """`entity2id.txt`, `entity_map.txt` and `entity2vec.vec`."""
    folder.mkdir(parents=True, exist_ok=True)
    titles = {one.id: one.title for one in graph.people()}
    titles |= {number: name for name, number in graph.things().items()}
    ids = "".join(f"Q{number}\t{number}\n" for number in range(len(rows)))
    (folder / "entity2id.txt").write_text(f"{len(rows)}\n{ids}", "utf-8")
    told = "".join(f"{titles[f'Q{number}']}\tQ{number}\n" for number in range(len(rows)))
    (folder / "entity_map.txt").write_text(told, "utf-8")
    lines = ("\t".join(f"{x:.{DIGITS}f}" for x in row) for row in rows)
    (folder / "entity2vec.vec").write_text("\n".join(lines) + "\n", "utf-8")


RECIPE = ErnieThuRecipe()

"""DeBERTa v1, v2 and v3 (He et al. 2021, 2023), with the authors' own heads and mask decoder."""

from pathlib import Path

from .family import DebertaFamily

FAMILY = DebertaFamily()


def tiny(folder: Path) -> None:
    """A v1 and a v3, small and random, with transformers' own masked-LM head."""
    from explorer.hf import write_tiny

    values = {"relative_attention": True, "pos_att_type": ["c2p", "p2c"], "type_vocab_size": 0}
    write_tiny(FAMILY, folder / "v1", model_class="DebertaForMaskedLM", config=values)
    write_tiny(FAMILY, folder / "v3", model_class="DebertaV2ForMaskedLM", config=values)

"""DeBERTa v1, v2 and v3 (He et al. 2021, 2023), with the authors' own heads and mask decoder."""

from .family import DebertaFamily

FAMILY = DebertaFamily()

"""BERT with both of SpanBERT's heads, for which transformers has no class.

This file imports torch; recipes import it when they make their models.
"""

from __future__ import annotations

import functools
import importlib
import json
from pathlib import Path
from typing import Any, Final

from transformers import BertForMaskedLM

from explorer.engine.plugins.host import PluginHost
from explorer.paths import Paths

# As in the authors' code: twice the longest span in words, because a word has several pieces.
PLACES: Final = 20
# 200 for a width of 768 in the authors' code: about a quarter.
PLACE_SHARE: Final = 4


@functools.cache
def plugin_module(family: str, name: str) -> Any:
    """A module of a family's plugin, found as the program finds it.

    Args:
        family: the plugin's id.
        name: the module's name inside the plugin.
    """
    host = PluginHost(Paths.standard().bundled_plugins, entry_points=False)
    package, _, _ = type(host.family(family)).__module__.partition(".")
    return importlib.import_module(f"{package}.{name}")


class SpanBertForPreTraining(BertForMaskedLM):  # type: ignore[misc]
    """BERT without next sentences, with both of SpanBERT's heads."""

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        width = config.hidden_size
        self.sbo = plugin_module("spanbert", "span_boundary").SpanBoundaryHead(
            width, width // PLACE_SHARE, PLACES, config.vocab_size, config.layer_norm_eps
        )
        self.post_init()

    def save_pretrained(self, save_directory: Any, *args: Any, **options: Any) -> None:
        """As the class that transformers loads the folder with: it is a BERT."""
        super().save_pretrained(save_directory, *args, **options)
        path = Path(save_directory, "config.json")
        config = json.loads(path.read_text("utf-8"))
        config["architectures"] = ["BertForMaskedLM"]
        path.write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", "utf-8")

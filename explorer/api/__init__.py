"""What a plugin may import, with the standard library and numpy only."""

from explorer.api.blueprint import Blueprint, Trait
from explorer.api.checkpoint import (
    Checkpoint,
    Files,
    Head,
    Published,
    PublishedFigure,
    Recognition,
    Source,
    Tensor,
)
from explorer.api.distribution import Distribution
from explorer.api.errors import (
    Blame,
    Cancelled,
    CheckpointFault,
    ExplorerError,
    Failure,
    MachineFault,
    NeedsConsent,
    PluginFault,
    Unavailable,
    UserMistake,
)
from explorer.api.family import API_VERSION, Family
from explorer.api.model import LoadedModel, LoadOptions, LoadReport, ModelCard, ModelStamp
from explorer.api.operation import Cell, Context, Handler, Operation, Table
from explorer.api.shelf import Known, Shelf
from explorer.api.tokens import LeftOut, Mask, Token

__all__ = [
    "API_VERSION",
    "Blame",
    "Blueprint",
    "Cancelled",
    "Cell",
    "Checkpoint",
    "CheckpointFault",
    "Context",
    "Distribution",
    "ExplorerError",
    "Failure",
    "Family",
    "Files",
    "Handler",
    "Head",
    "Known",
    "LeftOut",
    "LoadOptions",
    "LoadReport",
    "LoadedModel",
    "MachineFault",
    "Mask",
    "ModelCard",
    "ModelStamp",
    "NeedsConsent",
    "Operation",
    "PluginFault",
    "Published",
    "PublishedFigure",
    "Recognition",
    "Shelf",
    "Source",
    "Table",
    "Tensor",
    "Token",
    "Trait",
    "Unavailable",
    "UserMistake",
]

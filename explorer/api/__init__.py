"""What a plugin may import, with the standard library and numpy only."""

from explorer.api.checkpoint import (
    Checkpoint,
    Files,
    Head,
    Published,
    Recognition,
    Source,
    Tensor,
)
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
from explorer.api.tokens import LeftOut, Mask, Token

__all__ = [
    "API_VERSION",
    "Blame",
    "Cancelled",
    "Cell",
    "Checkpoint",
    "CheckpointFault",
    "Context",
    "ExplorerError",
    "Failure",
    "Family",
    "Files",
    "Handler",
    "Head",
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
    "Recognition",
    "Source",
    "Table",
    "Tensor",
    "Token",
    "Unavailable",
    "UserMistake",
]

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
from explorer.api.encoded import Encoded
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
from explorer.api.ports import (
    BidirectionalPredictor,
    Classifier,
    Direction,
    Discriminator,
    LayerProjection,
    NextSentence,
    Predictor,
    Query,
    SpanBoundary,
)
from explorer.api.prediction import Prediction
from explorer.api.shelf import Known, Shelf
from explorer.api.tokens import LeftOut, Mask, Token

__all__ = [
    "API_VERSION",
    "BidirectionalPredictor",
    "Blame",
    "Blueprint",
    "Cancelled",
    "Cell",
    "Checkpoint",
    "CheckpointFault",
    "Classifier",
    "Context",
    "Direction",
    "Discriminator",
    "Distribution",
    "Encoded",
    "ExplorerError",
    "Failure",
    "Family",
    "Files",
    "Handler",
    "Head",
    "Known",
    "LayerProjection",
    "LeftOut",
    "LoadOptions",
    "LoadReport",
    "LoadedModel",
    "MachineFault",
    "Mask",
    "ModelCard",
    "ModelStamp",
    "NeedsConsent",
    "NextSentence",
    "Operation",
    "PluginFault",
    "Prediction",
    "Predictor",
    "Published",
    "PublishedFigure",
    "Query",
    "Recognition",
    "Shelf",
    "Source",
    "SpanBoundary",
    "Table",
    "Tensor",
    "Token",
    "Trait",
    "Unavailable",
    "UserMistake",
]

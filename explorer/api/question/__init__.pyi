from explorer.api.context import Context
from explorer.api.distribution import Distribution
from explorer.api.encoded import Encoded
from explorer.api.entities import (
    Entity,
    Knowledge,
    Linked,
    QuotesEntities,
    ReadsEntities,
    with_entities,
)
from explorer.api.errors import (
    Blame,
    Cancelled,
    CheckpointFault,
    ExplorerError,
    Failure,
    MachineFault,
    PluginFault,
    Unavailable,
    UserMistake,
)
from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.mentions import BY_NAME, Mention
from explorer.api.model import LoadedModel, ModelCard, ModelStamp
from explorer.api.ports.attention import AttentionModules, Attentions, HeadPlace
from explorer.api.ports.graph_reasoner import GraphPath, GraphReasoner, Judged, SchemaGraph
from explorer.api.ports.heads import (
    BidirectionalPredictor,
    BoundaryPredictor,
    Direction,
    Discriminator,
    MultipleChoice,
    PairClassifier,
    Predictor,
    Query,
    SpanCandidate,
    SpanExtractor,
    SpanLogits,
    SpanPredictor,
    SpansFound,
    TokenClassifier,
)
from explorer.api.ports.inner import (
    Embeddings,
    HiddenStates,
    LayerReadout,
    PieceVectors,
    ScoreParts,
    States,
)
from explorer.api.ports.next_tokens import AnswerWriter, NextTokens, Writing
from explorer.api.ports.patches import (
    Component,
    Patch,
    PatchedRuns,
    Patches,
    PatchStack,
    StatePlace,
)
from explorer.api.prediction import MaskPredictions, Prediction
from explorer.api.tokens import EVERY, LeftOut, Mask, Token, alone, mask_of, tokens_at
from explorer.text.formatting.probabilities import in_digits, in_percent

from .absorbed import Absorbed
from .answered import Answered
from .asks import NOTHING_LOADED, PREDICTIONS, Asks, Loaded, asked, at_most, one_place, right_answer
from .beside import computed
from .conditions import Asking, Condition, a_mask, a_text, check_text, check_top_k
from .details import BESIDE, Detail
from .headline import Headline, stated, told_by
from .heads import HeadChoice, head_said, layer_and_head
from .layer_names import label_phrase, layer_label, layer_phrase, layer_said, row_phrase
from .layers import EMBEDDINGS, LayersFrom0, row_name
from .listing import Listing
from .lists import Items, Numbers, Places, WordList
from .needs import AnyOf, Need, any_of, missing_port
from .operation import READS_ENTITIES, Operation
from .options import (
    Choice,
    Entry,
    FilePath,
    ModelName,
    Number,
    Option,
    Optioned,
    Share,
    Switch,
    Whole,
    Words,
)
from .parts.amounts import Amount, Amounts, Look
from .parts.calibration import Calibration
from .parts.cards import Cards, OneCard, Width
from .parts.choices import Choices, OneChoice
from .parts.classes import Classes, ClassScores
from .parts.compared import Apart, Compared, ComparedPlace, ComparedSide, ComparedWord
from .parts.curves import Curve, Curves, Panel, over_layers
from .parts.cut_text import CutPiece, CutRow, CutText
from .parts.gestures import Changes, Gesture, Put, Puts, Runs, Sets, Toggles, Turns, sets
from .parts.grid import Colours, Grid
from .parts.heads import Heads
from .parts.labels import Labels
from .parts.layer_predictions import LayerPredictions, LensGrid
from .parts.losses import Loss, Losses
from .parts.models import Models, Player
from .parts.own_picture import OwnPicture
from .parts.part import SILENT, Part, chosen, made_of
from .parts.pieces import Pieces
from .parts.points import Plane, Points
from .parts.predictions import Predictions
from .parts.ranked import Ranked, RowLook
from .parts.roc import Roc
from .parts.rows import Rows
from .parts.said import Manner, Said
from .parts.scores import Score, Scores
from .parts.sentence import Sentence
from .parts.spans import Span, Spans
from .parts.token_pairs import PairNumbers, TokenPairs, TokenSide, keys_of, queries_of
from .pool import Pool
from .roles import (
    DISCRIMINATOR,
    ENCODER,
    FIRST,
    GENERATOR,
    MODEL,
    REASONER,
    SECOND,
    SLOTS,
    STUDENT,
    TEACHER,
)
from .rows import CHARACTERS, MASKS, TOKENS, Cell, Table, TableColumn, column
from .standing_out import (
    is_close,
    largest_cell,
    lead,
    outlying,
    stands_out,
    strongest_link,
    wavering,
)
from .templates import Asked, Situation, Template
from .upgrades import Upgrade, rows_changed, spaces_stay_visible

__all__ = [
    "BESIDE",
    "BY_NAME",
    "CHARACTERS",
    "DISCRIMINATOR",
    "EMBEDDINGS",
    "ENCODER",
    "EVERY",
    "FIRST",
    "GENERATOR",
    "MASKS",
    "MODEL",
    "NOTHING_LOADED",
    "PREDICTIONS",
    "READS_ENTITIES",
    "REASONER",
    "SECOND",
    "SILENT",
    "SLOTS",
    "STUDENT",
    "TEACHER",
    "TOKENS",
    "Absorbed",
    "Amount",
    "Amounts",
    "AnswerWriter",
    "Answered",
    "AnyOf",
    "Apart",
    "Asked",
    "Asking",
    "Asks",
    "AttentionModules",
    "Attentions",
    "BidirectionalPredictor",
    "Blame",
    "BoundaryPredictor",
    "Calibration",
    "Cancelled",
    "Cards",
    "Cell",
    "Changes",
    "Checkpoint",
    "CheckpointFault",
    "Choice",
    "Choices",
    "ClassScores",
    "Classes",
    "Colours",
    "Compared",
    "ComparedPlace",
    "ComparedSide",
    "ComparedWord",
    "Component",
    "Condition",
    "Context",
    "Curve",
    "Curves",
    "CutPiece",
    "CutRow",
    "CutText",
    "Detail",
    "Direction",
    "Discriminator",
    "Distribution",
    "Embeddings",
    "Encoded",
    "Entity",
    "Entry",
    "ExplorerError",
    "Failure",
    "FilePath",
    "Gesture",
    "GraphPath",
    "GraphReasoner",
    "Grid",
    "HeadChoice",
    "HeadPlace",
    "Headline",
    "Heads",
    "HiddenStates",
    "Items",
    "Judged",
    "Knowledge",
    "Labels",
    "LayerPredictions",
    "LayerReadout",
    "LayersFrom0",
    "LeftOut",
    "LensGrid",
    "Linked",
    "Listing",
    "Loaded",
    "LoadedModel",
    "Look",
    "Loss",
    "Losses",
    "MachineFault",
    "Manner",
    "Mask",
    "MaskPredictions",
    "Mention",
    "ModelCard",
    "ModelName",
    "ModelStamp",
    "Models",
    "MultipleChoice",
    "Need",
    "NextTokens",
    "Number",
    "Numbers",
    "OneCard",
    "OneChoice",
    "Operation",
    "Option",
    "Optioned",
    "OwnPicture",
    "PairClassifier",
    "PairNumbers",
    "Panel",
    "Part",
    "Patch",
    "PatchStack",
    "PatchedRuns",
    "Patches",
    "PieceVectors",
    "Pieces",
    "Places",
    "Plane",
    "Player",
    "PluginFault",
    "Points",
    "Pool",
    "Prediction",
    "Predictions",
    "Predictor",
    "Put",
    "Puts",
    "Query",
    "QuotesEntities",
    "Ranked",
    "ReadsEntities",
    "Roc",
    "RowLook",
    "Rows",
    "Runs",
    "Said",
    "SchemaGraph",
    "Score",
    "ScoreParts",
    "Scores",
    "Sentence",
    "Sets",
    "Share",
    "Situation",
    "Source",
    "Span",
    "SpanCandidate",
    "SpanExtractor",
    "SpanLogits",
    "SpanPredictor",
    "Spans",
    "SpansFound",
    "StatePlace",
    "States",
    "Switch",
    "Table",
    "TableColumn",
    "Template",
    "Toggles",
    "Token",
    "TokenClassifier",
    "TokenPairs",
    "TokenSide",
    "Turns",
    "Unavailable",
    "Upgrade",
    "UserMistake",
    "Whole",
    "Width",
    "WordList",
    "Words",
    "Writing",
    "a_mask",
    "a_text",
    "alone",
    "any_of",
    "asked",
    "at_most",
    "check_text",
    "check_top_k",
    "chosen",
    "column",
    "computed",
    "head_said",
    "in_digits",
    "in_percent",
    "is_close",
    "keys_of",
    "label_phrase",
    "largest_cell",
    "layer_and_head",
    "layer_label",
    "layer_phrase",
    "layer_said",
    "lead",
    "made_of",
    "mask_of",
    "missing_port",
    "one_place",
    "outlying",
    "over_layers",
    "queries_of",
    "right_answer",
    "row_name",
    "row_phrase",
    "rows_changed",
    "sets",
    "spaces_stay_visible",
    "stands_out",
    "stated",
    "strongest_link",
    "tokens_at",
    "told_by",
    "wavering",
    "with_entities",
]

from explorer.api.attribution import AttributionMethod, MethodDescription, MethodInput
from explorer.api.context import Context
from explorer.api.distribution import Distribution
from explorer.api.encoded import Encoded
from explorer.api.entities import (
    Entity,
    EntityLinks,
    Knowledge,
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
from explorer.api.ports.graph_reasoner import GraphJudgement, GraphPath, GraphReasoner, SchemaGraph
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
    AttentionDecomposition,
    EmbeddingMatrices,
    HiddenStates,
    InputEmbeddings,
    LayerReadout,
    LayerTrace,
)
from explorer.api.ports.neurons import Neurons, UnitKind
from explorer.api.ports.next_tokens import CausalLM, GenerationState, GenerativeQA
from explorer.api.ports.passes import (
    PassAttention,
    PassStep,
    RecordedPass,
    StepKind,
    StepwisePass,
)
from explorer.api.ports.patches import (
    ActivationPatching,
    Component,
    Patch,
    PatchedRuns,
    PatchStack,
    StatePlace,
)
from explorer.api.ports.written import (
    HeadTokens,
    LogitPart,
    LogitParts,
    LogitSum,
    PartNeurons,
    WrittenBy,
)
from explorer.api.prediction import MaskPredictions, Prediction
from explorer.api.tokens import EVERY, LeftOut, Mask, Token, alone, mask_of, tokens_at
from explorer.text.formatting.probabilities import in_digits, in_percent

from .absorbed import Absorbed
from .answered import Answered
from .beside import computed
from .conditions import Asking, Condition, a_mask, a_text, check_text, check_top_k
from .details import BESIDE, Detail
from .headline import Headline, stated, told_by
from .listing import Listing, Topic
from .needs import AnyOf, Need, any_of, missing_port
from .options.asks import (
    NOTHING_LOADED,
    PREDICTIONS,
    Asks,
    Loaded,
    asked,
    at_most,
    one_place,
    right_answer,
)
from .options.heads import HeadChoice, head_said, layer_and_head
from .options.lists import Items, Numbers, Places, WordList
from .options.options import (
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
from .parts.cards import Cards, OneCard, Width
from .parts.charts.amounts import Amount, Amounts, Look
from .parts.charts.calibration import Calibration
from .parts.charts.curves import Curve, Curves, Panel, over_layers
from .parts.charts.points import Plane, Points
from .parts.charts.roc import Roc
from .parts.charts.waterfall import Waterfall
from .parts.choices import Choices, OneChoice
from .parts.gestures import Changes, Gesture, Put, Puts, Runs, Sets, Toggles, Turns, sets
from .parts.matrices.grid import Colours, Grid
from .parts.matrices.heads import Heads
from .parts.matrices.layer_predictions import LayerPredictions, LensGrid
from .parts.matrices.token_pairs import PairNumbers, TokenPairs, TokenSide, keys_of, queries_of
from .parts.models import Models, Player
from .parts.own_picture import OwnPicture
from .parts.part import SILENT, Part, chosen, made_of
from .parts.predictions.classes import Classes, ClassScores
from .parts.predictions.compared import Apart, Compared, ComparedPlace, ComparedSide, ComparedWord
from .parts.predictions.predictions import Predictions
from .parts.ranked import Ranked, RowLook
from .parts.rows import Rows
from .parts.said import Manner, Said
from .parts.steps import PassScene, SceneRow, Steps
from .parts.tokens.cut_text import CutPiece, CutRow, CutText
from .parts.tokens.labels import Labels
from .parts.tokens.losses import Loss, Losses
from .parts.tokens.pieces import Pieces
from .parts.tokens.scored_texts import ScoredText, ScoredTexts
from .parts.tokens.scores import Score, Scores
from .parts.tokens.sentence import Sentence
from .parts.tokens.spans import Span, Spans
from .pool import Pool
from .question import READS_ENTITIES, Question
from .roles import (
    DISCRIMINATOR,
    ENCODER,
    FIRST,
    GENERATOR,
    MODEL,
    REASONER,
    REFERENCE,
    ROUNDED,
    SECOND,
    SLOTS,
    STUDENT,
    TEACHER,
)
from .rows.layer_names import label_phrase, layer_label, layer_phrase, layer_said, row_phrase
from .rows.layers import EMBEDDINGS, LayersFrom0, row_name
from .rows.rows import CHARACTERS, MASKS, TOKENS, Cell, Table, TableColumn, column
from .standing_out import (
    beyond as beyond,
)
from .standing_out import (
    is_close,
    largest_cell,
    lead,
    outlying,
    stands_out,
    strongest_link,
    wavering,
)
from .templates import Situation, Template, TemplateEntry
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
    "REFERENCE",
    "ROUNDED",
    "SECOND",
    "SILENT",
    "SLOTS",
    "STUDENT",
    "TEACHER",
    "TOKENS",
    "Absorbed",
    "ActivationPatching",
    "Amount",
    "Amounts",
    "Answered",
    "AnyOf",
    "Apart",
    "Asking",
    "Asks",
    "AttentionDecomposition",
    "AttentionModules",
    "Attentions",
    "AttributionMethod",
    "BidirectionalPredictor",
    "Blame",
    "BoundaryPredictor",
    "Calibration",
    "Cancelled",
    "Cards",
    "CausalLM",
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
    "EmbeddingMatrices",
    "Encoded",
    "Entity",
    "EntityLinks",
    "Entry",
    "ExplorerError",
    "Failure",
    "FilePath",
    "GenerationState",
    "GenerativeQA",
    "Gesture",
    "GraphJudgement",
    "GraphPath",
    "GraphReasoner",
    "Grid",
    "HeadChoice",
    "HeadPlace",
    "HeadTokens",
    "Headline",
    "Heads",
    "HiddenStates",
    "InputEmbeddings",
    "Items",
    "Knowledge",
    "Labels",
    "LayerPredictions",
    "LayerReadout",
    "LayerTrace",
    "LayersFrom0",
    "LeftOut",
    "LensGrid",
    "Listing",
    "Loaded",
    "LoadedModel",
    "LogitPart",
    "LogitParts",
    "LogitSum",
    "Look",
    "Loss",
    "Losses",
    "MachineFault",
    "Manner",
    "Mask",
    "MaskPredictions",
    "Mention",
    "MethodDescription",
    "MethodInput",
    "ModelCard",
    "ModelName",
    "ModelStamp",
    "Models",
    "MultipleChoice",
    "Need",
    "Neurons",
    "Number",
    "Numbers",
    "OneCard",
    "OneChoice",
    "Option",
    "Optioned",
    "OwnPicture",
    "PairClassifier",
    "PairNumbers",
    "Panel",
    "Part",
    "PartNeurons",
    "PassAttention",
    "PassScene",
    "PassStep",
    "Patch",
    "PatchStack",
    "PatchedRuns",
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
    "Question",
    "QuotesEntities",
    "Ranked",
    "ReadsEntities",
    "RecordedPass",
    "Roc",
    "RowLook",
    "Rows",
    "Runs",
    "Said",
    "SceneRow",
    "SchemaGraph",
    "Score",
    "ScoredText",
    "ScoredTexts",
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
    "StepKind",
    "Steps",
    "StepwisePass",
    "Switch",
    "Table",
    "TableColumn",
    "Template",
    "TemplateEntry",
    "Toggles",
    "Token",
    "TokenClassifier",
    "TokenPairs",
    "TokenSide",
    "Topic",
    "Turns",
    "Unavailable",
    "UnitKind",
    "Upgrade",
    "UserMistake",
    "Waterfall",
    "Whole",
    "Width",
    "WordList",
    "Words",
    "WrittenBy",
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

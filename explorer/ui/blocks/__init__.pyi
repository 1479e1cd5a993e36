from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import (
    Axis,
    Bars,
    Chart,
    Dash,
    Line,
    Marker,
    Points,
    Reference,
    RowName,
    Series,
)
from explorer.ui.charts.small_histograms import SmallHistogram, SmallHistograms
from explorer.ui.charts.stacked_bars import BarShare, StackedBar, StackedBars
from explorer.ui.charts.treemap import Tile, Treemap
from explorer.ui.controls.options.number_slider import NumberSlider
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.controls.rows.long_rows import LongColumn, LongRows, LongRowsModel
from explorer.ui.controls.rows.long_table import LongTable
from explorer.ui.document.gestures import (
    Edit,
    Where,
    quoted,
    set_options,
    take_texts,
    toggle_in,
    toggle_mask,
)
from explorer.ui.guarded import guarded
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heads.block import AllHeads, HeadsBlock
from explorer.ui.matrices.heads.painting import GridContent, Head
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.lines.block import LineEnd, Lines, LinesBlock
from explorer.ui.matrices.lines.painting import MOST_LINES, LinesContent, drawn_lines, head_colours
from explorer.ui.matrices.linked import LinkedMatrices, LinkedMatrix
from explorer.ui.matrices.map_block import Map, MapBlock
from explorer.ui.matrices.scale import Scale
from explorer.ui.matrices.scored_tokens import ScoredToken, ScoredTokens
from explorer.ui.model_picture.block import ModelPicture
from explorer.ui.parts.exact import exact_at, exact_of, exact_said
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.page import blocks_of_all, page_of_parts, parts_shown
from explorer.ui.parts.predictions.compared import place_blocks
from explorer.ui.parts.predictions.predictions import pins_of
from explorer.ui.sentence.pieces import Piece, pieces_of_tokens, starts_at_right, token_labels
from explorer.ui.sentence.tokens.layout import MASK_LABEL
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.schemes import FontRole, Theme, current_theme
from explorer.ui.theme.shapes import draw_rounded, painter_moved
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width
from explorer.ui.typesetting.wrapping import draw_lines, wrapped_lines
from explorer.ui.views.frame.state_pages import state_label
from explorer.ui.views.latest_work import LatestWork
from explorer.ui.web.block import Web, WebBlock

from .block import Block, PlacedBlock, SpokenCell, Spot
from .chips import Chip, Chips
from .columns import Card, Columns
from .mask_context import ContextLine, context_of
from .page.beside import Beside
from .page.last_values import remembered
from .page.page import Fetch, Gesture, Halt, Load, Move, Offer, Page, Run, SavedFile, Select, Write
from .page.pins import places_between
from .page.shown import Shown
from .panel import LaidPart, Panel
from .picture import Picture
from .sliders import SetNumber, number_sliders
from .spacing import CardWidth, Space
from .tables.bar_table import BarTable
from .tables.long_rows import LongRowsBlock, first_rows
from .tables.rows import FIRST_BAR, SECOND_BAR, Bar, BarAxis, BarColumn, BarRow
from .text import Text, explanation, heading, hint, note, section, warning
from .tokens import Tokens

__all__ = [
    "FIRST_BAR",
    "MASK_LABEL",
    "MOST_LINES",
    "SECOND_BAR",
    "AllHeads",
    "Axis",
    "Bar",
    "BarAxis",
    "BarColumn",
    "BarRow",
    "BarShare",
    "BarTable",
    "Bars",
    "Beside",
    "Block",
    "Card",
    "CardWidth",
    "CellSize",
    "Chart",
    "ChartBlock",
    "Chip",
    "Chips",
    "Columns",
    "ContextLine",
    "Dash",
    "Edit",
    "Fetch",
    "FontRole",
    "Gesture",
    "GridContent",
    "Halt",
    "Head",
    "HeadsBlock",
    "HeatContent",
    "LaidPart",
    "LatestWork",
    "Line",
    "LineEnd",
    "Lines",
    "LinesBlock",
    "LinesContent",
    "LinkedMatrices",
    "LinkedMatrix",
    "Load",
    "LongColumn",
    "LongRows",
    "LongRowsBlock",
    "LongRowsModel",
    "LongTable",
    "Looking",
    "Map",
    "MapBlock",
    "Marker",
    "Matrix",
    "MatrixBlock",
    "ModelPicture",
    "Move",
    "NumberSlider",
    "Offer",
    "Page",
    "Panel",
    "Picture",
    "Piece",
    "PlacedBlock",
    "Points",
    "Reference",
    "RowName",
    "Run",
    "SavedFile",
    "Scale",
    "ScoredToken",
    "ScoredTokens",
    "Select",
    "Series",
    "SetNumber",
    "Shown",
    "SmallHistogram",
    "SmallHistograms",
    "Space",
    "SpokenCell",
    "Spot",
    "StackedBar",
    "StackedBars",
    "Text",
    "Theme",
    "Tile",
    "Tokens",
    "Treemap",
    "Web",
    "WebBlock",
    "Where",
    "Write",
    "blocks_of_all",
    "context_of",
    "current_theme",
    "draw_lines",
    "draw_rounded",
    "draw_text",
    "drawn_lines",
    "exact_at",
    "exact_of",
    "exact_said",
    "explanation",
    "first_rows",
    "guarded",
    "head_colours",
    "heading",
    "hint",
    "note",
    "number_sliders",
    "page_of_parts",
    "painter_moved",
    "parts_shown",
    "pieces_of_tokens",
    "pins_of",
    "place_blocks",
    "places_between",
    "plain_label",
    "plain_tip",
    "quoted",
    "remembered",
    "section",
    "set_options",
    "starts_at_right",
    "state_label",
    "take_texts",
    "text_height",
    "text_width",
    "toggle_in",
    "toggle_mask",
    "token_labels",
    "warning",
    "wrapped_lines",
    "zoomed",
]

"""A table with bars: what stands where, what goes where it is narrow, what is said."""

import math
from dataclasses import replace

import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from explorer.text.formatting.probabilities import power_of_ten
from explorer.ui.blocks.tables.bar_table import LEAST_BARS, BarTable
from explorer.ui.blocks.tables.rows import Bar, BarAxis, BarColumn, BarRow
from explorer.ui.theme.schemes import theme_of
from tests.ui.painted_texts import Recording

COLUMNS = (
    BarColumn("probability"),
    BarColumn("rank", dispensable=True),
    BarColumn("log-odds", dispensable=True),
)
ROWS = (
    BarRow(
        "soup", ("0.5000", "1", "+0.00"), (Bar(0.5),), mark=0.25, words="About soup.", key="soup"
    ),
    BarRow("fried rice", ("0.1000", "12", "−2.20"), (Bar(0.1),), tag="in the text", act="put"),
)


def table(**changes):
    return BarTable(ROWS, COLUMNS, BarAxis(0.5), "Words", **changes)


def painted(laid, width, scheme="light"):
    image = QImage(int(width), int(laid.height) + 1, QImage.Format.Format_ARGB32)
    image.fill(theme_of(scheme).surface)
    painter = QPainter(image)
    laid.paint(painter, theme_of(scheme))
    painter.end()
    return image


def longest(laid):
    """How long the longest bar may be."""
    return laid.x_of(math.inf) - laid.x_of(0.0)


def lefts(laid):
    """Where the cells of the first row begin, and its bars."""
    return [*(cell.box.left() for cell in laid.spots[0].cells), laid.x_of(0.0)]


def pixels(image, colour, row, laid):
    """How many pixels of a row are of a colour."""
    box = laid.spots[row].box
    wanted = QColor(colour).rgb()
    return sum(
        image.pixelColor(x, y).rgb() == wanted
        for x in range(image.width())
        for y in range(int(box.top()), int(box.bottom()))
    )


def test_bars_are_as_long_as_their_values(qapp):
    laid = table().at(600)
    whole, fifth = laid.x_of(0.5) - laid.x_of(0.0), laid.x_of(0.1) - laid.x_of(0.0)
    assert fifth == pytest.approx(whole / 5)
    image = painted(laid, 600)
    bar = theme_of("light").bar
    assert pixels(image, bar, 0, laid) > 4 * pixels(image, bar, 1, laid) > 0


def test_an_axis_of_powers_gives_every_power_as_much_room(qapp):
    laid = BarTable(ROWS, COLUMNS, BarAxis(powers=4)).at(600)
    steps = [laid.x_of(10.0**-n) - laid.x_of(10.0 ** -(n + 1)) for n in range(4)]
    assert steps == pytest.approx([steps[0]] * 4)
    assert laid.x_of(1e-9) == laid.x_of(1e-4)
    assert [power_of_ten(n) for n in (0, 1, 2, 6)] == ["1", "0.1", "0.01", "10⁻⁶"]


def test_an_axis_of_powers_has_dots_where_another_has_bars(qapp):
    """From ten to the minus twelfth on, a bar of 0.002 was nearly as long as one of 0.2."""
    bar = theme_of("light").bar
    straight = painted(table().at(600), 600)
    laid = BarTable(ROWS, COLUMNS, BarAxis(powers=4), "Words").at(600)
    image = painted(laid, 600)
    assert pixels(straight, bar, 0, laid) > 10 * pixels(image, bar, 0, laid) > 0
    assert pixels(image, bar, 0, laid) == pytest.approx(pixels(image, bar, 1, laid), abs=12)
    below = BarTable([BarRow("never", bars=(Bar(1e-9),))], axis=BarAxis(powers=4)).at(600)
    assert pixels(painted(below, 600), bar, 0, below) < pixels(image, bar, 0, laid)


def test_what_is_beneath_a_bar_is_seen_where_it_is_shorter_and_around_it_where_not(qapp):
    theme = theme_of("light")
    rows = [
        BarRow(name, bars=(Bar(0.2, beneath=beneath),))
        for name, beneath in (("fell", 0.5), ("rose", 0.1))
    ]
    laid = BarTable(rows, axis=BarAxis(0.5)).at(600)
    image = painted(laid, 600)
    fell, rose = (pixels(image, theme.border, n, laid) for n in (0, 1))
    assert fell > 4 * rose > 0
    assert pixels(image, theme.bar, 0, laid) == pytest.approx(
        pixels(image, theme.bar, 1, laid), abs=20
    )


@pytest.mark.parametrize("width", [120.0, 200.0, 300.0, 420.0, 800.0])
def test_where_it_is_narrow_columns_go_before_the_bars(qapp, width):
    laid = table().at(width)
    assert laid.columns[0] == "probability"
    if len(laid.columns) > 1:
        assert longest(laid) >= LEAST_BARS
    for spot in laid.spots:
        assert spot.box.right() <= width
        assert all(cell.box.right() <= width + 0.5 for cell in spot.cells)
    assert len(table().at(120).columns) < len(table().at(800).columns) == 3


def test_the_pinned_mark_stands_where_its_bar_ended(qapp):
    laid = table().at(600)
    image = painted(laid, 600)
    accent = theme_of("light").accent
    x, box = laid.x_of(0.25), laid.spots[0].box
    colours = {image.pixelColor(round(x) + dx, int(box.center().y())).name() for dx in (-1, 0)}
    assert accent.name() in colours
    assert pixels(image, accent, 1, laid) == 0


def test_a_row_is_told_cell_by_cell(qapp):
    soup, rice = table().at(800).spots
    assert soup.said == "soup, probability 0.5000, rank 1, log-odds +0.00"
    assert soup.words == "About soup."
    assert [cell.text for cell in rice.cells] == [
        "fried rice",
        "probability 0.1000",
        "rank 12",
        "log-odds −2.20",
    ]
    assert "in the text" in rice.said
    assert (soup.can_choose, rice.act) == (True, "put")


def test_titles_can_sort(qapp):
    columns = (
        BarColumn("probability", act="by probability", sorted="down"),
        BarColumn("rank", act="x"),
    )
    laid = BarTable(ROWS, columns, BarAxis(0.5)).at(600)
    title, other, *rows = laid.spots
    assert title.act == "by probability"
    assert "Now down" in title.said
    assert "Now" not in other.said
    assert len(rows) == 2
    assert title.box.bottom() <= rows[0].box.top() + 0.1


def test_a_row_apart_says_why_and_stands_below(qapp):
    rows = (ROWS[0], BarRow("tea", ("0.0001", "900", ""), (Bar(1e-4),), apart="⋯  rank 900"))
    laid = BarTable(rows, COLUMNS, BarAxis(0.5)).at(600)
    together = BarTable((ROWS[0], ROWS[0]), COLUMNS, BarAxis(0.5)).at(600)
    assert laid.spots[1].box.top() > together.spots[1].box.top() + 8


def test_a_table_without_bars_is_squeezed_into_its_room(qapp):
    rows = [BarRow("this pair", ("a long name of a model", "2.0 x"))]
    laid = BarTable(rows, (BarColumn("with", left=True), BarColumn("smaller", left=True))).at(150)
    assert max(cell.box.right() for cell in laid.spots[0].cells) <= 150
    assert math.isfinite(laid.height)


def test_peers_put_columns_at_one_place(qapp):
    long = BarRow("a very long filling of words", ("0.1234", "1,000", "+9.99"), (Bar(0.2),))
    alone, among = table().at(800), table(peers=(long,)).at(800)
    other = BarTable((long,), COLUMNS, BarAxis(0.5), peers=ROWS).at(800)
    assert lefts(among) == lefts(other) != lefts(alone)


def test_a_title_can_explain_its_column(qapp):
    columns = (
        BarColumn("probability"),
        BarColumn("KL, nats", words="How far two beliefs are apart."),
    )
    title, *_ = BarTable(ROWS, columns, BarAxis(0.5)).at(600).spots
    assert title.words == "KL, nats: How far two beliefs are apart."


def test_a_label_that_is_cut_is_told_in_full(qapp):
    long = BarRow(
        "the time that it takes to read this text", ("1 ms",), (Bar(0.5),), words="Median."
    )
    made = BarTable((long,), (BarColumn("teacher"),), BarAxis(0.5))
    assert made.at(900).spots[0].words == "Median."
    assert made.at(260).spots[0].words == f"{long.label}\nMedian."
    tagged = BarTable((replace(long, tag="the end"),), (BarColumn("teacher"),), BarAxis(0.5))
    assert tagged.at(260).spots[0].words == f"{long.label}, the end\nMedian."


def test_a_cell_may_have_a_colour_of_its_own(qapp):
    row = BarRow("2", ("[UNK]", "unknown"), inks=("", "danger"), anchor=2)
    columns = (BarColumn("Piece"), BarColumn("Notes", "muted"))
    laid = BarTable((row, BarRow("3", ("tea", ""))), columns).at(400)
    image = painted(laid, 400)

    def red(row):
        """Pixels of a row that are red, whatever the letters' edges are smoothed to."""
        box = laid.spots[row].box
        rows = range(int(box.top()), int(box.bottom()))
        colours = [image.pixelColor(x, y) for x in range(400) for y in rows]
        return sum(colour.red() - colour.green() > 60 for colour in colours)

    assert red(0) > 20
    assert red(1) == 0
    assert laid.anchors == {2: laid.spots[0].box}


LONG = "it goes on for so long that no line of this width holds it"


@pytest.mark.parametrize("width", [260, 360])
def test_words_that_wrap_are_seen_whole_and_numbers_keep_their_room(qapp, width):
    columns = (BarColumn("score"), BarColumn("why", left=True, wraps=True))
    laid = BarTable([BarRow("a", ("0.5000", LONG)), BarRow("b", ("0.1000", "short"))], columns).at(
        width
    )
    one, other = laid.spots
    assert one.box.height() > other.box.height()
    assert one.cells[2].value == LONG
    score, why = one.cells[1:]
    assert score.box.right() < why.box.left() < why.box.right() <= width
    alone = BarTable([BarRow("a", ("0.5000",))], columns[:1]).at(width)
    assert score.box.width() == alone.spots[0].cells[1].box.width()


def test_a_label_gives_way_before_a_number_is_cut(qapp):
    columns = tuple(BarColumn(name) for name in ("mean", "zeros"))
    row = BarRow("encoder.layer.0.attention.output.weight", ("-0.0003539", "1,000"))
    full, narrow = BarTable([row], columns).at(900), BarTable([row], columns).at(300)
    (label, *cells), (cut, *kept) = full.spots[0].cells, narrow.spots[0].cells
    assert cut.box.width() < label.box.width()
    assert [cell.box.width() for cell in kept] == [cell.box.width() for cell in cells]
    assert row.label in narrow.spots[0].words


def test_a_label_of_several_words_is_whole_before_a_number_is_cut(qapp):
    columns = tuple(BarColumn(name, left=True) for name in ("loss, nats", "next"))
    row = BarRow("sentence pair, next sentence", ("0.51 ± 0.00", "32.4 ± 2.6 %"), tag="here")
    one, two = (BarTable([row], columns).at(width) for width in (900, 330))
    assert [cell.box.width() for cell in two.spots[0].cells[1:]] == [
        cell.box.width() for cell in one.spots[0].cells[1:]
    ]
    assert two.spots[0].cells[-1].box.right() <= 330
    words = " ".join(written(two, 330))
    assert "…" not in words
    assert all(word in words for word in (*row.label.split(), row.tag, *row.cells))


def test_in_print_columns_stand_closer_before_a_number_or_a_word_is_parted(qapp):
    names = ("Parameters", "SQuAD 1.1 F1", "SQuAD 2.0 F1", "MNLI", "SST-2", "RACE")
    columns = tuple(BarColumn(name) for name in names)
    cells = ("110 M", "90.4", "78.7", "84.0", "92.9", "64.2")
    row = BarRow("RoBERTa's base: segment pair", cells)
    laid = BarTable([row], columns, bold=False).in_print().at(374)
    lines = written(laid, 374)
    assert set(cells) <= set(lines)
    assert {"RoBERTa's", "Parameters", "SQuAD", "RACE"} <= {
        word for line in lines for word in line.split()
    }


@pytest.mark.parametrize("width", [250, 270, 290])
def test_in_print_a_tag_goes_below_before_a_word_is_parted(qapp, width):
    numbers = tuple(BarColumn(name) for name in ("Teacher (rank)", "Student (rank)"))
    cells = ("0.0369 (1)", "3.2 × 10⁻⁵ (25)")
    rows = [BarRow("saturday", cells, (Bar(0.9),), tag="hard label"), BarRow("eat", cells)]
    laid = BarTable(rows, numbers, BarAxis(1.0), "Words").in_print().at(width)
    found = painted_at(laid, width)
    word, tag, eat = (found[one] for one in ("saturday", "hard label", "eat"))
    assert word.top() < tag.top() < eat.top()
    assert tag.left() == word.left()
    # Where both have room they stand side by side.
    found = painted_at(BarTable(rows, numbers, BarAxis(1.0), "Words").in_print().at(600), 600)
    assert found["saturday"].right() < found["hard label"].left()


def test_in_print_a_title_is_parted_before_a_number(qapp):
    names = ("Parameters", *(f"SQuAD {n}" for n in range(4)), "MNLI", "SST-2", "RACE", "Average")
    cells = ("334 M", "92.2", "85.5", "85.0", "82.2", "86.6", "93.0", "73.9", "85.2")
    columns = tuple(BarColumn(name) for name in names)
    laid = BarTable([BarRow("BERT large", cells)], columns, bold=False).in_print().at(374)
    assert set(cells[1:]) <= set(written(laid, 374))


def test_in_a_narrow_card_the_word_is_seen_before_its_tag(qapp):
    def picture(tag):
        row = BarRow("cooked", ("0.2527",), (Bar(0.25),), lead="2", tag=tag)
        laid = BarTable([row], COLUMNS[:1], BarAxis(0.5), "Words").at(150)
        word = next(cell for cell in laid.spots[0].cells if cell.value == "cooked")
        return painted(laid, 150).copy(word.box.adjusted(0, 0, -2, 0).toAlignedRect())

    assert picture("original") == picture("")


def test_bars_give_up_room_to_a_tag_before_it_is_cut(qapp):
    numbers = tuple(BarColumn(name) for name in ("Teacher (rank)", "Student (rank)"))

    def laid(width):
        cells, tag = ("0.5652 (1)", "0.5049 (2)"), "the word that is hidden"
        return BarTable(
            [BarRow("boring", cells, (Bar(0.6),), tag=tag)], numbers, BarAxis(1.0), "Words"
        ).at(width)

    def label(width):
        return laid(width).spots[0].cells[0].box.width()

    assert {"boring", "the word that is hidden"} < set(written(laid(490), 490))
    assert LEAST_BARS <= longest(laid(490)) < longest(laid(900))
    assert label(400) < label(490) == label(900)


def recorded(laid, width):
    """What is painted, text by text, with where."""
    image = QImage(int(width), int(laid.height) + 1, QImage.Format.Format_RGB32)
    painter = Recording(image)
    laid.paint(painter, theme_of("light"))
    painter.end()
    return painter.texts


def painted_at(laid, width):
    """Where each text is painted."""
    return {text: box for box, text in recorded(laid, width)}


def written(laid, width):
    """What is painted, line by line."""
    return [text for _box, text in recorded(laid, width)]


@pytest.mark.parametrize("width", [520, 900])
def test_bars_give_up_room_to_labels_that_a_sensible_share_holds(qapp, width):
    columns = tuple(BarColumn(name) for name in ("right", "interval", "worth found"))
    cells, label = ("41.7 %", "19.3 to 68.0 %", "41.7 %"), "Integrated gradients, [MASK]"
    laid = BarTable([BarRow(label, cells, (Bar(0.4),))], columns, bold=False).at(width)
    assert label in written(laid, width)
    assert longest(laid) >= LEAST_BARS


def test_numbers_take_two_lines_before_any_is_cut(qapp):
    columns = tuple(BarColumn(name) for name in ("probe, %", "control, %", "withheld words, %"))
    cells = ("100.0 (100.0 to 100.0)", "52.4 (48.3 to 55.6)", "99.2 (96.0 to 100.0)")
    table = BarTable([BarRow("majority label", cells)], columns, ruled=True)
    wide, narrow = table.at(900), table.at(400)
    assert narrow.spots[0].box.height() > wide.spots[0].box.height()
    assert {"majority label", *cells} < set(written(wide, 900))
    said = " ".join(written(narrow, 400))
    assert "…" not in said
    words = [
        word
        for text in ("majority label", *cells, *(c.title for c in columns))
        for word in text.split()
    ]
    assert sorted(said.split()) == sorted(words)
    # Where single words have no room, cutting digits in two would be worse.
    assert "…" in " ".join(written(table.at(180), 180))

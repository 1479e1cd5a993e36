"""Graphs from files: ConceptNet's assertions merged as published, tables, and what is no graph."""

import gzip

import pytest

from explorer.api.question import Cancelled, Context, UserMistake
from explorer.knowledge.files import read_graph
from explorer.knowledge.relations import RELATIONS

ABOUT = '{"dataset": "/d/x", "license": "cc:by/4.0", "weight": %s}'


def assertion(relation, head, tail, weight="2.0"):
    return f"/a/[x]\t/r/{relation}\t/c/{head}\t/c/{tail}\t{ABOUT % weight}\n"


ASSERTIONS = "".join(
    [
        assertion("UsedFor", "en/trowel/n", "en/dig"),
        assertion("HasA", "en/chef", "en/pan"),
        assertion("MotivatedByGoal", "en/dig_hole/v", "en/plant_flower"),
        assertion("Synonym", "en/dig", "en/excavate", "1.0"),
        assertion("UsedFor", "en/trowel", "en/dig", "5.0"),
        assertion("UsedFor", "fr/pelle", "en/dig"),
        assertion("ExternalURL", "en/dig", "en/http"),
        assertion("AtLocation", "en/person", "en/house"),
        assertion("AtLocation", "en/cup_of_tea", "en/house"),
        assertion("IsA", "en/dig", "en/dig"),
    ]
)


def edges(graph):
    return [
        (graph.concepts[head], graph.relations[kind], graph.concepts[tail], round(weight, 6))
        for head, kind, tail, weight in zip(
            graph.heads, graph.kinds, graph.tails, graph.weights.tolist(), strict=True
        )
    ]


@pytest.mark.parametrize("packed", [False, True])
def test_assertions_are_merged_as_published(tmp_path, packed):
    path = tmp_path / ("a.csv.gz" if packed else "a.csv")
    path.write_bytes(gzip.compress(ASSERTIONS.encode()) if packed else ASSERTIONS.encode())
    told = []
    graph = read_graph(path, Context(progress=lambda *now: told.append(now)))
    assert edges(graph) == [
        ("pan", "partof", "chef", 2.0),
        ("plant flower", "causes", "dig hole", 2.0),
        ("dig", "relatedto", "excavate", 0.7),
        ("trowel", "usedfor", "dig", 5.0),
    ]
    assert graph.relations == RELATIONS
    assert graph.dropped == 4
    assert told
    assert all(0 < done <= whole == path.stat().st_size for _, done, whole in told)


TRIPLES = "head\trelation\ttail\tweight\nTrowel\tUsed for\tdig\t2\nhouse\t/r/AtLocation\tcity\t1\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_tables_of_triples(tmp_path, encoding):
    path = tmp_path / "mine.tsv"
    path.write_bytes((TRIPLES + "집\tknown_as\thouse\n").encode(encoding))
    assert edges(read_graph(path, Context())) == [
        ("trowel", "usedfor", "dig", 2.0),
        ("house", "atlocation", "city", 1.0),
        ("집", "knownas", "house", 1.0),
    ]


WHOLE = gzip.compress(ASSERTIONS.encode() * 50)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "x.tsv holds no edge of a knowledge graph."),
        (b"\n\n", "x.tsv holds no edge of a knowledge graph."),
        (b"head\trelation\ttail\n", "x.tsv holds no edge of a knowledge graph."),
        (assertion("IsA", "fr/un", "fr/deux").encode(), "x.tsv holds no edge of a"),
        (b"a\tb\n", "Line 1 of x.tsv has 2 columns."),
        (
            b"a\tisa\tb\t1\nonly words here\n",
            "Line 2 of x.tsv has no tab in it, and so no columns.",
        ),
        (b"a\tisa\tb\theavy\n", "Line 1 of x.tsv has no number as its weight: “heavy”."),
        (b"a\tisa\tb\tnan\n", "Line 1 of x.tsv has no number as its weight: “nan”."),
        (b"a\tisa\t \t1\n", "Line 1 of x.tsv has an empty cell."),
        (ASSERTIONS.encode() + b"/a/\t/r/IsA\t/c/en/a\n", "Line 11 of x.tsv has 3 columns."),
        (assertion("IsA", "en/a1", "en/b1", '"much"').encode(), "Line 1 of x.tsv has no number"),
        (b"caf\xe9\tisa\tplace\t1\n", "x.tsv is not in UTF-8 (near line 1)."),
        ("b\tisa\tcafé\t1\nc\tisa\tcafé".encode()[:-1], "x.tsv is not in UTF-8 (near line"),
        (b"a\0b\tisa\tc\t1\n", "x.tsv is not a text file."),
        (b"x" * 3_000_000, "x.tsv is no table: it has a line of more than 100,000 characters."),
        (WHOLE[: len(WHOLE) // 2], "x.tsv is cut off or damaged: it can't be unpacked"),
        (WHOLE[:40] + b"\xff\xff\xff" + WHOLE[43:], "x.tsv is cut off or damaged"),
        (b"\x1f\x8b", "x.tsv is cut off or damaged"),
    ],
)
def test_what_is_no_graph_is_told_in_one_line(tmp_path, content, said):
    path = tmp_path / "x.tsv"
    path.write_bytes(content)
    with pytest.raises(UserMistake) as told:
        read_graph(path, Context())
    assert told.value.message.startswith(said)
    assert "\n" not in told.value.message
    assert told.value.hint


def test_no_file_a_folder_and_no_path(tmp_path):
    for path, said in ((tmp_path / "none.tsv", "can't be read"), (tmp_path, "can't be read")):
        with pytest.raises(UserMistake, match=said):
            read_graph(path, Context())
    with pytest.raises(UserMistake, match="is no path"):
        read_graph(tmp_path / "a\0b", Context())


def test_reading_is_cancelled_between_two_pieces(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text("a\tisa\tb\t1\n" * 500_000)
    seen = []
    context = Context(
        progress=lambda _stage, done, _whole: seen.append(done), is_cancelled=lambda: len(seen) > 1
    )
    with pytest.raises(Cancelled):
        read_graph(path, context)
    assert len(seen) == 2

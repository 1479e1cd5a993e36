"""`over` asks data sets as they are published: small ones of our own sentences in their layouts."""

import csv
import json
import sqlite3
from contextlib import closing

import pytest

CROWS = """\
,sent_more,sent_less,stereo_antistereo,bias_type,annotations,anon_writer,anon_annotators
0,The chef cooked the meal .,The clerk cooked the meal .,stereo,job,"[['job'], ['job']]",a0,"['a1']"
1,The nurse read a book .,The pilot read a book .,stereo,job,[['job']],a2,['a3']
2,The chef cooked the meal .,The clerk cooked the meal .,antistereo,age,[['age']],a4,['a5']
"""
BLIMP = [
    {
        "sentence_good": good,
        "sentence_bad": bad,
        "field": "syntax",
        "linguistics_term": term,
        "UID": term,
        "simple_LM_method": True,
        "one_prefix_prefix": None,
        "pairID": str(number),
    }
    for number, (good, bad, term) in enumerate(
        [
            ("The chefs cook.", "The chefs cooks.", "agreement"),
            ("The chef cooks.", "The chef cook.", "agreement"),
            ("Who did the chef see?", "Who did the chef see him?", "filler_gap"),
        ]
    )
]
SST2 = 'sentence\tlabel\nthe meal was "very" good\t1\nthe soup was cold\t0\n'
QQP = (
    "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n"
    "0\t1\t2\tWhat did the chef cook?\tWhat was cooked?\t1\n"
    "1\t3\t4\tWhy did the chef cook?\tWho read the book?\t0\n"
)
MNLI = (
    "index\tpromptID\tpairID\tgenre\tsentence1_binary_parse\tsentence2_binary_parse\t"
    "sentence1_parse\tsentence2_parse\tsentence1\tsentence2\tlabel1\tgold_label\n"
    "0\t31\t31n\tfiction\t( The chef )\t( A cook )\t(ROOT a)\t(ROOT b)\tThe chef cooked .\t"
    "A cook worked .\tneutral\tentailment\n"
    "1\t32\t32c\ttravel\t( The inn )\t( No inn )\t(ROOT a)\t(ROOT b)\tThe inn was full .\t"
    "Nobody was there .\tneutral\tcontradiction\n"
)
SQUAD = {
    "version": "v2.0",
    "data": [
        {
            "title": "Kitchen",
            "paragraphs": [
                {
                    "context": "The chef cooked the soup in the kitchen .",
                    "qas": [
                        {
                            "id": "a",
                            "question": "What did the chef cook ?",
                            "is_impossible": False,
                            "answers": [{"text": "the soup", "answer_start": 16}],
                        },
                        {
                            "id": "b",
                            "question": "Who ate it ?",
                            "is_impossible": True,
                            "answers": [],
                        },
                    ],
                }
            ],
        }
    ],
}
CONLLU = """\
# newdoc id = kitchen
# sent_id = kitchen-1
# text = The chef can't cook.
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2\tchef\tchef\tNOUN\tNN\t_\t5\tnsubj\t_\t_
3-4\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
3\tca\tcan\tAUX\tMD\t_\t5\taux\t_\t_
4\tn't\tnot\tPART\tRB\t_\t5\tadvmod\t_\t_
5\tcook\tcook\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t.\t_\t5\tpunct\t_\t_

# sent_id = kitchen-2
1\tIt\tit\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\trains\train\tVERB\tVBZ\t_\t0\troot\t_\tSpaceAfter=No
2.1\trained\train\tVERB\t_\t_\t_\t_\t0:root\t_
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_
"""


@pytest.fixture
def over(run, tmp_path):
    """Ask about a file of some content; gives the exit status, the JSON, and the complaints."""

    def asked(name, content, *words):
        path = tmp_path / name
        path.write_text(content, "utf-8")
        status, out, err = run("over", path, *words, "--no-log", "--json")
        return status, json.loads(out) if out else None, err

    return asked


def rows_of(told):
    table = told["table"]
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]


def test_crows_pairs_with_both_columns_named(over, tmp_path):
    named = ("--text", "sent_more", "--pair", "sent_less", "--ask", "tokens")
    target = tmp_path / "rows.csv"
    status, told, err = over("crows.csv", CROWS, *named, "--group-by", "bias_type", "--csv", target)
    assert (status, err) == (0, "")
    assert (told["column"], told["pair_column"]) == ("sent_more", "sent_less")
    found = rows_of(told)
    assert [row["pair"] for row in found] == [
        "The clerk cooked the meal .",
        "The pilot read a book .",
        "The clerk cooked the meal .",
    ]
    # What the file says besides stands in the rows as it is.
    assert [row["bias_type"] for row in found] == ["job", "job", "age"]
    assert found[0]["annotations"] == "[['job'], ['job']]"
    assert [row["1"] for row in found] == ["0", "1", "2"]  # the column without a name
    groups = told["groups"]
    assert groups["columns"][:3] == ["bias_type", "count", "failed"]
    assert [row[:3] for row in groups["rows"]] == [["job", 2, 0], ["age", 1, 0]]
    mean = groups["columns"].index("tokens")
    assert groups["rows"][0][mean] == sum(row["tokens"] for row in found[:2]) / 2
    with target.open(encoding="utf-8-sig", newline="") as file:
        assert [*csv.DictReader(file)][2]["bias_type"] == "age"
    # The other way round, and the one column alone.
    turned = ("--text", "sent_less", "--pair", "sent_more", "--ask", "tokens")
    assert rows_of(over("crows.csv", CROWS, *turned)[1])[1]["text"] == "The pilot read a book ."
    alone = rows_of(over("crows.csv", CROWS, "--pair", "-", "--ask", "tokens")[1])
    assert [row["pair"] for row in alone] == [None, None, None]
    assert alone[0]["text"] == "The chef cooked the meal ."


def test_a_column_that_rows_do_not_have(over):
    status, _told, err = over("crows.csv", CROWS, "--ask", "tokens", "--group-by", "bias")
    assert status == 2
    assert 'The rows have no column "bias". Their columns are line, text, pair, ' in err


def test_blimp_as_lines_of_json(over):
    content = "".join(f"{json.dumps(one)}\n" for one in BLIMP)
    status, told, err = over("agreement.jsonl", content, "--ask", "tokens", "--group-by", "UID")
    assert (status, err) == (0, "")
    found = rows_of(told)
    assert [row["text"] for row in found] == [one["sentence_good"] for one in BLIMP]
    assert [row["line"] for row in found] == [1, 2, 3]
    assert found[0]["simple_LM_method"] == "true"
    assert found[0]["one_prefix_prefix"] == ""
    assert [row[:2] for row in told["groups"]["rows"]] == [["agreement", 2], ["filler_gap", 1]]
    bad = rows_of(over("agreement.jsonl", content, "--text", "sentence_bad", "--ask", "tokens")[1])
    assert [row["text"] for row in bad] == [one["sentence_bad"] for one in BLIMP]


@pytest.mark.parametrize(
    ("line", "why"),
    [("[1, 2]", "it is a list or a value"), ("nonsense", "Line 2 of some.jsonl"), ("[" * 999, "")],
)
def test_a_line_that_is_no_object(over, line, why):
    status, _told, err = over("some.jsonl", f'{{"text": "a cat"}}\n{line}\n', "--ask", "tokens")
    assert status == 2
    assert "is no object of JSON" in err
    assert why in err


def test_sst2_qqp_and_mnli_by_their_own_names(over):
    found = rows_of(over("sst.tsv", SST2, "--ask", "tokens")[1])
    assert [(row["text"], row["label"]) for row in found] == [
        ('the meal was "very" good', "1"),
        ("the soup was cold", "0"),
    ]
    told = over("qqp.tsv", QQP, "--ask", "sentence_pair")[1]
    assert (told["column"], told["pair_column"]) == ("question1", "question2")
    assert told["expected_column"] == "is_duplicate"
    assert [row["qid2"] for row in rows_of(told)] == ["2", "4"]
    told = over("mnli.tsv", MNLI, "--ask", "sentence_pair", "--group-by", "genre")[1]
    assert (told["column"], told["pair_column"]) == ("sentence1", "sentence2")
    assert told["expected_column"] == "gold_label"
    assert [row[0] for row in told["groups"]["rows"]] == ["fiction", "travel"]


def test_squad(over):
    model = ("--model", "bert-answers-miniature")
    status, told, _err = over("dev.json", json.dumps(SQUAD), "--ask", "answer_span", *model)
    assert status == 0
    assert [(row["text"], row["pair"]) for row in rows_of(told)] == [
        ("The chef cooked the soup in the kitchen .", "What did the chef cook ?"),
        ("The chef cooked the soup in the kitchen .", "Who ate it ?"),
    ]


def test_a_treebank(over):
    status, told, err = over("some.conllu", CONLLU, "--ask", "tokens")
    assert (status, err) == (0, "")
    found = rows_of(told)
    assert [row["text"] for row in found] == ["The chef can't cook.", "It rains."]
    assert [row["sent_id"] for row in found] == ["kitchen-1", "kitchen-2"]
    assert [row["upos"] for row in found] == ["DET NOUN _ VERB PUNCT", "PRON VERB PUNCT"]
    assert [row["line"] for row in found] == [4, 13]


def test_the_results_are_one_table_with_names_for_other_programs(over):
    """No c0 to c8: whoever opens the file reads columns by what they are called."""
    told = over("crows.csv", CROWS, "--text", "sent_more", "--ask", "tokens")[1]
    with closing(sqlite3.connect(told["results"])) as database:
        table = database.execute("SELECT * FROM results")
        assert [one[0] for one in table.description] == told["columns"]
        assert [list(row) for row in table] == told["table"]["rows"]


def test_parquet_has_the_same_rows(over, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    target = tmp_path / "rows.parquet"
    told = over("crows.csv", CROWS, "--ask", "tokens", "--parquet", target)[1]
    table = parquet.read_table(target)
    assert table.column_names == told["table"]["columns"]
    assert [list(row.values()) for row in table.to_pylist()] == told["table"]["rows"]
    assert b"bert-miniature" in table.schema.metadata[b"caption"]


def test_what_cannot_be_written_is_said_before_the_first_answer(over, tmp_path):
    for words in (
        ("--parquet", tmp_path / "rows.csv"),
        ("--parquet", tmp_path / "gone" / "rows.parquet"),
        ("--csv", tmp_path / "gone" / "rows.csv"),
    ):
        status, told, err = over("crows.csv", CROWS, "--ask", "tokens", *words)
        assert (status != 0, told) == (True, None)
        assert "rows" in err
    assert not [*tmp_path.rglob("*.results.db")]


def test_a_run_in_which_every_row_fails_does_not_end_well(over):
    status, told, _err = over("pairs.txt", "the cat\nthe dog\n", "--ask", "masked_tokens")
    assert status == 2
    assert (told["done"], told["failed"]) == (2, 2)
    status, told, _err = over("pairs.txt", "the [MASK]\nthe dog\n", "--ask", "masked_tokens")
    assert (status, told["failed"]) == (0, 1)

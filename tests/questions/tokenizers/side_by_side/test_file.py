"""Every number over a whole file, against what the tokenizers' own library and the formulas say."""

import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from explorer.api.question import Cancelled, Context, ModelStamp
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.shelf import CatalogueShelf
from explorer.files_of_sentences.rows import ResultsReader
from explorer.questions.many.file_of_sentences.question import (
    QUESTION,
    FileOfSentencesRequest,
)
from explorer.questions.tokenizers.side_by_side.pooling import COLUMNS, gather, told
from explorer.questions.tokenizers.side_by_side.question import SideBySideRequest
from explorer.questions.tokenizers.side_by_side.tables import table_of_file
from explorer.serialise import to_json
from tests.hf import tiny
from tests.hf.kept import MODELS
from tests.questions.tokenizers.references import texts

NAMES = ("bert-miniature", "gpt2-miniature")
LINES = [" ".join(text.split()) for text in texts(60)] + ["The chef cooked.", "the chef"]


STAMP = ModelStamp("bert-miniature", "bert", "0" * 32, "cpu", "float32")


@dataclass(frozen=True)
class Loaded:
    """A model that is asked nothing: only its tokenizer counts."""

    stamp: ModelStamp = STAMP
    ports: Any = None


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    host = tiny.families()
    cache = tmp_path_factory.mktemp("hub")
    shelf = CatalogueShelf(host, Catalogue(host, MODELS, cache))

    def run(path, results, *names, **more):
        request = to_json(SideBySideRequest("", names))
        asked = FileOfSentencesRequest(str(path), "side_by_side", request)
        context = Context(shelf=shelf, results=results, **more)
        return QUESTION.run(Loaded(), asked, context)

    return run


def gathered(result):
    return gather(ResultsReader(Path(result.results)).cells(COLUMNS))


@pytest.fixture(scope="module")
def found(ask, tmp_path_factory):
    folder = tmp_path_factory.mktemp("file")
    path = folder / "lines.txt"
    path.write_text("\n".join(LINES), "utf-8")
    return gathered(ask(path, folder, *NAMES))


@pytest.mark.parametrize("name", NAMES)
def test_pieces_and_renyi_efficiency_are_those_of_the_whole_file(found, name):
    from transformers import AutoTokenizer

    own = AutoTokenizer.from_pretrained(MODELS / name)
    ids = [number for line in LINES for number in own.encode(line, add_special_tokens=False)]
    counts = Counter(ids)
    entropy = math.log(sum((n / len(ids)) ** 2.5 for n in counts.values())) / -1.5
    (total,) = [one for one in found.totals if one.checkpoint == name]
    assert (total.pieces, total.kinds) == (len(ids), len(counts))
    assert total.efficiency == pytest.approx(entropy / math.log(len(counts)), abs=1e-12)
    unknown = counts[own.unk_token_id] if name == "bert-miniature" else 0
    assert total.unknown == unknown
    backs = [
        own.backend_tokenizer.decode(own.encode(one, add_special_tokens=False)) for one in LINES
    ]
    assert total.exact == sum(back == line for back, line in zip(backs, LINES, strict=True))


def test_numbers_are_told_in_few_words_and_as_rows(found):
    assert found.sentences == len(LINES)
    assert found.characters == sum(map(len, LINES))
    assert (told(found)["fewest"], told(found)["most"]) == NAMES
    rows = table_of_file(found)
    first, second = (dict(zip(rows.columns, row, strict=True)) for row in rows.rows)
    assert first["pieces"] < second["pieces"]
    assert second["characters_per_piece"] == found.characters / second["pieces"]
    assert second["read_back_exactly"] == len(LINES)
    assert first["premium"] is None


def test_a_column_in_english_gives_the_premium(ask, tmp_path):
    path = tmp_path / "two.csv"
    path.write_text("text,english\n요리사,the chef\nLa casa,the house\nalone,\n", "utf-8")
    first, second = gathered(ask(path, tmp_path, *NAMES)).totals
    # "요리사" is one unknown piece, or nine bytes; what has no English does not count.
    assert first.premium == pytest.approx((1 + first_of("La casa")) / (2 + first_of("the house")))
    assert second.premium > first.premium


def first_of(text):
    from transformers import AutoTokenizer

    return len(
        AutoTokenizer.from_pretrained(MODELS / NAMES[0]).encode(text, add_special_tokens=False)
    )


def test_a_cancelled_file_is_gone_on_with(ask, tmp_path, found):
    path = tmp_path / "lines.txt"
    path.write_text("\n".join(LINES), "utf-8")
    far = []
    with pytest.raises(Cancelled):
        ask(
            path,
            tmp_path,
            *NAMES,
            is_cancelled=lambda: bool(far) and far[-1] > 3,
            progress=lambda _stage, done, _total: far.append(done),
        )
    result = ask(path, tmp_path, *NAMES)
    assert 3 < far[-1] < len(LINES)
    assert gathered(result) == found

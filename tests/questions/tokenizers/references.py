"""Tokenizers written anew from their papers, and texts in ten scripts to try them with."""

import json
import random
import unicodedata
from itertools import pairwise
from pathlib import Path

import regex

from tests.hf.kept import MODELS

SCRIPTS = (
    (0x0041, 0x007A),  # Latin
    (0x00C0, 0x017F),  # Latin with accents
    (0x0391, 0x03C9),  # Greek
    (0x0410, 0x044F),  # Cyrillic
    (0x05D0, 0x05EA),  # Hebrew
    (0x0621, 0x064A),  # Arabic
    (0x0905, 0x094D),  # Devanagari
    (0x0E01, 0x0E4E),  # Thai
    (0x3042, 0x30F6),  # Kana
    (0x4E00, 0x4FFF),  # Han
    (0xAC00, 0xACFF),  # Hangul
    (0x1F600, 0x1F64F),  # emoji
    (0x0300, 0x0309),  # combining marks
)
WORDS = ("the", "chef", "cooked", "a", "THE", ",", "wasn't", "it", "?", "42", "naïve", "Ｆｕｌｌ")


def texts(count=1000):
    """Words of English and runs of any script, with one space or several between them."""
    generator = random.Random(20)
    return [_text(generator) for _ in range(count)]


def _text(generator):
    parts = []
    for _ in range(generator.randint(1, 5)):
        if generator.random() < 0.4:
            parts.append(generator.choice(WORDS))
            continue
        low, high = generator.choice(SCRIPTS)
        letters = [chr(generator.randint(low, high)) for _ in range(generator.randint(1, 6))]
        assigned = [one for one in letters if unicodedata.category(one) != "Cn"]
        parts.append("".join(assigned) or "x")
    return generator.choice((" ", " ", "  ")).join(parts)


def parts_of(folder):
    """A tokenizer.json's vocabulary and the ranks of its merges."""
    model = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]
    merges = [tuple(m) if isinstance(m, list) else tuple(m.split(" ")) for m in model["merges"]]
    return model["vocab"], {pair: rank for rank, pair in enumerate(merges)}


def merged(letters, ranks):
    """The pair of the lowest rank is merged, wherever it stands, until none is left."""
    pieces = list(letters)
    while len(pieces) > 1:
        pairs = list(pairwise(pieces))
        best = min(pairs, key=lambda pair: ranks.get(pair, 1 << 30))
        if best not in ranks:
            break
        made, at = [], 0
        while at < len(pieces):
            both = tuple(pieces[at : at + 2]) == best
            made.append("".join(best) if both else pieces[at])
            at += 2 if both else 1
        pieces = made
    return pieces


def letters_of_bytes():
    """A letter that can be seen for each byte (Radford et al. 2019)."""
    table, spare = {}, 0x100
    for byte in range(256):
        own = chr(byte)
        if 33 <= byte <= 126 or 161 <= byte <= 172 or byte >= 174:
            table[byte] = own
        else:
            table[byte] = chr(spare)
            spare += 1
    return table


GPT2 = regex.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")


def byte_level(text, ranks):
    """GPT-2's and RoBERTa's: the pieces of a text."""
    table = letters_of_bytes()
    return [
        piece
        for word in GPT2.findall(text)
        for piece in merged([table[byte] for byte in word.encode()], ranks)
    ]


def is_mark(letter):
    return unicodedata.category(letter) == "Mn"


def is_sign(letter):
    """Nothing but marks, those that stand on a space of their own included."""
    apart = unicodedata.normalize("NFKD", letter)
    return all(one.isspace() or unicodedata.category(one)[0] == "M" for one in apart)


def bert_words(text, *, strip_accents=True):
    """BERT's basic tokenizer: lower case, no accents, signs and ideographs alone."""
    plain = unicodedata.normalize("NFD", text) if strip_accents else text
    plain = "".join(one for one in plain if not (strip_accents and is_mark(one))).lower()
    spaced = ""
    for one in plain:
        code = ord(one)
        sign = unicodedata.category(one)[0] == "P" or (
            33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126
        )
        alone = sign or 0x4E00 <= code <= 0x9FFF
        spaced += f" {one} " if alone else one
    return spaced.split()


def word_piece(text, vocabulary, *, strip_accents=True):
    """BERT's: the longest piece that fits, from the left; a word that it fails at is unknown."""
    found = []
    for word in bert_words(text, strip_accents=strip_accents):
        own, start = [], 0
        while start < len(word):
            mark = "##" if start else ""
            fits = (e for e in range(len(word), start, -1) if mark + word[start:e] in vocabulary)
            end = next(fits, None)
            if end is None:
                own = ["[UNK]"]
                break
            own.append(mark + word[start:end])
            start = end
        found += [vocabulary[piece] for piece in own]
    return found


def albert_text(text):
    """ALBERT's own preparation: no accents, lower case, one space between words."""
    plain = "".join(
        one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one)
    )
    return " ".join(plain.lower().split())


def with_capitals(folder: Path) -> Path:
    """bert-miniature's tokenizer, making no letters small: what a wrong do_lower_case does.

    Args:
        folder: Made, with all but the weights.
    """
    folder.mkdir()
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        told = json.loads((MODELS / "bert-miniature" / name).read_text("utf-8"))
        if "do_lower_case" in told:
            told["do_lower_case"] = False
        if "normalizer" in told:
            told["normalizer"]["lowercase"] = False
        (folder / name).write_text(json.dumps(told), "utf-8")
    return folder

"""Questions about passages from a file as SQuAD has them (versions 1.1 and 2.0, KorQuAD 1.0)."""

from collections.abc import Iterator
from pathlib import Path

from explorer.api.question import UserMistake
from explorer.files.foreign import json_of, read_bytes
from explorer.files.typed_paths import refuse_impossible, unreadable
from explorer.text import N_

LARGEST = 500_000_000
"""Bytes: ten times those of SQuAD's own training texts."""
BETWEEN = " | "
"""Between right answers."""


def asked_in(path: Path) -> Iterator[tuple[int, str, str, str]]:
    """Every question's number from 1, its passage, itself, and the right answers.

    There is no right answer, "", where the question has none (`is_impossible`).

    Raises:
        UserMistake: The file can't be read, or is none of this kind.
    """
    refuse_impossible(path)
    number = 0
    try:
        content = json_of(read_bytes(path, LARGEST).decode("utf-8-sig"))
        for article in content["data"]:
            for paragraph in article["paragraphs"]:
                for one in paragraph["qas"]:
                    number += 1
                    told = () if one.get("is_impossible") else one.get("answers") or ()
                    answers = dict.fromkeys(str(answer["text"]).strip() for answer in told)
                    yield (
                        number,
                        str(paragraph["context"]),
                        str(one["question"]).strip(),
                        BETWEEN.join(answers),
                    )
    except OSError as error:
        raise unreadable(path, error) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserMistake(
            N_("{name} is no file of questions as SQuAD has them."),
            N_("It holds data, paragraphs, context, qas, question and answers."),
            name=path.name,
        ) from error

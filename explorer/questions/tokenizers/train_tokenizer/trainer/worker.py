"""The process that trains: nothing else stops for it, and it can be ended at any moment.

The library's trainers can't be interrupted. What is wanted comes as JSON on standard input, how far
it is and what came of it goes, a line of JSON each, to standard output.
"""

import json
import sys
from collections.abc import Callable
from functools import partial
from typing import IO, Any

from explorer.questions.tokenizers.train_tokenizer.options import Algorithm, World
from explorer.questions.tokenizers.train_tokenizer.trainer.texts import lines
from explorer.questions.tokenizers.train_tokenizer.trainer.training import TooSmallError, train
from explorer.serialise import to_json


def _tell(say: Callable[..., None], stage: str, done: int, total: int) -> None:
    say(stage=stage, done=done, total=total)


def main(asked: IO[str], told: IO[str]) -> None:
    """Train what is asked for, one after the other."""
    wanted = json.loads(asked.read())

    def say(**message: Any) -> None:
        told.write(json.dumps(message) + "\n")
        told.flush()

    text = lines(wanted["path"], World(wanted["world"]))
    characters = sum(map(len, text.training))
    say(lines=len(text.training), held_out=len(text.held_out), characters=characters)
    for name, lowercase in wanted["algorithms"].items():
        try:
            one = train(
                Algorithm(name),
                text,
                wanted["vocabulary"],
                lowercase=lowercase,
                tell=partial(_tell, say, name),
            )
        except TooSmallError as error:
            say(stage=name, letters=error.letters, least=error.least)
        except BaseException as error:  # noqa: BLE001 - a panic of the library is no Exception
            say(stage=name, failed=str(error).splitlines()[0] if str(error) else repr(error))
        else:
            say(stage=name, trained=to_json(one))


if __name__ == "__main__":
    main(sys.stdin, sys.stdout)

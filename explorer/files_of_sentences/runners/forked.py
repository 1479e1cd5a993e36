"""A copy of this process that answers sentences: it has the models from the start.

It answers one first to show that it can, and whoever has none starts a process anew.
"""

import functools
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace

from explorer.api.question import Context
from explorer.files_of_sentences.answering import Answering
from explorer.files_of_sentences.results import SentenceOutcome
from explorer.files_of_sentences.runners.other_process import OtherProcess
from explorer.files_of_sentences.runners.worker import answer_blocks
from explorer.files_of_sentences.sentences import FileSentence
from explorer.processes import forked
from explorer.processes.piped import PipedMessages

TRIED = FileSentence(1, "a b c")


def can_be_copied(threads: int) -> bool:
    """Whether a copy of this process could answer.

    Args:
        threads: Those that it is to have: OpenMP's do not work in a copy.
    """
    return threads == 1 and forked.can_be_copied()


def copied(answering: Answering, context: Context) -> OtherProcess | None:
    """Copy this process, which is doing nothing else; None where the system refuses.

    Args:
        answering: What it is to answer.
        context: Of the models that it has.
    """
    errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
    made = forked.copied(functools.partial(_answer, answering, context), errors)
    if made is None:
        errors.close()
        return None
    return OtherProcess(*made, errors)


def _answer(answering: Answering, context: Context, messages: PipedMessages) -> None:
    import torch

    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    torch.set_num_threads(1)
    alone = replace(
        context,
        is_cancelled=lambda: False,
        progress=Context.progress,
        show=Context.show,
        give_way=Context.give_way,
        elsewhere=None,
        lending=None,
    )

    def steps(sentences: Sequence[FileSentence]) -> Iterator[list[SentenceOutcome]]:
        yield from answering.steps(sentences, alone)

    def load() -> None:
        # Where a GPU gave gradients before, torch gives none in a copy.
        one = torch.ones(1, requires_grad=True)
        torch.autograd.grad(one.sum(), one)
        next(steps((TRIED,)), None)

    answer_blocks(messages, load, steps)

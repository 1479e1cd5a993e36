"""`main.py over`, and then the same sentences by another process: run under strace.

python -m tests....answered_here_and_there PROFILE FILE MODEL
"""

import sys
from pathlib import Path

from explorer import cli
from explorer.api.family import LoadOptions
from explorer.api.question import Context
from explorer.api.worker_context import Parallelism
from explorer.files_of_sentences.runners.blocks import SentenceBlock
from explorer.files_of_sentences.runners.messages import BlockRows, Done, RunnerJob
from explorer.files_of_sentences.runners.other_process import started
from explorer.files_of_sentences.sentences import FileSentence
from explorer.paths import Paths
from explorer.program import Program
from explorer.questions.masking.surprisal.question import SurprisalRequest
from explorer.serialise import to_json


def main(profile: str, file: str, model: str) -> int:
    """The exit status of the command, and 1 where the other process fails."""
    over = ["over", file, "--model", model, "--no-log", "--processes", "1"]
    if status := cli.main(["--profile", profile, "--device", "cpu", *over]):
        return status
    runner = Program(Paths.profile(Path(profile))).runner(Parallelism(2))
    runner.load("A", model, LoadOptions(device="cpu"), Context())
    elsewhere = runner.with_models({"model": "A"}, Context()).elsewhere
    assert elsewhere is not None
    process = started(RunnerJob(elsewhere, "surprisal", to_json(SurprisalRequest("")), 1))
    assert process is not None
    try:
        assert process.is_ready(), process.problem
        lines = Path(file).read_text("utf-8").splitlines()
        process.give(
            SentenceBlock(0, tuple(FileSentence(n, line) for n, line in enumerate(lines, start=1)))
        )
        while isinstance(said := process.next(), BlockRows):
            pass
        return 0 if isinstance(said, Done) else 1
    finally:
        process.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

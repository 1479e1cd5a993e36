"""Claims that somebody means ill with, and a process of its own in which they are judged."""

import json
import subprocess
import sys
import time

NAMES = {
    "n": 3,
    "word": "fun",
    "row": [0.25, 0.5, 0.25],
    "rows": [[0.1, 0.2], [0.3, 0.4]],
    "masks": [{"rank": 3, "word": "fun"}, {"rank": 1, "word": "sad"}],
}


def _nested(body: str, times: int, start: str) -> str:
    """Lists made of lists made of lists, each in a loop of its own."""
    made = start
    for number in range(times):
        name = "abcdefghijklmnopqrstuvwxyz"[number % 26] * (1 + number // 26)
        made = f"[{body.replace('_', name)} for {name} in {made}]"
    return made


def _doubled(text: str, times: int) -> str:
    """A text that is added to itself again and again."""
    return _nested("_ + _", times, f"[{text}]")


LONG_ROUNDS = [
    f"round({number}, {places}) == 0"
    for number in ("1", "n", "10 ** 3", "1.5", "len(row)", "-7", "True")
    for places in ("-10000000000", "-100000000", "-(9999 * 9999 * 9999)", "10000000000")
]
SQUARED = [
    f"{_nested('_ * _', times, start)}[0] > 1"
    for times in (10, 30, 60)
    for start in ("[3]", "[n + 7]", "range(3, 99)")
]
LONG_NUMBERS = [
    "9" * 1900 + " > 1",
    "0x" + "f" * 1900 + " > 1",
    "9" * 400 + " * " + "9" * 400 + " > 1",
    "sum([" + ", ".join(["9" * 290] * 6) + "]) > " + "9" * 100,
    " * ".join(["n"] * 600) + " > 1",
    "10 ** 9 ** 9 > 1",
    "[x // 7 for x in [" + "8" * 1500 + "]][0] > 1",
    "round(1e308) * round(1e308) > 1",
    "-" + "9" * 1800 + " < n",
    "9" * 1500,
]
DOUBLED = [
    f"len({_doubled(start, times)}[0]) > n"
    for times in (20, 34, 60)
    for start in ("word", "'x'", "row", "range(1000)")
]
SHARED = [
    f"{beginning}{_nested('[_, _]', 30, '[row]')}{end}"
    for beginning, end in (
        ("", " == row"),
        ("row in ", ""),
        ("max(", ") == row"),
        ("sorted(", ") == row"),
        ("argmax(", ") == 0"),
        ("softmax(", ") == row"),
        ("entropy(", ") == n"),
        ("sum(", ") == n"),
        ("", " != [n]"),
        ("min(row, ", ") == 1"),
        ("masks[0][", "] == 1"),
        ("", ""),
    )
]
LOOPS = [
    "len([range(100000) for x in range(100000)]) > n",
    "all(sum(range(100000)) > 0 for x in range(100000))",
    "all(entropy(range(100000)) > 0 for x in range(100000))",
    "all(softmax(range(50000))[0] >= 0 for x in range(100000))",
    "all(max(range(100000)) > 0 for x in range(100000))",
    "all(sorted(range(100000))[0] >= 0 for x in range(100000))",
    "all(len(zip(range(100000), range(100000))) > 0 for x in range(100000))",
    "all(all(range(1, 100000)) for x in range(100000))",
    "all(any(range(100000)) for x in range(100000))",
    "all(mean(range(100000)) > 0 for x in range(100000))",
    "all(-1 not in range(100000) for x in range(100000))",
    "all(range(100000) == range(100000) for x in range(100000))",
    "all(range(100000) + range(100000) for x in range(100000))",
    "all(range(100000)[1:] for x in range(100000))",
    "all(range(100000)[::-1] for x in range(100000))",
    "all(all(all(all(1 for a in row) for b in range(999)) for c in range(999)) for d in row)",
    "sum([sum([sum([a for a in range(999)]) for b in range(999)]) for c in range(999)]) > n",
    "len([[0 for a in range(9999)] for b in range(9999)]) > n",
    "len([zip(range(99999), range(99999), range(99999)) for a in range(99)]) > n",
    "len(sum([range(100000), range(100000)], [])) > n",
    "sum([[a] for a in range(20000)], [])[0] > n",
    "all(sum([[1, 2, 3]], []) for a in range(99999))",
    "zip(" + ", ".join(["range(99999)"] * 100) + ") == n",
    "len([sorted(zip(range(9999), range(9999))) for a in range(9999)]) > n",
    "len([entropy(row) for a in range(99999)]) > n",
    "[argmax(range(99999)) for a in range(99999)] == n",
    "all(masks[0].rank < 9 and masks[1].rank < 9 and masks[0].word != 'x' for a in range(99999))",
    "softmax([word + word for a in range(9999)]) == row",
    "softmax([[a] for a in range(9999)]) == row",
    "len(range(10 ** 18)) > n",
    "len(range(-9223372036854775808, 9223372036854775807)) > n",
    "len(range(0, 9999999999999999999999, 3)) > n",
]
WRITTEN = [
    "(" * 150 + "n" + ")" * 150 + " > 1",
    "[" * 150 + "n" + "]" * 150 + " == row",
    "not " * 490 + "n > 1",
    "-" * 1900 + "n < 0",
    "n" + " < n" * 490,
    " and ".join(["n > 1"] * 250),
    "n" + "[0]" * 600 + " > 1",
    "row" + ".x" * 900 + " > 1",
    "n if " * 300 + "n",
    "{**" * 100 + "n" + "}" * 100 + " == n",
    "'%1000000000d' % n == word",
    "word * 1000000000 == word",
    "row * 1000000000 == row",
    "'\\ud800' == word and '\\ud800' in masks[0].rank",
    "range(99999)",
    "[word for a in range(9999)]",
    "float('9' * 9999) > 1",
    "word.__class__.__mro__ == n",
    "n.bit_length.__self__ == n",
    "\x00 == n",
    "n > 1 " + "#" * 1900,
    "`n` > 1",
    "-0.0 ** -1 > n",
    "(-8) ** 0.5 > n",
    "1e999 // 1 > n",
    "1e999 - 1e999 > n",
    "round(1e999) > n",
    "exp(100000) > n",
    "log(0) > n",
    "entropy([]) > n",
    "entropy([1], 0) > n",
    "masks['\\x00'] == n",
    "row[1e999] == n",
    "row[::0] == n",
    "max() == n",
    "zip(n) == n",
]
HOSTILE = (*LONG_ROUNDS, *SQUARED, *LONG_NUMBERS, *DOUBLED, *SHARED, *LOOPS, *WRITTEN)

AGAIN, LONGEST = 4, 8


def judged_apart() -> list[dict[str, object]]:
    """What came of each, in a process that may not take a minute nor the machine's memory."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.lectures.hostile_claims"],
        capture_output=True,
        check=True,
        timeout=100,
    )
    return list(map(json.loads, done.stdout.splitlines()))


def main() -> None:
    """Judge each and say, a line each, how it ended, how long it took and what memory rose to.

    What took longest is judged again after the others: the processor is shared, and only the least
    says what a claim costs.
    """
    import resource

    from explorer.lectures.claims.claim import judge

    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    judge("abs(softmax(row)[0] - entropy(row)) < 9", NAMES)
    usual = _peak(resource)
    told: dict[str, dict[str, object]] = {}
    seconds: dict[str, float] = {}
    for claim in HOSTILE:
        said, seconds[claim] = _judged(claim)
        told[claim] = {"claim": claim, "said": said, "mb": _peak(resource) - usual}
    for _ in range(AGAIN):
        for claim in sorted(HOSTILE, key=seconds.__getitem__)[-LONGEST:]:
            seconds[claim] = min(seconds[claim], _judged(claim)[1])
    for claim in HOSTILE:
        sys.stdout.write(json.dumps({**told[claim], "seconds": seconds[claim]}) + "\n")


def _judged(claim: str) -> tuple[str, float]:
    """What came of it, and seconds of the processor."""
    from explorer.api.question import UserMistake
    from explorer.lectures.claims.claim import judge

    before = time.process_time()
    try:
        said = str(judge(claim, NAMES).holds)
    except UserMistake as error:
        said = error.message
    return said, time.process_time() - before


def _peak(resource: object) -> float:
    """MB that were in use at once, at most."""
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()

"""How long a knowledge graph takes: read from a packed file, then paths between two concepts.

    python -m benchmarks.knowledge_graph --edges 500000

writes assertions as ConceptNet has them into a temporary folder, between random concepts of which a
few have thousands of neighbours, as there.
"""

import argparse
import gzip
import tempfile
import time
from pathlib import Path

import numpy as np

from explorer.api.question import Context
from explorer.knowledge.files import read_graph
from explorer.knowledge.paths import paths_between

RELATIONS = ("RelatedTo", "IsA", "UsedFor", "AtLocation", "CapableOf")
ABOUT = '{"dataset": "/d/conceptnet/4/en", "license": "cc:by/4.0", "weight": 1.0}'
SKEW = 0.8
"""How much more often a concept stands in an edge than the next one."""
PAIRS = 200


def write(path: Path, edges: int) -> None:
    """Assertions between half as many concepts as edges."""
    generator = np.random.default_rng(0)
    shares = 1.0 / np.arange(1, edges // 2 + 1) ** SKEW
    ends = generator.choice(len(shares), (edges, 2), p=shares / shares.sum()).tolist()
    with gzip.open(path, "wt", compresslevel=3, encoding="utf-8") as file:
        for number, (head, tail) in enumerate(ends):
            name = f"/r/{RELATIONS[number % len(RELATIONS)]}"
            file.write(f"/a/[]\t{name}\t/c/en/word{head}/n\t/c/en/word{tail}\t{ABOUT}\n")


def main() -> None:
    """Print seconds."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--edges", type=int, default=500_000)
    edges = parser.parse_args().edges
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "assertions.csv.gz"
        write(path, edges)
        started, worked = time.perf_counter(), time.process_time()
        graph = read_graph(path, Context())
        most = int(graph.degrees.max())
        print(
            f"read and sorted: {time.perf_counter() - started:.2f} s by the clock, "
            f"{time.process_time() - worked:.2f} s of one core; {len(graph.heads):,} edges, "
            f"{len(graph.concepts):,} concepts, one with {most:,} neighbours"
        )
        order = np.argsort(-graph.degrees, kind="stable")
        drawn = np.random.default_rng(1).integers(0, len(order), (PAIRS, 2))
        # Those with most neighbours among themselves, and any with any.
        pairs = [*zip(order[:20].tolist(), order[1:21].tolist(), strict=True), *drawn.tolist()]
        slowest = 0.0
        for one, other in pairs:
            started = time.perf_counter()
            paths_between(graph, one, other)
            slowest = max(slowest, time.perf_counter() - started)
        print(f"paths of up to four edges: {slowest:.3f} s for the slowest of {len(pairs)} pairs")


if __name__ == "__main__":
    main()

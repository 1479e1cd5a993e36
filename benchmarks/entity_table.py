"""How long ERNIE's table of entities takes: converted once from the published texts, then opened.

    python -m benchmarks.entity_table --rows 5041174

writes texts as large as the published ones (4.6 GB) into a temporary folder, with random numbers.
"""

import argparse
import importlib
import tempfile
import time
from pathlib import Path

import numpy as np

from explorer.api.question import Context
from explorer.engine.plugins.host import PluginHost
from explorer.paths import Paths

WIDTH = 100
BLOCK = 20_000


def write(folder: Path, rows: int) -> None:
    """The three texts; blocks of vectors come again and again."""
    drawn = np.random.default_rng(0).uniform(-0.3, 0.3, (BLOCK, WIDTH))
    lines = ["\t".join(f"{x:.6f}" for x in row) + "\n" for row in drawn]
    block = "".join(lines)
    with (folder / "entity2vec.vec").open("w", encoding="utf-8") as file:
        for _ in range(rows // BLOCK):
            file.write(block)
        file.writelines(lines[: rows % BLOCK])
    with (folder / "entity2id.txt").open("w", encoding="utf-8") as file:
        file.write(f"{rows}\n")
        file.writelines(f"Q{7 * number}\t{number}\n" for number in range(rows))
    with (folder / "entity_map.txt").open("w", encoding="utf-8") as file:
        file.writelines(f"Somebody Number {number}\tQ{7 * number}\n" for number in range(rows))


def main() -> None:
    """Print seconds."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--rows", type=int, default=100_000)
    rows = parser.parse_args().rows
    family = PluginHost(Paths.standard().bundled_plugins, entry_points=False).family("ernie_thu")
    graph = importlib.import_module(f"{type(family).__module__.partition('.')[0]}.graph")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, rows)
        context = Context(cache=folder / "cache")
        for what in ("converted", "opened"):
            started = time.perf_counter()
            found = graph.open_graph(folder, WIDTH, context)
            found.entity(f"Q{7 * (rows - 1)}")
            found.named.called("Somebody Number 7")
            found.rows([0, rows // 2, rows - 1])
            print(f"{what}: {time.perf_counter() - started:.3f} s, {found.count:,} entities")


if __name__ == "__main__":
    main()

"""How many threads numpy's linear algebra starts. Standard library only: set before numpy comes."""

import os
import platform

OPENBLAS = "OPENBLAS_NUM_THREADS"


def start_none() -> None:
    """Leave numpy's products and decompositions to the thread that asks for them.

    What is worked out with numpy here is small. OpenBLAS' threads wait for each other without
    sleeping, and where torch, another program or another question needs the cores this takes a
    hundred times as long: 2 seconds instead of 17 milliseconds for the axes of 2400 states. A
    number that the user set stays. Only where torch brings another library (MKL) with it, for the
    number is the same for all copies of OpenBLAS in a process.
    """
    if platform.machine().lower() in ("x86_64", "amd64"):
        os.environ.setdefault(OPENBLAS, "1")

"""Which torch fits this machine."""

import ctypes
import platform
import shutil
import subprocess
import sys
from collections.abc import Collection

from explorer.engine.environment.bundle import CPU, CUDA, MPS

PATIENCE_S = 10
"""Seconds that nvidia-smi gets: where a driver is broken it may never answer."""

_DRIVER = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"


def fitting(variants: Collection[str]) -> str:
    """The variant to offer first; the CPU's where nothing else fits.

    Args:
        variants: Those that the bundle has a lock for.
    """
    if CUDA in variants and has_cuda():
        return CUDA
    if MPS in variants and has_mps():
        return MPS
    return CPU if CPU in variants else next(iter(variants))


def has_cuda() -> bool:
    """Whether an NVIDIA GPU and its driver are here; asks the driver's own tool, then itself."""
    tool = shutil.which("nvidia-smi")
    if tool is not None:
        try:
            asked = subprocess.run(
                [tool, "-L"], check=False, capture_output=True, timeout=PATIENCE_S
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        return asked.returncode == 0 and b"GPU" in asked.stdout
    try:
        driver = ctypes.CDLL(_DRIVER)
        count = ctypes.c_int(0)
        return (
            driver.cuInit(0) == 0
            and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
            and count.value > 0
        )
    except (OSError, AttributeError):
        return False


def has_mps() -> bool:
    """Whether this is a Mac whose GPU torch can use."""
    return sys.platform == "darwin" and platform.machine() == "arm64"

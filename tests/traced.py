"""The addresses that a command and all that it starts speak to, as strace sees them."""

import ipaddress
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil
import pytest

CALLS = "connect,bind,sendto,sendmsg,sendmmsg"
_ADDRESS = re.compile(r'(?:inet_addr\("|inet_pton\(AF_INET6, ")([^"]+)"')
PATIENCE = 280.0


def traced(command: Sequence[str], trace: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """Run a command under strace; skips the test where there is none, or none may be used.

    Args:
        command: Is run with all that it starts.
        trace: The file that strace writes.
        environment: Of the command.

    Returns:
        Its exit status, and what it said.
    """
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is not installed")
    # Without the filter every call of the kernel stops at strace. Older ones have none.
    filters = ["--seccomp-bpf"]
    for options in (filters, []):
        tried = subprocess.run([strace, "-f", *options, "-o", str(trace), "true"], check=False)
        if tried.returncode == 0:
            break
    else:
        pytest.skip("strace may not trace here")
    running = subprocess.Popen(
        [strace, "-f", "-qq", *options, "-e", f"trace={CALLS}", "-o", str(trace), *command],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    started = psutil.Process(running.pid)
    try:
        said, _ = running.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        # Without strace they would go on.
        for one in (*started.children(recursive=True), started):
            one.kill()
        raise
    return running.returncode, said


def beyond_loopback(trace: str) -> list[str]:
    """The lines of a trace with an address that others could reach, or that is reached of others'.

    Sockets of Unix and of the kernel have none.
    """
    return [line for line in trace.splitlines() if any(map(_is_beyond, _ADDRESS.findall(line)))]


def _is_beyond(written: str) -> bool:
    address = ipaddress.ip_address(written)
    return not (getattr(address, "ipv4_mapped", None) or address).is_loopback

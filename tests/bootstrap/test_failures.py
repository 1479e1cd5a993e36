"""What a person reads after an installer failed."""

import pytest

from explorer.bootstrap.failures import last_errors, reason_of


@pytest.mark.parametrize(
    ("output", "kind"),
    [
        ("NewConnectionError('... Failed to establish a new connection: [Errno -3]", "network"),
        ("ssl.SSLCertVerificationError: CERTIFICATE_VERIFY_FAILED", "network"),
        ("pip._vendor.urllib3.exceptions.ReadTimeoutError: Read timed out.", "network"),
        ("  Caused by: dns error", "network"),
        ("ERROR: Could not install packages: [Errno 28] No space left on device", "space"),
        ("error: failed to write to file: No space left on device (os error 28)", "space"),
        ("PermissionError: [Errno 13] Permission denied: '/x'", "permission"),
        ("OSError: [Errno 30] Read-only file system: '/x'", "permission"),
        (
            "No matching distribution found for torch==2.13.0 (from versions: 2.6, 2.7)",
            "version",
        ),
        (
            "No matching distribution found for torch==2.13.0 (from versions: none)",
            "network",
        ),
        ("  × No solution found when resolving dependencies:", "version"),
        ("Segmentation fault", "other"),
    ],
)
def test_reason(output, kind):
    reason = reason_of(f"Collecting x\n{output}")
    assert reason.kind == kind
    assert reason.hint.endswith(".")


def test_network_explains_a_missing_distribution():
    lines = "WARNING: Retrying ... Temporary failure in name resolution\nERROR: No matching d"
    assert reason_of(lines).kind == "network"


def test_last_errors_are_the_marked_ones_or_the_last_lines():
    assert last_errors("ERROR: one\nnoise\nERROR: two", 1) == ["ERROR: two"]
    assert last_errors("a\n\nb", 5) == ["a", "b"]
    lines = "  FileNotFoundError: gone\nerror: subprocess-exited-with-error\nnote: x"
    assert last_errors(lines) == ["FileNotFoundError: gone"]

"""What Xvfb shows, read from the file it keeps its pixels in."""

import struct
from pathlib import Path


def picture(dump: Path, file: Path) -> int:
    """Save what a virtual screen shows as a PNG; gives how many colours it has.

    Args:
        dump: Xvfb_screen0, in the folder that Xvfb was given as -fbdir: an XWD file, version 7.
        file: The PNG.

    Raises:
        ValueError: It is no such file, or of another depth than 24 bits in 32.
    """
    from PIL import Image

    data = dump.read_bytes()
    fields = struct.unpack_from(">25I", data)
    header, version, depth, width, height = fields[0], fields[1], fields[3], fields[4], fields[5]
    bits, line, colours = fields[11], fields[12], fields[19]
    if (version, depth, bits) != (7, 24, 32):
        raise ValueError(f"{dump} has version {version}, depth {depth}, {bits} bits a pixel")
    begin = header + 12 * colours
    pixels = data[begin : begin + line * height]
    shown = Image.frombuffer("RGB", (width, height), pixels, "raw", "BGRX", line, 1)
    shown.save(file)
    found = shown.getcolors(maxcolors=width * height)
    return len(found) if found else 0

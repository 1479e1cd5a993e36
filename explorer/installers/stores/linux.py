"""For Linux: AppStream's metainfo, and a Flatpak made of the full bundle.

https://www.freedesktop.org/software/appstream/docs/ and `man flatpak-manifest`.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from explorer.desktop.files import COMMENT, KINDS, NAME, desktop_entry, mime_package
from explorer.installers.stores.about import StoreFacts, digest
from explorer.paths import APP_NAME
from explorer.text import language

ABOUT = (
    (
        "Load a pretrained language model on your own machine and look inside: mask tokens, run "
        "replaced-token detection, compare a teacher's soft targets with a student's, take "
        "DeBERTa's attention apart, watch models learn and train small ones."
    ),
    (
        "Small checkpoints of many families and a lecture come with it, so that everything works "
        "without a network. Every answer is logged and can be replayed, compared and exported."
    ),
)
PICTURES = {
    "overview-dark.png": "What stands out for a sentence and two models",
    "replaced-tokens-dark.png": "A generator proposes words, and a discriminator looks for them",
    "lecture-light.png": "A step of the lecture, with what to look at and whether it holds",
}
"""Of docs/pictures, the first one for the front page, with what they show."""
DEFAULT = ' type="default"'
RUNTIME = ("org.freedesktop.Platform", "org.freedesktop.Sdk", "24.08")
"""The bundle brings its own Qt and Python."""
FINISH = (
    "--share=ipc",
    "--socket=wayland",
    "--socket=fallback-x11",
    "--device=dri",
    # Downloads that somebody asks for.
    "--share=network",
    "--filesystem=xdg-documents",
    "--filesystem=xdg-cache/huggingface",
)


def metainfo(of: StoreFacts, texts: Path) -> str:
    """The text of APP_ID.metainfo.xml.

    Args:
        of: The version.
        texts: The catalogues: the summary is in all their languages.
    """
    place = f"{of.repository}/raw/v{of.version}/docs/pictures"
    first = next(iter(PICTURES))
    shots = [
        f"    <screenshot{DEFAULT if one == first else ''}>"
        f"<caption>{escape(said)}</caption><image>{place}/{one}</image></screenshot>"
        for one, said in PICTURES.items()
    ]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<component type="desktop-application">',
        f"  <id>{of.app_id}</id>",
        "  <metadata_license>CC0-1.0</metadata_license>",
        f"  <project_license>{escape(of.licence)}</project_license>",
        f"  <name>{NAME}</name>",
        f"  <summary>{escape(COMMENT)}</summary>",
        *_summaries(texts),
        f"  <developer_name>The {NAME} authors</developer_name>",
        "  <description>",
        *(f"    <p>{escape(one)}</p>" for one in ABOUT),
        "  </description>",
        f'  <launchable type="desktop-id">{of.app_id}.desktop</launchable>',
        f'  <url type="homepage">{of.repository}</url>',
        f'  <url type="bugtracker">{of.repository}/issues</url>',
        "  <categories><category>Education</category><category>Science</category></categories>",
        "  <screenshots>",
        *shots,
        "  </screenshots>",
        "  <provides>",
        f"    <binary>{APP_NAME}</binary>",
        *(f"    <mediatype>{kind}</mediatype>" for kind, *_rest in KINDS),
        "  </provides>",
        '  <content_rating type="oars-1.1"/>',
        f'  <releases><release version={quoteattr(of.version)} date="{of.day}"/></releases>',
        "</component>",
        "",
    ]
    return "\n".join(lines)


def _summaries(texts: Path) -> Iterator[str]:
    for code in language.available(texts):
        found = language.find(code, texts)
        said = COMMENT if found is None else found.texts.gettext(COMMENT)
        if said != COMMENT:
            yield f"  <summary xml:lang={quoteattr(code)}>{escape(said)}</summary>"


def flatpak(of: StoreFacts, bundle: Path) -> str:
    """A Flatpak's manifest, as JSON: the full bundle, unpacked, and what a desktop reads.

    Args:
        of: The version.
        bundle: The .tar.zst that `full` made.
    """
    platform, sdk, version = RUNTIME
    share, program = "/app/share", f"/app/lib/{APP_NAME}"
    manifest = {
        "id": of.app_id,
        "runtime": platform,
        "runtime-version": version,
        "sdk": sdk,
        "command": APP_NAME,
        "finish-args": list(FINISH),
        "modules": [
            {
                "name": APP_NAME,
                "buildsystem": "simple",
                "build-commands": [
                    f"mkdir -p {program} /app/bin",
                    f"cp -a bundle/. {program}/",
                    f"ln -s {program}/{APP_NAME} /app/bin/{APP_NAME}",
                    f"install -Dm644 {of.app_id}.desktop -t {share}/applications",
                    f"install -Dm644 {of.app_id}.metainfo.xml -t {share}/metainfo",
                    f"install -Dm644 {of.app_id}.svg -t {share}/icons/hicolor/scalable/apps",
                    f"install -Dm644 {of.app_id}.xml -t {share}/mime/packages",
                ],
                "sources": [
                    {
                        "type": "archive",
                        "url": of.download(bundle.name),
                        "sha256": digest(bundle),
                        "dest": "bundle",
                    },
                    *(
                        {"type": "file", "path": f"{of.app_id}{ending}"}
                        for ending in (".desktop", ".metainfo.xml", ".svg", ".xml")
                    ),
                ],
            }
        ],
    }
    return json.dumps(manifest, indent=2) + "\n"


def entry(of: StoreFacts, texts: Path) -> str:
    """The desktop entry under the name that shops want."""
    lines = desktop_entry([APP_NAME], texts).splitlines()
    return (
        "\n".join(f"Icon={of.app_id}" if one.startswith("Icon=") else one for one in lines) + "\n"
    )


def kinds(of: StoreFacts, texts: Path) -> str:
    """The kinds of files, with the icon under that name."""
    return mime_package(texts).replace(f'icon name="{APP_NAME}"', f'icon name="{of.app_id}"')

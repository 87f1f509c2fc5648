"""What all tests share."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from blog import quick_folder
from hypothesis import settings

# Elsewhere each run tries new examples; what lands must not depend on luck.
settings.register_profile("ci", derandomize=True)
settings.register_profile("nightly", max_examples=2000)
if os.environ.get("NIGHTLY"):
    settings.load_profile("nightly")
elif os.environ.get("CI"):
    settings.load_profile("ci")


@pytest.fixture
def quick_path() -> Iterator[Path]:
    """A folder for tests that write much."""
    folder = quick_folder()
    yield folder
    shutil.rmtree(folder)

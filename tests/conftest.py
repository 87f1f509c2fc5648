"""What all tests share."""

import os

from hypothesis import settings

# Elsewhere each run tries new examples; what lands must not depend on luck.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")

"""What all tests share."""

import os

from hypothesis import settings

# Elsewhere each run tries new examples; what lands must not depend on luck.
settings.register_profile("ci", derandomize=True)
# For a night: `pytest --hypothesis-profile nightly tests/test_vault_machine.py`.
settings.register_profile("nightly", max_examples=2000)
if os.environ.get("CI"):
    settings.load_profile("ci")

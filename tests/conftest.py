"""Set up what all tests share: the profiles of Hypothesis."""

import os

from hypothesis import HealthCheck, settings

# "default" is for every run, "ci" for the run that decides: at least 20,000 examples a law.
settings.register_profile("default", max_examples=300, deadline=None)
settings.register_profile(
    "ci",
    max_examples=20_000,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
# `--hypothesis-profile` still wins: the plug-in of Hypothesis loads it after this file.
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

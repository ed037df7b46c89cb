"""One Slurm for all tests of this folder."""

import cluster as slurm
import pytest


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    reason = slurm.why_not()
    if reason:
        pytest.skip(f"no Slurm: {reason}")
    with slurm.Cluster(tmp_path_factory.mktemp("slurm") / "cluster") as running:
        yield running

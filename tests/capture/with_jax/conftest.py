"""Eight simulated devices, before anything loads JAX."""

import os

import pytest

os.environ["JAX_PLATFORMS"] = "cpu"
# What runs here is small: it is compiled quickly rather than well.
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8 --xla_backend_optimization_level=0"


@pytest.fixture
def mesh_of():
    """Return a function from {axis: size} to a mesh of simulated devices."""
    import jax_lowering

    return jax_lowering.make_mesh

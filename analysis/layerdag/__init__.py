"""Training of `layerdag`, the model of synthetic workloads that has networks: see __main__.py."""

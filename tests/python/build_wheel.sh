#!/usr/bin/env bash
# Builds the wheel of a finished build, and installs it into a folder of its own.
# Usage: build_wheel.sh BUILD_DIR WORK_DIR PYTHON; leaves WORK_DIR/dse-*.whl and WORK_DIR/site
set -euo pipefail
build=$(realpath "$1")
work=$(realpath -m "$2")
python=$3
here=$(cd "$(dirname "$0")" && pwd)

"$python" -c 'import nanobind, scikit_build_core' 2>/dev/null || { echo "no nanobind: see analysis/requirements.txt"; exit 1; }
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log" || { cat "$work/install.log"; exit 1; }
"$python" -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps --wheel-dir "$work" \
    --config-settings build-dir="$work/build" --config-settings cmake.define.CMAKE_PREFIX_PATH="$work/prefix" "$here/../../python"
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$work/site" "$work"/dse-*.whl

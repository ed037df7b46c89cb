#!/usr/bin/env bash
# Installs a build of dse to a fresh prefix, then configures, builds and runs consumer/ against that prefix only.
# Usage: install_and_use.sh BUILD_DIR WORK_DIR [MPIRUN]
set -euo pipefail
build=$1
work=$2
mpirun=${3:-}
here=$(cd "$(dirname "$0")" && pwd)

rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log" || { cat "$work/install.log"; exit 1; }
if grep -rlF "$build" "$work/prefix/lib/cmake" "$work/prefix/include"; then
    echo "the files above name the build folder: the package works on this machine only"
    exit 1
fi
cmake -S "$here/consumer" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
cmake --build "$work/build"
"$work/build/consumer"
[[ $("$work/build/campaign" "$work/alone.h5") == "35 rows" ]] || { echo "no campaign"; exit 1; }
found=$("$work/build/search" "$work/searched.h5") || { echo "no search: $found"; exit 1; }
if [[ -n $mpirun ]]; then
    rows=$(OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "$mpirun" -n 2 --oversubscribe \
        "$work/build/campaign" "$work/two.h5")
    [[ $rows == "35 rows" ]] || { echo "no campaign under mpirun: $rows"; exit 1; }
    shared=$(OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "$mpirun" -n 2 --oversubscribe \
        "$work/build/search" "$work/searched_by_two.h5")
    [[ $shared == "$found" ]] || { echo "another search under mpirun: $shared instead of $found"; exit 1; }
fi
[[ -s $work/alone.h5 ]] || { echo "no rows on disk"; exit 1; }

if [[ -x $work/prefix/bin/dse ]]; then
    # The installed program reads the installed data: a model that stands nowhere else.
    models=$work/prefix/share/dse/workloads/models
    sed 's/^name: llama3_8b/name: only_here/' "$models/llama3_8b.yaml" >"$models/only_here.yaml"
    (cd / && "$work/prefix/bin/dse" list models) | grep -F only_here
    (cd / && "$work/prefix/bin/dse" pareto "$work/alone.h5") | grep -F iteration_time
    (cd / && "$work/prefix/bin/dse" plan "$work/prefix/share/dse/sweeps/smoke.yaml")
    [[ -f $work/prefix/share/dse/analysis/dse_analysis/__init__.py ]] || { echo "no dse_analysis"; exit 1; }
fi

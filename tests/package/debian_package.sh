#!/usr/bin/env bash
# Makes the Debian package of a build, installs it into a root of its own, and runs a sweep with what is there.
# Usage: debian_package.sh BUILD_DIR WORK_DIR
set -euo pipefail
build=$1
work=$2

rm -rf "$work"
mkdir -p "$work/root/var/lib/dpkg/"{info,updates,triggers} "$work/elsewhere"
touch "$work/root/var/lib/dpkg/"{status,available}
(cd "$work" && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work") >"$work/cpack.log" 2>&1 ||
    { cat "$work/cpack.log"; exit 1; }
package=$(echo "$work"/dse_*.deb)

# Every dependency is a package of this system, which the program was linked on, or is provided by one.
names() { tr ',' '\n' | sed 's/|.*//; s/(.*//; s/ //g'; }
dpkg-deb -f "$package" Depends | names >"$work/depends"
# shellcheck disable=SC2016
dpkg-query -W -f='${db:Status-Status} ${Package}, ${Provides}\n' | sed -n 's/^installed //p' | names >"$work/known"
grep -q '^libhdf5' "$work/depends" || { echo "does not depend on HDF5"; exit 1; }
! grep -vxFf "$work/known" "$work/depends" || { echo "is no package of this system"; exit 1; }

dpkg --root="$work/root" --log="$work/dpkg.log" --force-depends --force-not-root --force-script-chrootless \
    --force-bad-path -i "$package" >"$work/install.log" 2>&1 || { cat "$work/install.log"; exit 1; }
dpkg --root="$work/root" -s dse | grep -qx 'Status: install ok installed'

# The program reads the data that lie beside it: a model that stands nowhere else.
data=$work/root/usr/share/dse
sed 's/^name: llama3_8b/name: only_here/' "$data/workloads/models/llama3_8b.yaml" >"$data/workloads/models/only_here.yaml"
sed 's/llama3_8b/only_here/' "$data/sweeps/smoke.yaml" >"$work/elsewhere/smoke.yaml"
(cd "$work/elsewhere" && "$work/root/usr/bin/dse" smoke.yaml -o smoke.h5 --progress none) | grep '(360 rows)'

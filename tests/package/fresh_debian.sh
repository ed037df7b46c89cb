#!/usr/bin/env bash
# Makes a Debian 12 system that holds nothing but its essential packages, installs the package of a build there by apt,
# as a user does, and runs a sweep in it: alone, and on two ranks. The system is removed again.
# Usage: fresh_debian.sh BUILD_DIR WORK_DIR
set -euo pipefail
build=$1
work=$2

skip() { echo "skipped: $1"; exit 77; }

suite=bookworm
command -v mmdebstrap >/dev/null || skip "mmdebstrap is not installed (apt-get install mmdebstrap)"
[[ $(id -u) -eq 0 ]] || skip "making a system needs root"
# The program was linked on this system, so that it needs a new one of the same release.
# shellcheck source=/dev/null
[[ $(. /etc/os-release && echo "${VERSION_CODENAME:-}") == "$suite" ]] || skip "this system is no Debian 12"
# shellcheck disable=SC2016
mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    sed -n "s/^$suite main //p" | head -n 1)
[[ -n $mirror ]] || skip "apt knows no mirror of $suite here"

rm -rf "$work"
mkdir -p "$work"
/usr/lib/apt/apt-helper download-file "${mirror%/}/dists/$suite/InRelease" "$work/InRelease" >"$work/mirror.log" 2>&1 ||
    skip "the mirror of $suite that apt uses here does not answer"
(cd "$work" && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work") >"$work/cpack.log" 2>&1 ||
    { cat "$work/cpack.log"; exit 1; }
mv "$work"/dse_*.deb "$work/dse.deb"

# What happens inside, by a user without rights where none are needed.
cat >"$work/inside.sh" <<'TEXT'
set -eux
export DEBIAN_FRONTEND=noninteractive
! command -v dse
apt-get install -y -qq --no-install-recommends /dse.deb
useradd --create-home somebody
cat >/tmp/sweep.sh <<'SWEEP'
set -eux
cd
dse --version
dse /usr/share/dse/sweeps/smoke.yaml -o one.h5 --progress none
dse pareto one.h5
dse list models | grep llama3_8b
SWEEP
su somebody -c 'sh /tmp/sweep.sh'
apt-get install -y -qq --no-install-recommends openmpi-bin
su somebody -c 'cd && mpirun --oversubscribe -n 2 dse /usr/share/dse/sweeps/smoke.yaml -o two.h5 --progress none
    dse diff one.h5 two.h5'
echo the sweep ran in a new system
TEXT
# shellcheck disable=SC2016
# A system of format null is in a folder of /tmp while it is being made, and removed at the end.
mmdebstrap --quiet --variant=minbase --mode=root --format=null \
    --customize-hook="copy-in '$work/dse.deb' '$work/inside.sh' /" \
    --customize-hook='chroot "$1" sh /inside.sh' \
    "$suite" - "$mirror" >"$work/system.log" 2>&1 || { tail -n 60 "$work/system.log"; exit 1; }
grep -E '\([0-9]+ rows\)|^the sweep ran' "$work/system.log"
grep -qx 'the sweep ran in a new system' "$work/system.log"

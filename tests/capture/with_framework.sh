#!/usr/bin/env bash
# Tests the capture scripts with a framework, in a Python environment of its own.
# usage: with_framework.sh FRAMEWORK FOLDER     the environment is made in FOLDER, where its requirements changed
set -euo pipefail
framework=$1 folder=$2
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$tests/../.." && pwd)
requirements=$root/workloads/capture/requirements-$framework.txt

if [[ -z ${DSE_CAPTURE:-} ]]; then
    echo "no capture: DSE_CAPTURE is not set (it installs $framework from the network and takes minutes)"
    exit 0
fi

wanted=$(sha256sum <"$requirements")
if [[ ! -f $folder/requirements || $(<"$folder/requirements") != "$wanted" ]]; then
    rm -rf "$folder"
    python3 -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$requirements"
    echo "$wanted" >"$folder/requirements"
fi

"$folder/bin/python" -B -m pytest -q -p no:cacheprovider "$tests/with_$framework"
"$folder/bin/python" -B "$root/workloads/capture/remake.py" "$root/workloads/captures/$framework"/*.json

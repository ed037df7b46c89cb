#!/usr/bin/env bash
# A sweep over three hosts: network namespaces on a bridge, each with a name and an sshd of its own, mpirun across them.
# Usage: several_hosts.sh DSE MPIRUN SWEEP; ends with 77 where root, ip or sshd are missing
set -euo pipefail
dse=$1
mpirun=$2
sweep=$3

skip() { echo "skipped: $1"; exit 77; }
[[ $(id -u) -eq 0 ]] || skip "not root"
command -v ip >/dev/null || skip "no ip (iproute2)"
sshd=$(command -v sshd || ls /usr/sbin/sshd 2>/dev/null) || skip "no sshd (openssh-server)"

# Everything in namespaces of this script alone: no interface, no mount is left behind.
if [[ -z ${DSE_HOSTS_INSIDE:-} ]]; then
    unshare --net --mount --propagation private true 2>/dev/null || skip "no network namespaces here"
    DSE_HOSTS_INSIDE=1 exec unshare --net --mount --propagation private --pid --fork --kill-child --mount-proc "$0" "$@"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
hosts=(node1 node2 node3)

network() {
    mount -t tmpfs none /run
    mkdir -p /run/netns /run/sshd
    ip link set lo up
    ip link add bridge0 type bridge
    ip link set bridge0 up
    local i=0 host
    echo "127.0.0.1 localhost" >"$work/hosts"
    for host in "${hosts[@]}"; do
        i=$((i + 1))
        ip netns add "$host"
        ip link add "port$i" type veth peer name eth0 netns "$host"
        ip link set "port$i" master bridge0 up
        ip -n "$host" addr add "10.77.0.$i/24" dev eth0
        ip -n "$host" link set eth0 up
        ip -n "$host" link set lo up
        echo "10.77.0.$i $host" >>"$work/hosts"
    done
    mount --bind "$work/hosts" /etc/hosts
}

# on HOST COMMAND...: there, under its name.
on() {
    local host=$1
    shift
    # shellcheck disable=SC2016
    ip netns exec "$host" unshare --uts bash -c 'hostname "$0" && exec "$@"' "$host" "$@"
}

daemons() {
    ssh-keygen -q -t ed25519 -N '' -f "$work/host_key"
    ssh-keygen -q -t ed25519 -N '' -f "$work/user_key"
    cat >"$work/sshd_config" <<TEXT
HostKey $work/host_key
AuthorizedKeysFile $work/user_key.pub
PermitRootLogin prohibit-password
StrictModes no
UsePAM no
PidFile none
SetEnv OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
TEXT
    cat >"$work/ssh_config" <<TEXT
IdentityFile $work/user_key
StrictHostKeyChecking no
UserKnownHostsFile /dev/null
LogLevel ERROR
TEXT
    local host
    for host in "${hosts[@]}"; do
        on "$host" "$sshd" -D -e -f "$work/sshd_config" 2>"$work/$host.log" &
    done
    for host in "${hosts[@]}"; do
        for _ in {1..50}; do
            [[ $(on node1 ssh -F "$work/ssh_config" "$host" hostname 2>/dev/null) == "$host" ]] && continue 2
            sleep 0.1
        done
        cat "$work"/*.log
        echo "no sshd on $host"
        exit 1
    done
}

network
daemons
cd "$work"
"$dse" "$sweep" -o alone.h5 --progress none >/dev/null
# mpirun hands other hosts no variables but its own unless told to: what sanitizers are to do goes along.
forwarded=()
for variable in ASAN_OPTIONS UBSAN_OPTIONS; do
    [[ -z ${!variable:-} ]] || forwarded+=(-x "$variable")
done
on node1 "$mpirun" -n 6 --host node1:2,node2:2,node3:2 --oversubscribe --mca plm_rsh_agent "ssh -F $work/ssh_config" \
    --mca btl tcp,self --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 "${forwarded[@]}" \
    "$dse" "$sweep" -o together.h5 --progress none --rank-zero never
"$dse" diff alone.h5 together.h5
"$dse" export together.h5 --csv -o rows.csv
for host in "${hosts[@]}"; do
    grep -c "\b$host\b" rows.csv | sed "s/^/$host answered rows: /" || { echo "$host answered nothing"; exit 1; }
done

# Nodes of a cluster. Each node is a set of namespaces on this host: its own network, host name, processes and mounts.
# The nodes are connected to a bridge in another such set ("head"). So nothing is visible outside, and everything is
# removed when the head ends, for any reason.
#
# A test calls `cluster_begin "$@"` first: outside of the head it restarts the test as the head and does not return.
# Then the test sources tests/cli/cli.sh and calls cluster_network and cluster_nodes.
limit_s=400

# Prints the first missing requirement, which skips a test; "" if there is none.
cluster_lacks() { # required programs
    [ "$(id -u)" = 0 ] || { echo "only root makes namespaces"; return; }
    for program in unshare nsenter ip "$@"; do
        PATH=$PATH:/usr/sbin:/sbin command -v "$program" >/dev/null || { echo "there is no $program (./deps.sh cluster)"; return; }
    done
    unshare --net --uts --ipc --mount --pid --fork --kill-child --mount-proc ip link add name veth0 type veth peer name veth1 2>/dev/null ||
        echo "no network namespaces can be made here"
}

cluster_begin() { # the script's arguments
    [ "$CLUSTER_HEAD" != yes ] || return 0
    make --no-print-directory -C "$(dirname "$0")/../.." "BUILD=$BUILD" "$BUILD/tests/helpers/hog" "$BUILD/tests/helpers/json" >&2 || exit 2
    TMPDIR=$(mktemp -d) && chmod 755 "$TMPDIR" && export TMPDIR
    export CLUSTER_HEAD=yes CLUSTER_GROUP=carmine-test-$$
    timeout -s KILL $limit_s unshare --net --uts --ipc --mount --pid --fork --kill-child --mount-proc "$0" "$@" &
    head=$!
    trap 'kill -KILL $head 2>/dev/null' HUP INT TERM
    wait $head
    ended=$?
    rm -rf "$TMPDIR"
    cluster_group_end
    [ $ended -lt 124 ] || { echo "not ok $(basename "$0"): ended after $limit_s s, or killed"; ended=1; }
    exit $ended
}

# A control group that grants half a CPU to processes that write themselves into $group. If none is possible, $group is
# empty, and $group_lacks is the reason.
cluster_group() {
    group_lacks="no cpu controller of control groups is mounted here" group=
    while read -r _ at type options _; do
        case $type,$options, in
        cgroup,*,cpu,*) group=$at/$CLUSTER_GROUP limit=cpu.cfs_quota_us grants=50000 ;;
        cgroup2,*) [ ! -e "$at/cgroup.controllers" ] || ! grep -qw cpu "$at/cgroup.subtree_control" || {
            group=$at/$CLUSTER_GROUP limit=cpu.max grants="50000 100000"
        } ;;
        esac
        [ -z "$group" ] || break
    done </proc/self/mounts
    [ -n "$group" ] || return 0
    if ! mkdir "$group" 2>/dev/null || ! echo "$grants" 2>/dev/null >"$group/$limit"; then
        group_lacks="${group%/*} cannot be written"
        group=
    fi
}

# Removes the group, outside of the head, after its processes have ended.
cluster_group_end() {
    for group in /sys/fs/cgroup/"$CLUSTER_GROUP" /sys/fs/cgroup/*/"$CLUSTER_GROUP"; do
        for _ in $(seq 50); do
            [ -d "$group" ] || break
            rmdir "$group" 2>/dev/null || sleep 0.1
        done
    done
}

address() { echo "10.99.0.$1"; }

# Sets up the head's part of the network, and the names of N nodes.
cluster_network() { # N
    mount --make-rprivate /
    hostname head
    ip link set lo up
    ip link add name bridge0 type bridge
    ip addr add "$(address 254)/24" dev bridge0
    ip link set bridge0 up
    { echo "127.0.0.1 localhost"; echo "$(address 254) head"; for i in $(seq "$1"); do echo "$(address "$i") node$i"; done; } >"$work/hosts"
    mount --bind "$work/hosts" /etc/hosts
}

# Starts the nodes node1 to nodeN. Each runs the command once its network is up. NODE.pid has the process ID of the
# node.
cluster_nodes() { # N, command of a shell
    for i in $(seq "$1"); do
        own=$(address "$i") # computed here, so the holder has one child only: the node
        unshare --net --uts --ipc --mount --pid --fork --kill-child --mount-proc sh -c "
            hostname node$i
            until ip link show eth0 >/dev/null 2>&1; do sleep 0.02; done
            ip link set lo up
            ip addr add $own/24 dev eth0
            ip link set eth0 up
            until ip link show eth0 | grep -q LOWER_UP; do sleep 0.02; done
            $2" >"$work/node$i.out" 2>&1 &
        holder=$! node=
        until node=$(cut -d ' ' -f 1 "/proc/$holder/task/$holder/children") && [ -n "$node" ] &&
            ip link add name "veth$i" type veth peer name eth0 netns "$node" 2>/dev/null; do
            sleep 0.02
        done
        echo "$node" >"$work/node$i.pid"
        ip link set "veth$i" master bridge0 up
    done
}

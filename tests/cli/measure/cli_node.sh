#!/bin/sh
# carmine-node: one file that measures where there is nothing but a kernel: as root in a folder with /proc and /sys alone,
# with the system calls of Linux 3.10, and without a variable. Its objects are those of BUILD.
. "$(dirname "$0")/../cli.sh"
here=$work/build bare=$work/bare

# AArch64's beginning unpacks a small program, on pages of each size.
cross=aarch64-linux-gnu arm=$work/arm
mkdir -p arm/node
cat >small.c <<'END'
#include <stdio.h>
static _Thread_local int own = 7;
static int begun;
__attribute__((constructor)) static void begin(void) { begun = 5; }
int main(int count, char **words) { return printf("%s %d %d\n", words[count - 1], own, begun) < 0; }
END
if ! command -v qemu-aarch64-static >/dev/null; then
    skip "on AArch64" "there is no qemu-aarch64-static"
elif ! $cross-gcc -static -no-pie -o arm/node/program small.c 2>/dev/null; then
    skip "on AArch64" "there is no $cross-gcc that links static programs"
else
    start make --no-print-directory -C "$tests/.." CROSS=$cross BUILD="$arm" -o "$arm/node/program" "$arm/carmine-node"
    expect "it is packed for AArch64" status 0 file arm/carmine-node
    for bytes in 4096 16384 65536; do
        start qemu-aarch64-static -p $bytes arm/carmine-node first last
        expect "on AArch64, pages of $bytes bytes" status 0 out "last 7 5" lines 1 err-lines 0
    done
    printf 'abcd' | dd of=arm/carmine-node bs=1 seek=100000 conv=notrunc 2>/dev/null
    start qemu-aarch64-static arm/carmine-node
    expect "a damaged file does not run on AArch64" status 2 lines 0 err-lines 1 err "this file is damaged"
fi

# What `dpkg -x` unpacked has its licences, and no list of packages.
mkdir -p "root/usr/lib" "root/usr/share/doc/libmade-up-dev" && : >root/usr/lib/libmade-up.a
echo "Copyright of somebody" >root/usr/share/doc/libmade-up-dev/copyright
echo "made (1:2.3-4) unstable; urgency=medium" | gzip >root/usr/share/doc/libmade-up-dev/changelog.Debian.gz
start env SYSROOT=root/ "$tests/../carm/node/notices" root/usr/lib/libmade-up.a
expect "the licence of a library below SYSROOT" status 0 err-lines 0 out "  libmade-up-dev, of the source made 1:2.3-4" out "==== /usr/share/doc/libmade-up-dev/copyright ====" \
    out "Copyright of somebody"
start "$tests/../carm/node/notices" root/usr/lib/libmade-up.a
expect "a library of no package is reported" status 0 err-lines 1 err "the licences are missing of $work/root/usr/lib/libmade-up.a"

for library in libhwloc.a libjansson.a libgomp.a libc.a; do
    case $(gcc -print-file-name=$library 2>/dev/null) in /*) ;; *) lacks=$library ;; esac
done
! grep -q -e __asan_init -e __kmpc_fork_call "$BUILD/carmine" || lacks="objects of gcc without sanitizers"
if [ "$lacks" ]; then
    skip "carmine-node" "there is no $lacks to link it with"
    end_of_cases
    exit
fi
mkdir "$here" "$bare" "$bare/proc" "$bare/sys" && ln -s "$BUILD"/* "$here" && rm -rf "$here/node" "$here/carmine-node"
start make --no-print-directory -C "$tests/.." BUILD="$here" node
node=$here/carmine-node
expect "it is linked" status 0 file "$node" true '[ "$(wc -c <"$node")" -le 3000000 ]'
[ "$status" = 0 ] || { end_of_cases; exit; }
! command -v dpkg-query >/dev/null || while IFS=: read -r library notice; do
    expect "with the licence of $library" true "grep -Eq '$notice' '$node.notices'"
done <<'END'
hwloc:of the source hwloc [0-9]
gcc:of the source gcc-[0-9]+ [0-9]
jansson:Copyright.*Petri Lehtinen
libgomp:^GCC RUNTIME LIBRARY EXCEPTION
glibc:^ *GNU LESSER GENERAL PUBLIC LICENSE
END
! command -v dpkg-query >/dev/null || grep -q zydis "$BUILD/absent" ||
    expect "with the licence of Zydis" true "grep -q 'of the source zydis [0-9]' '$node.notices'"
old=$BUILD/tests/helpers/old_kernel
"$old" true || old=env
began=$(date +%s.%N) on="a folder with /proc and /sys alone"
cp "$node" "$bare"
if unshare --mount chroot "$bare" /carmine-node --version >out 2>err; then
    cat >in_bare <<'END'
#!/bin/sh
cd "$bare" && mount -t proc proc proc && mount --rbind /sys sys && exec env -i "$old" "$(command -v chroot)" . /carmine-node "$@"
END
    chmod +x in_bare
    export bare old
    carmine="unshare --mount $work/in_bare"
else
    skip "in a folder of its own" "that takes root: $(tail -n 1 err)"
    carmine="env -C $bare -i $old $node" on="this system"
fi
# shellcheck disable=SC2086
run() { start $carmine "$@"; }

run run --quick -o first.json
expect "the first picture" status 0 file "$bare/first.svg"
way static "the static program" "$on" "$node" "$node" "$began" "$began"
run machine
expect "machine" status 0 err-lines 0 out "L1"
run doctor
expect "doctor" err-lines 0 true '[ "$status" -le 1 ]'
run run --isa $isa --type f64 --mix mul,load --threads 1 --budget 5 -o q.json
expect "run" status 0 file "$bare/q.json" file "$bare/q.svg"
run show q.json
expect "show" status 0 err-lines 0 out "L1"
run plot q.json
expect "plot in the terminal" status 0 err-lines 0 out "f64"
run plot q.json -o x.svg
expect "plot as SVG" status 0 err-lines 0 true "grep -q 'textLength=\"[1-9]' '$bare/x.svg'" true "tail -n 1 '$bare/x.svg' | grep -qx '</svg>'"
refuses "a picture that takes cairo" "carmine-node has no cairo" plot q.json -o x.pdf
for each in app workload view; do
    refuses "no $each" "this carmine-node has no $each; the whole carmine has" $each x
done
if [ $isa = sse ] && grep -q zydis "$BUILD/absent"; then
    skip "core" "carmine was built without zydis"
else
    run kernels --verify "$isa.f64.*"
    expect "the machine code of kernels is proven" status 0 err-lines 0
    run core --budget 5
    expect "core" out "forms of instructions timed"
fi

# A file that changed on its way.
cp "$node" damaged
printf 'abcd' | dd of=damaged bs=1 seek=200000 conv=notrunc 2>/dev/null
start ./damaged --version
expect "a damaged file does not run" status 2 lines 0 err-lines 1 err "this file is damaged; copy carmine-node again"

# fleet run sends it: the node has no carmine.
mkdir bin tmp
cat >bin/scontrol <<'END'
#!/bin/sh
echo n1
END
cat >bin/srun <<'END'
#!/bin/sh
while [ "$1" != sh ]; do shift; done
exec env -i PATH=/usr/bin:/bin TMPDIR=tmp SLURMD_NODENAME=n1 "$@"
END
cat >bin/sinfo <<'END'
#!/bin/sh
echo "n1|idle|none"
END
cat >bin/sbatch <<'END'
#!/bin/sh
for word; do case $word in --wrap=*) wrap=${word#*=} ;; --output=*) log=${word#*=} ;; esac; done
env -i PATH=/usr/bin:/bin SLURMD_NODENAME=n1 sh -c "$wrap" >"$log" 2>&1 && echo COMPLETED >job || echo FAILED >job
echo 7
END
cat >bin/squeue <<'END'
#!/bin/sh
[ ! -e job ] || echo "7|n1|$(cat job)|None"
END
chmod +x bin/*
rm "$here/carmine" && cp "$BUILD/carmine" "$here"
# shellcheck disable=SC2086
start env PATH="$work/bin:$PATH" SLURM_JOB_ID=1 SLURM_JOB_NODELIST=n1 "$here/carmine" fleet run --by slurm -- $short
expect "fleet run sends it" status 0 file nodes/n1.json err "carmine-node is sent to each" out "1 node of 1 machine type" true '[ -z "$(ls tmp)" ]'
start env PATH="$work/bin:$PATH" SLURM_JOB_ID=1 SLURM_JOB_NODELIST=n1 "$here/carmine" fleet run --by slurm -o none --dry-run
expect "as the dry run shows" status 0 out " carmine-node fleet node < $here/carmine-node"
# shellcheck disable=SC2086
start env PATH="$work/bin:$PATH" "$here/carmine" fleet run --by slurm -o shared -- $short
expect "a job finds it in the folder" status 0 file shared/n1.json file shared/carmine-node out "1 node of 1 machine type"
inode=$(stat -c %i shared/carmine-node)
rm shared/n1.json job
# shellcheck disable=SC2086
start env PATH="$work/bin:$PATH" "$here/carmine" fleet run --by slurm -o shared -- $short
expect "the next call leaves it there, for jobs that execute it" status 0 file shared/n1.json true '[ "$(stat -c %i shared/carmine-node)" = $inode ]'

# A node of another architecture: n1's `uname` says so; its program is a script that starts this one.
mkdir other
printf '#!/bin/sh\n[ "$1" = -m ] && echo "%s"\n' "$([ "$(uname -m)" = aarch64 ] && echo x86_64 || echo aarch64)" >other/uname
chmod +x other/uname
sed -i "s|PATH=/usr/bin:/bin|PATH=$work/other:/usr/bin:/bin|" bin/srun bin/sbatch
other=$here/carmine-node-$(other/uname -m)
for way in step job; do
    [ $way = job ] || set -- SLURM_JOB_ID=1 SLURM_JOB_NODELIST=n1
    [ $way = step ] || set --
    rm -f job "$other"
    # shellcheck disable=SC2086
    start env PATH="$work/bin:$PATH" "$@" "$here/carmine" fleet run --by slurm -o "$way-lacks" -- $short
    expect "a $way on another architecture, without its program" status 2 no-file "$way-lacks/n1.json" \
        err "this node is $(other/uname -m), and carmine has no carmine-node for it: build one (make CROSS=$(other/uname -m)-linux-gnu node)"
    printf '#!/bin/sh\necho "$0" >>"%s/began"\nexec "%s" "$@"\n' "$work" "$node" >"$other"
    chmod +x "$other"
    : >began
    rm -f job
    # shellcheck disable=SC2086
    start env PATH="$work/bin:$PATH" "$@" "$here/carmine" fleet run --by slurm -o "$way-has" -- $short
    expect "a $way on another architecture, with its program" status 0 file "$way-has/n1.json" true 'grep -q carmine-node began' no-file "$way-has/carmine-node.all" true '[ -z "$(ls tmp)" ]'
done
end_of_cases

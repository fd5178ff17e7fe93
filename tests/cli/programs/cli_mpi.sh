# shellcheck shell=sh
# Programs of several ranks with each installed MPI: carmine starts mpirun.
# shellcheck disable=SC2016 # conditions are evaluated by expect
. "$(dirname "$0")/../cli.sh"

# By default Open MPI starts no more ranks than cores, and none as root. In version 5, PRRTE starts them.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
unset OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMI_RANK PMI_SIZE SLURM_PROCID SLURM_STEP_NUM_TASKS

flop=20000000 # per rank; the last rank does twice as many
point() { json "points.*.$1" <"${2:-out}" | xargs echo; }

around() { # MPI: carmine starts this MPI's mpirun
    run app --repeat 1 --json -o "around$1.json" -- "mpirun$1" -n 3 "./ranks$1" $flop
    expect "$1: carmine around mpirun" status 0 err "80000000 flop" \
        true '[ "$(point name)" = "$(echo "ranks@/solve ranks@/solve rank 0 ranks@/solve rank 1 ranks@/solve rank 2" | sed "s/@/'"$1"'/g")" ]'
    expect "$1: exact flop of the ranks, and of all together" true '[ "$(point flop)" = "80000000 20000000 20000000 40000000" ]' \
        true '[ "$(point ranks)" = "3 3 3 3" ]' true '[ "$(point rank)" = "null 0 1 2" ]' true '[ "$(point threads)" = "3 1 1 1" ]'
    # Bytes exclude the waiting at barriers, so they do not depend on its length.
    expect "$1: bytes without those of MPI" true 'point core_bytes | awk "{ exit !(\$1 == \$2 + \$3 + \$4 && \$2 == \$3 && \$3 == \$4 && \$1 < 100000) }"' \
        true 'point mpi_bytes | awk "{ exit !(\$1 == \$2 + \$3 + \$4 && \$1 > 0) }"' true '[ "$(point mpi_calls)" = "30 10 10 10" ]'
    expect "$1: time in MPI is part of it" true 'json points.0.seconds points.0.mpi_seconds points.0.imbalance <out | xargs | awk "{ exit !(\$2 > 0 && \$2 < \$1 && \$3 > 1) }"'
    expect "$1: the whole is named after the program, without the launcher" true '[ "$(json program.name <out)" = "ranks'"$1"'" ]' \
        true '[ "$(json program.ranks program.processes <out | xargs)" = "3 3" ]' true '[ "$(json program.flop <out)" -ge 80000000 ] && [ "$(json program.flop <out)" -lt 81000000 ]'
    run show "around$1.json" --all
    expect "$1: kept in the file" status 0 out "ranks and MPI" out "ranks$1/solve rank 2"
    run app --repeat 1 --by program -- "mpirun$1" -n 1 "./ranks$1" 1000
    expect "$1: one rank" status 0 out "of the time is in MPI" not "rank 0"
}

found=
for mpi in .openmpi .mpich ""; do
    [ -n "$mpi" ] || [ -z "$found" ] || continue
    command -v "mpicc$mpi" >/dev/null && command -v "mpirun$mpi" >/dev/null || continue
    if ! "mpicc$mpi" -std=gnu11 -O2 -I"$tests/../probe/marks" -o "ranks$mpi" "$tests/apps/mpi_imbalance.c" "$BUILD/libcarmine.a" 2>err; then
        skip "mpicc$mpi" "it does not compile: $(head -n 1 err)"
        continue
    fi
    found=$mpi
    start "mpirun$mpi" -n 3 "./ranks$mpi" 1000
    if [ "$status" != 0 ]; then
        skip "mpirun$mpi" "it does not run here: $(head -n 1 err)"
        continue
    fi
    around "$mpi"
done
[ -n "$found" ] || skip "MPI" "none is installed"
end_of_cases

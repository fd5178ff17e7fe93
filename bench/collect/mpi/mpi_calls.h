/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI calls in which a rank communicates or waits, each with its name in C and in Fortran. Pure queries (ranks,
 * sizes, types, the time) are left out. */
#pragma once

/* clang-format off */
#define MPI_CALLS(CALL) \
    CALL(Init, init) CALL(Init_thread, init_thread) CALL(Finalize, finalize) \
    CALL(Send, send) CALL(Bsend, bsend) CALL(Ssend, ssend) CALL(Rsend, rsend) CALL(Recv, recv) \
    CALL(Isend, isend) CALL(Ibsend, ibsend) CALL(Issend, issend) CALL(Irsend, irsend) CALL(Irecv, irecv) \
    CALL(Sendrecv, sendrecv) CALL(Sendrecv_replace, sendrecv_replace) \
    CALL(Mrecv, mrecv) CALL(Imrecv, imrecv) \
    CALL(Probe, probe) CALL(Iprobe, iprobe) CALL(Mprobe, mprobe) CALL(Improbe, improbe) \
    CALL(Start, start) CALL(Startall, startall) \
    CALL(Wait, wait) CALL(Waitall, waitall) CALL(Waitany, waitany) CALL(Waitsome, waitsome) \
    CALL(Test, test) CALL(Testall, testall) CALL(Testany, testany) CALL(Testsome, testsome) \
    CALL(Barrier, barrier) CALL(Ibarrier, ibarrier) CALL(Bcast, bcast) CALL(Ibcast, ibcast) \
    CALL(Gather, gather) CALL(Igather, igather) CALL(Gatherv, gatherv) CALL(Igatherv, igatherv) \
    CALL(Scatter, scatter) CALL(Iscatter, iscatter) CALL(Scatterv, scatterv) CALL(Iscatterv, iscatterv) \
    CALL(Allgather, allgather) CALL(Iallgather, iallgather) \
    CALL(Allgatherv, allgatherv) CALL(Iallgatherv, iallgatherv) \
    CALL(Alltoall, alltoall) CALL(Ialltoall, ialltoall) CALL(Alltoallv, alltoallv) CALL(Ialltoallv, ialltoallv) \
    CALL(Alltoallw, alltoallw) CALL(Ialltoallw, ialltoallw) \
    CALL(Reduce, reduce) CALL(Ireduce, ireduce) CALL(Allreduce, allreduce) CALL(Iallreduce, iallreduce) \
    CALL(Reduce_scatter, reduce_scatter) CALL(Ireduce_scatter, ireduce_scatter) \
    CALL(Reduce_scatter_block, reduce_scatter_block) CALL(Ireduce_scatter_block, ireduce_scatter_block) \
    CALL(Scan, scan) CALL(Iscan, iscan) CALL(Exscan, exscan) CALL(Iexscan, iexscan) \
    CALL(Neighbor_allgather, neighbor_allgather) CALL(Ineighbor_allgather, ineighbor_allgather) \
    CALL(Neighbor_allgatherv, neighbor_allgatherv) CALL(Ineighbor_allgatherv, ineighbor_allgatherv) \
    CALL(Neighbor_alltoall, neighbor_alltoall) CALL(Ineighbor_alltoall, ineighbor_alltoall) \
    CALL(Neighbor_alltoallv, neighbor_alltoallv) CALL(Ineighbor_alltoallv, ineighbor_alltoallv) \
    CALL(Neighbor_alltoallw, neighbor_alltoallw) CALL(Ineighbor_alltoallw, ineighbor_alltoallw) \
    CALL(Comm_dup, comm_dup) CALL(Comm_dup_with_info, comm_dup_with_info) CALL(Comm_create, comm_create) \
    CALL(Comm_create_group, comm_create_group) CALL(Comm_split, comm_split) CALL(Comm_split_type, comm_split_type) \
    CALL(Comm_free, comm_free) CALL(Comm_disconnect, comm_disconnect) CALL(Comm_spawn, comm_spawn) \
    CALL(Cart_create, cart_create) CALL(Cart_sub, cart_sub) CALL(Graph_create, graph_create) \
    CALL(Dist_graph_create, dist_graph_create) CALL(Dist_graph_create_adjacent, dist_graph_create_adjacent) \
    CALL(Intercomm_create, intercomm_create) CALL(Intercomm_merge, intercomm_merge) \
    CALL(Win_create, win_create) CALL(Win_allocate, win_allocate) CALL(Win_allocate_shared, win_allocate_shared) \
    CALL(Win_free, win_free) CALL(Win_fence, win_fence) CALL(Win_start, win_start) CALL(Win_complete, win_complete) \
    CALL(Win_post, win_post) CALL(Win_wait, win_wait) CALL(Win_test, win_test) CALL(Win_sync, win_sync) \
    CALL(Win_lock, win_lock) CALL(Win_unlock, win_unlock) \
    CALL(Win_lock_all, win_lock_all) CALL(Win_unlock_all, win_unlock_all) \
    CALL(Win_flush, win_flush) CALL(Win_flush_all, win_flush_all) \
    CALL(Win_flush_local, win_flush_local) CALL(Win_flush_local_all, win_flush_local_all) \
    CALL(Put, put) CALL(Get, get) CALL(Accumulate, accumulate) CALL(Get_accumulate, get_accumulate) \
    CALL(Fetch_and_op, fetch_and_op) CALL(Compare_and_swap, compare_and_swap) \
    CALL(File_open, file_open) CALL(File_close, file_close) CALL(File_sync, file_sync) \
    CALL(File_set_view, file_set_view) \
    CALL(File_read, file_read) CALL(File_read_all, file_read_all) \
    CALL(File_read_at, file_read_at) CALL(File_read_at_all, file_read_at_all) \
    CALL(File_write, file_write) CALL(File_write_all, file_write_all) \
    CALL(File_write_at, file_write_at) CALL(File_write_at_all, file_write_at_all)
/* clang-format on */

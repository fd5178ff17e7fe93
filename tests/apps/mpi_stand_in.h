/* SPDX-License-Identifier: BSD-3-Clause
 * The functions of MPI that mpi_stand_in.c has, with handles as pointers. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
typedef void mpi_operation(void); /* NULL: none */

int MPI_Init(int *argc, char ***argv);
int MPI_Barrier(void *communicator);
int MPI_Allreduce(const void *from, void *to, int count, void *type, mpi_operation *operation, void *communicator);
int MPI_Sendrecv(const void *from, int a, void *b, int c, int d, void *to, int e, void *f, int g, int h, void *i,
                 void *j);
int MPI_Finalize(void);

#ifdef __cplusplus
}
#endif

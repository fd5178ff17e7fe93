/* SPDX-License-Identifier: BSD-3-Clause
 * `old_kernel COMMAND…` runs a command as on Linux 3.10: it knows no newer system call. Status 77: the system has no
 * seccomp filters. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv) {
    enum { LAST = 313 /* finit_module, of Linux 3.8; the next, sched_setattr, is of 3.14 */, CANNOT = 77 };
    struct sock_filter lines[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, LAST, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof lines / sizeof lines[0], lines};
    if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return CANNOT;
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    return CANNOT;
}

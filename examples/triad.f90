! SPDX-License-Identifier: BSD-3-Clause
! a = b + s c over OpenMP threads, as triad.c, with the marks of module carmine: triad [N] [REPETITIONS].
!
!     gfortran -O2 -fopenmp $(pkg-config --variable=includedir carmine)/carmine.f90 triad.f90 $(pkg-config --libs carmine)
program triad_marked
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use carmine
    implicit none
    integer(int64) :: n, repetitions, i
    real(real64), allocatable :: a(:), b(:), c(:)

    n = argument(1, 1000000_int64)
    repetitions = argument(2, 10_int64)
    allocate (a(n), b(n), c(n))
    a = 0
    b = [(real(i, real64), i=0, n - 1)]
    c = 2*b
    call triad(a, b, c, 3.0_real64)
    call carmine_region_begin('triad')
    do i = 1, repetitions
        call triad(a, b, c, 3.0_real64)
    end do
    call carmine_region_end('triad')
    print '(a, es22.15)', 'sum ', sum(a)

contains

    subroutine triad(a, b, c, s)
        real(real64), intent(out) :: a(:)
        real(real64), intent(in) :: b(:), c(:), s
        integer(int64) :: i
        !$omp parallel do schedule(static)
        do i = 1, size(a, kind=int64)
            a(i) = b(i) + s*c(i)
        end do
    end subroutine

    integer(int64) function argument(position, default)
        integer, intent(in) :: position
        integer(int64), intent(in) :: default
        character(len=32) :: text
        integer :: status
        call get_command_argument(position, text)
        read (text, *, iostat=status) argument
        if (status /= 0) argument = default
    end function

end program

! SPDX-License-Identifier: BSD-3-Clause
! The measured roofs of a result file for Fortran (see carmine_roofs.h). Compile this file with the program, and link
! with -lcarmine-roofs.
!
!     use carmine_roofs
!     type(carmine_roofs_file) :: roofs
!     roofs = carmine_roofs_open('node17.json')
!     best = carmine_roof_attainable(roofs, 'DRAM', 'f64', 0.125d0, carmine_all_cores)
!     call carmine_roofs_close(roofs)
!
! Values that were not measured are NaN, and so are all values of a file that could not be opened.
module carmine_roofs
    use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_null_char, c_null_ptr, c_ptr
    implicit none
    private
    public :: carmine_roofs_open, carmine_roof_value, carmine_roof_attainable, carmine_roofs_close

    integer(c_int), parameter, public :: carmine_all_cores = 0
    type, public :: carmine_roofs_file
        private
        type(c_ptr) :: handle = c_null_ptr
    end type

    interface
        function open_file(path) bind(c, name='carmine_roofs_open') result(handle)
            import :: c_char, c_ptr
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr) :: handle
        end function
        function value_of(handle, name, threads) bind(c, name='carmine_roof_value') result(value)
            import :: c_char, c_double, c_int, c_ptr
            type(c_ptr), value :: handle
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: threads
            real(c_double) :: value
        end function
        function attainable(handle, level, type, intensity, threads) bind(c, name='carmine_roof_attainable') result(rate)
            import :: c_char, c_double, c_int, c_ptr
            type(c_ptr), value :: handle
            character(kind=c_char), intent(in) :: level(*), type(*)
            real(c_double), value :: intensity
            integer(c_int), value :: threads
            real(c_double) :: rate
        end function
        subroutine close_file(handle) bind(c, name='carmine_roofs_close')
            import :: c_ptr
            type(c_ptr), value :: handle
        end subroutine
    end interface

contains

    function carmine_roofs_open(path) result(file)
        character(len=*), intent(in) :: path
        type(carmine_roofs_file) :: file
        file%handle = open_file(trim(path)//c_null_char)
    end function

    function carmine_roof_value(file, name, threads) result(value)
        type(carmine_roofs_file), intent(in) :: file
        character(len=*), intent(in) :: name
        integer(c_int), intent(in) :: threads
        real(c_double) :: value
        value = value_of(file%handle, trim(name)//c_null_char, threads)
    end function

    function carmine_roof_attainable(file, level, type, flop_per_byte, threads) result(rate)
        type(carmine_roofs_file), intent(in) :: file
        character(len=*), intent(in) :: level, type
        real(c_double), intent(in) :: flop_per_byte
        integer(c_int), intent(in) :: threads
        real(c_double) :: rate
        rate = attainable(file%handle, trim(level)//c_null_char, trim(type)//c_null_char, flop_per_byte, threads)
    end function

    subroutine carmine_roofs_close(file)
        type(carmine_roofs_file), intent(inout) :: file
        call close_file(file%handle)
        file%handle = c_null_ptr
    end subroutine

end module

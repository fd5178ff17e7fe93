! SPDX-License-Identifier: BSD-3-Clause
! libcarmine's marks for Fortran (see carmine.h): compile this file with the program, and link with -lcarmine.
!
!     use carmine
!     call carmine_region_begin('solve')
!     ...
!     call carmine_region_end('solve')
module carmine
    use, intrinsic :: iso_c_binding, only: c_char, c_null_char
    implicit none
    private
    public :: carmine_region_begin, carmine_region_end

    interface
        subroutine begin(name) bind(c, name='carmine_region_begin')
            import :: c_char
            character(kind=c_char), intent(in) :: name(*)
        end subroutine
        subroutine end(name) bind(c, name='carmine_region_end')
            import :: c_char
            character(kind=c_char), intent(in) :: name(*)
        end subroutine
    end interface

contains

    subroutine carmine_region_begin(name)
        character(len=*), intent(in) :: name
        call begin(trim(name)//c_null_char)
    end subroutine

    subroutine carmine_region_end(name)
        character(len=*), intent(in) :: name
        call end(trim(name)//c_null_char)
    end subroutine

end module

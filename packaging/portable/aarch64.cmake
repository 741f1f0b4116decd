# For CMake on another machine: Debian's cross compiler, and the packages that make_sysroot unpacks into NDC_SYSROOT.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

# CMake reads this file anew, without variables, when it tries the compiler.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES NDC_SYSROOT)
set(CMAKE_SYSROOT ${NDC_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${NDC_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${NDC_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${NDC_SYSROOT}/usr/share/pkgconfig)

# What CMake runs of what it has built, tests above all.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L ${NDC_SYSROOT})

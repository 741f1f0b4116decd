#!/usr/bin/env python3
"""file_calls_test.py [--nm PROGRAM] --library FILE --front FILE | --self-test

Each function of the C library that libndc.so calls either is one that faults_test puts its own in front of
(interposed_files.cpp and interposed_malloc.cpp), or stands below as one that does nothing that can fail with files. And
the library asks the C++ library for no files, which would pass by both.
--self-test: that each kind of fault is seen.
"""
import argparse
import re
import subprocess
import sys

# None of these touches a file, except the last line, where a failure could change nothing.
HARMLESS = re.compile(
    r"""
    (__)?(mem(?!fd)|str)\w*                                   # bytes and strings
  | (sqrt|pow|log|log2|log10|exp|l?round|floor|ceil|trunc|fmod|ldexp|frexp)f?
  | pthread_(mutex|rwlock|cond|once|self|key|getspecific|setspecific|sigmask)\w*
  | malloc | calloc | realloc | free | posix_memalign | aligned_alloc   # of their own clock
  | __cxa_(atexit|finalize|thread_atexit_impl) | __errno_location | __libc_single_threaded | __tls_get_addr
  | __stack_chk_fail | __assert_fail | abort
  | sched_yield | nanosleep | sig(fill|del)set | __register_atfork
  | syscall                                                   # of std::atomic::wait alone: futex
  | close | closedir | madvise | getrlimit
""",
    re.X,
)
FILES_OF_CPP = re.compile(
    r"std::(__cxx11::)?(experimental::)?filesystem::|basic_(filebuf|[io]?fstream)|__basic_file|std::random_device"
)


def symbols(nm, file, *options):
    """The names of the dynamic symbols, with their versions."""
    command = [nm, "--dynamic", "--with-symbol-versions", *options, str(file)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {re.split(r" [A-Za-z] ", line, maxsplit=1)[1] for line in lines}


def faults(asked_for, in_front):
    """What of the symbols that a library asks for is neither in front nor harmless."""
    for symbol in sorted(asked_for):
        name, _, version = symbol.partition("@")
        if version.lstrip("@").startswith("GLIBC_"):
            if name not in in_front and not HARMLESS.fullmatch(name):
                yield (
                    f"{name}: if it touches files put one in front (tests/faults/interposed_files.cpp), else tell it "
                    "harmless here"
                )
        elif FILES_OF_CPP.search(name):
            yield f"{name}: files of the C++ library, which no test makes fail"


def self_test():
    in_front = {"open", "pread", "write"}
    alike = {
        "open@GLIBC_2.2.5",
        "pread@GLIBC_2.2.5",
        "memcpy@GLIBC_2.14",
        "__memcpy_chk@GLIBC_2.3.4",
        "close@GLIBC_2.2.5",
        "pthread_mutex_lock@GLIBC_2.2.5",
        "std::__throw_length_error(char const*)@GLIBCXX_3.4",
        "u_charType_72",
    }
    assert list(faults(alike, in_front)) == []
    for name in (
        "openat",
        "open64",
        "__open_2",
        "creat",
        "read",
        "__pread_chk",
        "pwrite",
        "pwrite64",
        "writev",
        "fallocate",
        "posix_fallocate",
        "rmdir",
        "remove",
        "renameat2",
        "fopen",
        "fread",
        "statx",
        "access",
        "mkstemp",
        "msync",
        "sync_file_range",
        "copy_file_range",
        "sendfile",
        "fcntl",
        "lockf",
        "ioctl",
        "memfd_create",
        "pthread_create",
    ):
        assert len(list(faults(alike | {name + "@GLIBC_2.2.5"}, in_front))) == 1, name
    for name in (
        "std::filesystem::remove(std::filesystem::__cxx11::path const&)",
        "std::basic_filebuf<char, std::char_traits<char> >::close()",
        "std::basic_ifstream<char, std::char_traits<char> >::open(char const*, std::_Ios_Openmode)",
        "std::random_device::_M_getval()",
    ):
        assert len(list(faults(alike | {name + "@GLIBCXX_3.4"}, in_front))) == 1, name
    assert len(list(faults(alike, in_front - {"pread"}))) == 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library")
    parser.add_argument("--front", help="the program whose functions stand in front")
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--self-test", action="store_true")
    given = parser.parse_args()
    if given.self_test:
        self_test()
        return 0
    asked_for = symbols(given.nm, given.library, "--undefined-only", "--demangle")
    in_front = {symbol.partition("@")[0] for symbol in symbols(given.nm, given.front, "--defined-only")}
    found = list(faults(asked_for, in_front))
    if "open" not in in_front or not any(symbol.startswith("open@") for symbol in asked_for):
        found.append("not even open was found: these are not the library and the program")
    print("\n".join(found) or f"{len(asked_for)} symbols, all are known")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

/* What gcc 12's static libraries and what Debian 12's headers declare take from glibc 2.32 to 2.36, in terms
 * of glibc 2.28. Linked into each portable file; the symbols are hidden, so that a newer glibc in the process
 * is never overridden. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

/* Not <sys/stat.h>, which would declare the functions below otherwise. */
struct stat;
int __xstat(int version, const char* path, struct stat* found);
int __lxstat(int version, const char* path, struct stat* found);
int __fxstat(int version, int file, struct stat* found);
int __fxstatat(int version, int directory, const char* path, struct stat* found, int flags);

#define HIDDEN __attribute__((visibility("hidden")))

/* 2.32. False is always right: reference counts are then atomic. */
HIDDEN char __libc_single_threaded = 0;

struct Search {
  uintptr_t address;
  struct dl_find_object* found;
};

static int visit(struct dl_phdr_info* object, size_t size, void* data) {
  (void)size;
  struct Search* search = data;
  uintptr_t start = UINTPTR_MAX, end = 0, frames = 0;
  int inside = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)* part = &object->dlpi_phdr[i];
    uintptr_t from = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_GNU_EH_FRAME) frames = from;
    if (part->p_type != PT_LOAD) continue;
    uintptr_t to = from + part->p_memsz;
    if (from < start) start = from;
    if (to > end) end = to;
    if (search->address >= from && search->address < to) inside = 1;
  }
  if (!inside) return 0;
  if (frames == 0) return -1;
  search->found->dlfo_flags = 0;
  search->found->dlfo_map_start = (void*)start;
  search->found->dlfo_map_end = (void*)end;
  search->found->dlfo_link_map = NULL;
  search->found->dlfo_eh_frame = (void*)frames;
  return 1;
}

/* 2.35. The unwinder reads only the start and the frames' table. */
HIDDEN int _dl_find_object(void* address, struct dl_find_object* found) {
  struct Search search = {(uintptr_t)address, found};
  return dl_iterate_phdr(visit, &search) == 1 ? 0 : -1;
}

/* 2.36. As glibc's own, it cannot fail: without random bytes the process ends. */
HIDDEN uint32_t arc4random(void) {
  uint32_t value;
  if (getentropy(&value, sizeof value) != 0) abort();
  return value;
}

/* 2.33. Before, these were inline over functions that take a number for the layout of the structure,
 * _STAT_VER; on 64-bit systems there is one layout, with or without the suffix. */
#ifdef __x86_64__
enum { kStatVersion = 1 };
#else
enum { kStatVersion = 0 };
#endif

HIDDEN int stat(const char* path, struct stat* found) {
  return __xstat(kStatVersion, path, found);
}
HIDDEN int lstat(const char* path, struct stat* found) {
  return __lxstat(kStatVersion, path, found);
}
HIDDEN int fstat(int file, struct stat* found) {
  return __fxstat(kStatVersion, file, found);
}
HIDDEN int fstatat(int directory, const char* path, struct stat* found, int flags) {
  return __fxstatat(kStatVersion, directory, path, found, flags);
}
HIDDEN int stat64(const char* path, struct stat* found) __attribute__((alias("stat")));
HIDDEN int lstat64(const char* path, struct stat* found) __attribute__((alias("lstat")));
HIDDEN int fstat64(int file, struct stat* found) __attribute__((alias("fstat")));
HIDDEN int fstatat64(int directory, const char* path, struct stat* found, int flags)
    __attribute__((alias("fstatat")));

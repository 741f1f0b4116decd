/* What gcc 12's static libstdc++ and libgcc take from glibc 2.32 to 2.36, in terms of glibc 2.28. Linked into each portable file; the
 * symbols are hidden, so that a newer glibc in the process is never overridden. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

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

// Allocates structs in front of a page that cannot be touched, so that a library that reads beyond an older
// struct crashes.
#define _GNU_SOURCE
#include "fenced_memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kMostBlocks = 1024, kFenceByte = 0xa5 };

static struct {
  const unsigned char* pages; /* the bytes from here to `block` are the fence before it */
  const unsigned char* block;
} blocks[kMostBlocks];
static size_t block_count = 0;

void* fenced_zeros(size_t size) {
  const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
  const size_t readable = (size / page_bytes + 1) * page_bytes;
  unsigned char* pages =
      mmap(NULL, readable + page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  unsigned char* block = pages + readable - size;
  if (pages == MAP_FAILED || mprotect(pages + readable, page_bytes, PROT_NONE) != 0 ||
      block_count == kMostBlocks) {
    fprintf(stderr, "no fenced memory of %zu bytes\n", size);
    exit(1);
  }
  memset(pages, kFenceByte, readable - size);
  blocks[block_count].pages = pages;
  blocks[block_count].block = block;
  block_count += 1;
  return block;
}

void* fenced_copy(const void* bytes, size_t size) {
  void* block = fenced_zeros(size);
  memcpy(block, bytes, size);
  return block;
}

int fences_stand(void) {
  size_t i;
  for (i = 0; i < block_count; ++i) {
    const unsigned char* byte;
    for (byte = blocks[i].pages; byte < blocks[i].block; ++byte) {
      if (*byte != kFenceByte) return 0;
    }
  }
  return 1;
}

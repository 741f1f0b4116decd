/* Memory whose last byte is the last that may be touched: behind it lies a page that nobody may read or
 * write. The bytes before it are looked at by fences_stand(). Never freed: the programs that use it are
 * short. */
#ifndef NDC_TESTS_ABI_FENCED_MEMORY_H
#define NDC_TESTS_ABI_FENCED_MEMORY_H

#include <stddef.h>

/* `size` zero bytes; the address is a multiple of 8 if the size is. */
void* fenced_zeros(size_t size);

/* A copy of `bytes` [size]. */
void* fenced_copy(const void* bytes, size_t size);

/* 1 if nobody has written before any block. */
int fences_stand(void);

#endif

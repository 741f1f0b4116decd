/* What Debian's libpsl.a takes of libidn2 and libunistring. It asks them only when it reads a list from a
 * file or converts a name; the library asks the list that is compiled in, by the name as it stands, so that
 * none of these ever runs. Each reports failure. */
#include <stddef.h>
#include <stdint.h>

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN const void* const uninorm_nfkc = NULL;

HIDDEN int idn2_lookup_u8(const uint8_t* name, uint8_t** found, int flags) {
  (void)name, (void)found, (void)flags;
  return -1;
}

HIDDEN size_t u8_strlen(const uint8_t* text) {
  size_t length = 0;
  while (text[length] != 0)
    ++length;
  return length;
}

HIDDEN uint8_t* u8_tolower(const uint8_t* text, size_t length, const char* language, const void* form,
                           uint8_t* buffer, size_t* written) {
  (void)text, (void)length, (void)language, (void)form, (void)buffer, (void)written;
  return NULL;
}

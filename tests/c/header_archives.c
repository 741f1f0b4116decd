/* The header comes first: it needs nothing before it. Every initialiser compiles in C and C++. */
#include <ndc_archives.h>

int main(void) {
  nd_archive_input input = ND_ARCHIVE_INPUT_INIT;
  nd_archive_item item = ND_ARCHIVE_ITEM_INIT;
  nd_status status = ND_OK;
  return (int)(input.flags + item.flags) + item.kind + status;
}

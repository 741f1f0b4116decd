/* The header comes first: it needs nothing before it. Every initialiser compiles in C. */
#include <ndcapi.h>

int main(void) {
  nd_buffer buffer = ND_BUFFER_INIT;
  nd_allocator allocator = ND_ALLOCATOR_INIT;
  nd_option_info option = ND_OPTION_INFO_INIT;
  nd_page page = ND_PAGE_INIT;
  nd_result result = ND_RESULT_INIT;
  nd_filter filter = ND_FILTER_INIT;
  nd_page_info info = ND_PAGE_INFO_INIT;
  nd_stats stats = ND_STATS_INIT;
  nd_status status = ND_OK;
  return (int)(buffer.size + allocator.reserved + option.persistent + page.flags + result.flags +
               filter.flags + info.flags + stats.reserved) +
         status;
}

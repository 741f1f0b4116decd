// The header comes first: it needs nothing before it. Every initialiser compiles in C++, at file scope and as
// a constant.
#include <ndcapi.h>

#include <type_traits>

namespace {

constexpr nd_buffer kBuffer = ND_BUFFER_INIT;
constexpr nd_allocator kAllocator = ND_ALLOCATOR_INIT;
constexpr nd_option_info kOption = ND_OPTION_INFO_INIT;
constexpr nd_page kPage = ND_PAGE_INIT;
constexpr nd_result kResult = ND_RESULT_INIT;
constexpr nd_filter kFilter = ND_FILTER_INIT;
constexpr nd_page_info kInfo = ND_PAGE_INFO_INIT;
constexpr nd_stats kStats = ND_STATS_INIT;

static_assert(kBuffer.struct_size == sizeof(nd_buffer) && kAllocator.struct_size == sizeof(nd_allocator) &&
              kOption.struct_size == sizeof(nd_option_info) && kPage.struct_size == sizeof(nd_page) &&
              kResult.struct_size == sizeof(nd_result) && kFilter.struct_size == sizeof(nd_filter) &&
              kInfo.struct_size == sizeof(nd_page_info) && kStats.struct_size == sizeof(nd_stats));

// Types of the interface are plain: it can be copied as bytes and laid out by a C compiler.
template <typename T>
constexpr bool kPlain = std::is_trivial_v<T>&& std::is_standard_layout_v<T>;
static_assert(kPlain<nd_buffer> && kPlain<nd_allocator> && kPlain<nd_option_info> && kPlain<nd_page> &&
              kPlain<nd_result> && kPlain<nd_filter> && kPlain<nd_page_info> && kPlain<nd_group_info> &&
              kPlain<nd_event> && kPlain<nd_stats> && kPlain<nd_store_fault> && kPlain<nd_repair_counts> &&
              kPlain<nd_merged_page> && kPlain<nd_merge_counts> && kPlain<nd_bytes>);

}  // namespace

int main() {
  return ND_OK;
}

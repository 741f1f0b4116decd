// The least sizes of the interface's structs.
#pragma once

#include <ndcapi.h>

#include <cstddef>

namespace nd::capi {

// The size that a struct had in 2.0.0, the least that a caller can know; of nd_result the least that ndcapi.h
// names. A struct that grows keeps it, so that older callers are served.
constexpr size_t first_size(const nd_allocator*) {
  return 40;
}
constexpr size_t first_size(const nd_buffer*) {
  return 32;
}
constexpr size_t first_size(const nd_copy*) {
  return 56;
}
constexpr size_t first_size(const nd_filter*) {
  return 48;
}
constexpr size_t first_size(const nd_merge_counts*) {
  return 64;
}
constexpr size_t first_size(const nd_option_info*) {
  return 64;
}
constexpr size_t first_size(const nd_page*) {
  return 64;
}
constexpr size_t first_size(const nd_page_info*) {
  return 120;
}
constexpr size_t first_size(const nd_record_info*) {
  return 96;
}
constexpr size_t first_size(const nd_repair_counts*) {
  return 40;
}
constexpr size_t first_size(const nd_result*) {
  return ND_RESULT_MIN_SIZE;
}
constexpr size_t first_size(const nd_stats*) {
  return 360;
}
template <typename T>
inline constexpr size_t kFirstSize = first_size(static_cast<const T*>(nullptr));

}  // namespace nd::capi

// Structures of the C interface as rows of 64-bit numbers, in the order in which Java's records read them.
#pragma once

#include <jni.h>
#include <ndcapi.h>

#include <array>
#include <bit>

namespace ndc::jni {

using ResultNumbers = std::array<jlong, 11>;
using PageInfoNumbers = std::array<jlong, 11>;

inline jlong number(double value) {
  return std::bit_cast<jlong>(value);
}
inline jlong number(uint64_t value) {
  return static_cast<jlong>(value);
}

inline ResultNumbers numbers_of(const nd_result& result) {
  return {result.verdict,
          static_cast<jlong>(result.flags),
          number(result.page_id),
          number(result.group_id),
          number(result.matched_page_id),
          number(result.resemblance),
          number(result.containment),
          number(result.page_coverage),
          number(result.matched_coverage),
          number(result.probability),
          number(result.related_group_id)};
}

inline PageInfoNumbers numbers_of(const nd_page_info& info) {
  return {info.verdict,
          static_cast<jlong>(info.flags),
          number(info.page_id),
          number(info.group_id),
          info.first_fetched_at_ms,
          info.last_fetched_at_ms,
          number(info.text_width),
          number(info.text_hash),
          number(info.matched_page_id),
          number(info.resemblance),
          number(info.containment)};
}

template <typename Row>
void write_row(JNIEnv* env, jlongArray array, const Row& row) {
  env->SetLongArrayRegion(array, 0, static_cast<jsize>(row.size()), row.data());
}

}  // namespace ndc::jni

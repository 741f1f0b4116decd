// Structures of the C interface as rows of 64-bit numbers, in the order in which Java's records read them.
#pragma once

#include <jni.h>
#include <ndcapi.h>

#include <array>
#include <bit>
#include <span>
#include <string_view>

#include "arrays.hpp"

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

// `row`: as numbers_of() makes it.
inline nd_result result_of(std::span<const uint64_t> row) {
  return {sizeof(nd_result),
          static_cast<int32_t>(row[0]),
          static_cast<uint32_t>(row[1]),
          0,
          row[2],
          row[3],
          row[4],
          std::bit_cast<double>(row[5]),
          std::bit_cast<double>(row[6]),
          std::bit_cast<double>(row[7]),
          std::bit_cast<double>(row[8]),
          std::bit_cast<double>(row[9]),
          row[10]};
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

inline std::array<jlong, 10> numbers_of(const nd_record_info& info) {
  return {info.format,
          info.contents,
          info.flags,
          info.fetched_at_ms,
          number(info.text_width),
          number(info.text_hash),
          number(info.made_with),
          info.fingerprint_count,
          info.key_count,
          info.site_pages};
}

// null with an exception pending.
template <typename Structure>
jlongArray row_of(JNIEnv* env, const Structure& structure) {
  const auto row = numbers_of(structure);
  return long_array(env, row.data(), row.size());
}

// {long[] rows, byte[][] texts}; null with an exception pending.
inline jobjectArray rows_and_texts(JNIEnv* env, std::span<const jlong> numbers,
                                   std::span<const std::string_view> texts) {
  const jlongArray rows = long_array(env, numbers.data(), numbers.size());
  const jobjectArray arrays = rows == nullptr ? nullptr : byte_arrays(env, texts);
  const jclass type = arrays == nullptr ? nullptr : env->FindClass("java/lang/Object");
  const jobjectArray both = type == nullptr ? nullptr : env->NewObjectArray(2, type, rows);
  if (both != nullptr) env->SetObjectArrayElement(both, 1, arrays);
  return both;
}

}  // namespace ndc::jni

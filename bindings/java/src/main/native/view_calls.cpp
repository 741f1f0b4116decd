// What an engine knows. Views are collected first and given to Java in one piece: no Java code runs in a
// callback of the library.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "crossing.hpp"
#include "engine_handle.hpp"
#include "numbers.hpp"

using namespace ndc::jni;

namespace {

// A callback of the library must not throw: it stops the iteration and leaves word.
struct Collected {
  std::vector<jlong> numbers;
  std::vector<std::string> urls;
  bool out_of_memory = false;

  template <typename Add>
  int32_t add(Add&& add_one) noexcept {
    try {
      add_one();
      return 0;
    } catch (const std::bad_alloc&) {
      out_of_memory = true;
      return 1;
    }
  }

  bool complete(JNIEnv* env, nd_status status) const {
    if (out_of_memory)
      throw_status(env, ND_ERR_NO_MEMORY, "no native memory is left to list this");
    else
      succeeded(env, status);
    return !env->ExceptionCheck();
  }
};

int32_t collect_page(const nd_page_info* info, const char* url, size_t url_size, void* ctx) {
  auto* const collected = static_cast<Collected*>(ctx);
  return collected->add([&] {
    collected->urls.emplace_back(url, url_size);
    const PageInfoNumbers row = numbers_of(*info);
    collected->numbers.insert(collected->numbers.end(), row.begin(), row.end());
  });
}

int32_t collect_similar(const nd_similar_page* similar, const char* url, size_t url_size, void* ctx) {
  auto* const collected = static_cast<Collected*>(ctx);
  return collected->add([&] {
    collected->urls.emplace_back(url, url_size);
    collected->numbers.insert(collected->numbers.end(),
                              {static_cast<jlong>(similar->flags), number(similar->page_id),
                               number(similar->group_id), number(similar->score)});
  });
}

int32_t collect_group(const nd_group_info* info, void* ctx) {
  auto* const collected = static_cast<Collected*>(ctx);
  return collected->add([&] {
    collected->numbers.insert(collected->numbers.end(),
                              {number(info->group_id), number(info->representative_page_id),
                               number(info->page_count), static_cast<jlong>(info->tombstone)});
  });
}

int32_t collect_event(const nd_event* event, void* ctx) {
  auto* const collected = static_cast<Collected*>(ctx);
  return collected->add([&] {
    collected->numbers.insert(collected->numbers.end(),
                              {number(event->sequence), event->kind, number(event->page_id),
                               number(event->old_group_id), number(event->new_group_id), event->at_ms});
  });
}

jobjectArray pages_to_java(JNIEnv* env, const Collected& collected) {
  const std::vector<std::string_view> urls(collected.urls.begin(), collected.urls.end());
  return rows_and_texts(env, collected.numbers, urls);
}

// A page and its URL; null with an exception pending, or if there is no such page and `is_optional`. `call`:
// (nd_page_info*, char* url, size_t* size) → nd_status.
template <typename Call>
jobjectArray page_with_url(JNIEnv* env, bool is_optional, Call call) {
  nd_page_info info = ND_PAGE_INFO_INIT;
  std::string url(512, '\0');
  nd_status status = ND_ERR_LIMIT;
  while (status == ND_ERR_LIMIT) {  // it may be another page between two calls, though hardly for ever
    size_t size = url.size();
    status = call(&info, url.data(), &size);
    url.resize(status == ND_ERR_LIMIT ? size + 1 : size);
  }
  if ((is_optional && status == ND_ERR_NOT_FOUND) || !succeeded(env, status)) return nullptr;
  const std::string_view text = url;
  return rows_and_texts(env, numbers_of(info), {&text, 1});
}

// What a handle in Java's GroupCursor points to: a copy of all groups, read from the front. Java sees to it
// that none is used after freeGroups().
struct GroupRows {
  Collected collected;
  size_t at = 0;
};

constexpr size_t kGroupNumbers = 4;

GroupRows* group_rows_of(jlong cursor) noexcept {
  return reinterpret_cast<GroupRows*>(static_cast<intptr_t>(cursor));
}

// nd_stats is a head of two 32-bit numbers and then nothing but counters.
constexpr size_t kStatsHeadBytes = offsetof(nd_stats, pages);
constexpr size_t kCounterCount = (sizeof(nd_stats) - kStatsHeadBytes) / sizeof(uint64_t);
static_assert(kStatsHeadBytes == 8 && kCounterCount == 44);

}  // namespace

extern "C" {

// null: there is no such page.
JNIEXPORT jlongArray JNICALL Java_io_ndc_NativeCalls_find(JNIEnv* env, jclass, jlong handle, jbyteArray url) {
  return cross(env, jlongArray{nullptr}, [&]() -> jlongArray {
    const Bytes bytes(env, url);
    if (!bytes.valid()) return nullptr;
    nd_page_info info = ND_PAGE_INFO_INIT;
    const nd_status status = nd_find_page(engine_of(handle), bytes.data(), bytes.size(), &info);
    return status == ND_ERR_NOT_FOUND || !succeeded(env, status) ? nullptr : row_of(env, info);
  });
}

// null: there is no such page.
JNIEXPORT jobjectArray JNICALL Java_io_ndc_NativeCalls_page(JNIEnv* env, jclass, jlong handle,
                                                            jlong page_id) {
  return cross(env, jobjectArray{nullptr}, [&] {
    return page_with_url(env, true, [&](nd_page_info* out, char* text, size_t* size) {
      return nd_get_page(engine_of(handle), static_cast<uint64_t>(page_id), out, text, size);
    });
  });
}

JNIEXPORT jobjectArray JNICALL Java_io_ndc_NativeCalls_members(JNIEnv* env, jclass, jlong handle,
                                                               jlong group_id) {
  return cross(env, jobjectArray{nullptr}, [&]() -> jobjectArray {
    Collected collected;
    const nd_status status =
        nd_each_page(engine_of(handle), static_cast<uint64_t>(group_id), collect_page, &collected);
    if (!collected.complete(env, status)) return nullptr;
    return pages_to_java(env, collected);
  });
}

JNIEXPORT jobjectArray JNICALL Java_io_ndc_NativeCalls_keptPage(JNIEnv* env, jclass, jlong handle,
                                                                jlong group_id, jint rule) {
  return cross(env, jobjectArray{nullptr}, [&] {
    return page_with_url(env, false, [&](nd_page_info* out, char* text, size_t* size) {
      return nd_kept_page(engine_of(handle), static_cast<uint64_t>(group_id), rule, out, text, size);
    });
  });
}

JNIEXPORT jlong JNICALL Java_io_ndc_NativeCalls_openGroups(JNIEnv* env, jclass, jlong handle) {
  return cross(env, jlong{0}, [&]() -> jlong {
    auto groups = std::make_unique<GroupRows>();
    const nd_status status = nd_each_group(engine_of(handle), collect_group, &groups->collected);
    if (!groups->collected.complete(env, status)) return 0;
    return static_cast<jlong>(reinterpret_cast<intptr_t>(groups.release()));
  });
}

JNIEXPORT jlongArray JNICALL Java_io_ndc_NativeCalls_nextGroups(JNIEnv* env, jclass, jlong cursor,
                                                                jint limit) {
  return cross(env, jlongArray{nullptr}, [&]() -> jlongArray {
    GroupRows& groups = *group_rows_of(cursor);
    const std::vector<jlong>& numbers = groups.collected.numbers;
    const size_t count = std::min(static_cast<size_t>(limit) * kGroupNumbers, numbers.size() - groups.at);
    const jlongArray rows = long_array(env, numbers.data() + groups.at, count);
    if (rows != nullptr) groups.at += count;
    return rows;
  });
}

JNIEXPORT void JNICALL Java_io_ndc_NativeCalls_freeGroups(JNIEnv*, jclass, jlong cursor) {
  delete group_rows_of(cursor);
}

JNIEXPORT jlongArray JNICALL Java_io_ndc_NativeCalls_events(JNIEnv* env, jclass, jlong handle, jlong after) {
  return cross(env, jlongArray{nullptr}, [&]() -> jlongArray {
    Collected collected;
    const nd_status status =
        nd_each_event(engine_of(handle), static_cast<uint64_t>(after), collect_event, &collected);
    if (!collected.complete(env, status)) return nullptr;
    return long_array(env, collected.numbers.data(), collected.numbers.size());
  });
}

JNIEXPORT jobjectArray JNICALL Java_io_ndc_NativeCalls_similar(JNIEnv* env, jclass, jlong handle,
                                                               jlong page_id, jint limit) {
  return cross(env, jobjectArray{nullptr}, [&]() -> jobjectArray {
    Collected collected;
    const nd_status status = nd_similar_pages(engine_of(handle), static_cast<uint64_t>(page_id),
                                              static_cast<uint32_t>(limit), collect_similar, &collected);
    if (!collected.complete(env, status)) return nullptr;
    return pages_to_java(env, collected);
  });
}

JNIEXPORT jlongArray JNICALL Java_io_ndc_NativeCalls_compare(JNIEnv* env, jclass, jlong handle, jlong page_a,
                                                             jlong page_b) {
  return cross(env, jlongArray{nullptr}, [&]() -> jlongArray {
    nd_result result = ND_RESULT_INIT;
    const nd_status status = nd_compare_pages(engine_of(handle), static_cast<uint64_t>(page_a),
                                              static_cast<uint64_t>(page_b), &result);
    return succeeded(env, status) ? row_of(env, result) : nullptr;
  });
}

JNIEXPORT jbyteArray JNICALL Java_io_ndc_NativeCalls_explain(JNIEnv* env, jclass, jlong handle, jlong page_a,
                                                             jlong page_b) {
  return cross(env, jbyteArray{nullptr}, [&]() -> jbyteArray {
    OutputBuffer json;
    const nd_status status = nd_explain(engine_of(handle), static_cast<uint64_t>(page_a),
                                        static_cast<uint64_t>(page_b), json.get());
    return succeeded(env, status) ? json.to_java(env) : nullptr;
  });
}

JNIEXPORT jlongArray JNICALL Java_io_ndc_NativeCalls_stats(JNIEnv* env, jclass, jlong handle) {
  return cross(env, jlongArray{nullptr}, [&]() -> jlongArray {
    nd_stats stats = ND_STATS_INIT;
    if (!succeeded(env, nd_get_stats(engine_of(handle), &stats))) return nullptr;
    jlong counters[kCounterCount];
    std::memcpy(counters, reinterpret_cast<const char*>(&stats) + kStatsHeadBytes, sizeof(counters));
    return long_array(env, counters, kCounterCount);
  });
}

JNIEXPORT jbyteArray JNICALL Java_io_ndc_NativeCalls_metrics(JNIEnv* env, jclass, jlong handle) {
  return cross(env, jbyteArray{nullptr}, [&]() -> jbyteArray {
    OutputBuffer text;
    return succeeded(env, nd_metrics(engine_of(handle), text.get())) ? text.to_java(env) : nullptr;
  });
}

}  // extern "C"

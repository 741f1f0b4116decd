// Opening and closing, the log, checking and removing.
#include <vector>

#include "crossing.hpp"
#include "engine_handle.hpp"
#include "numbers.hpp"
#include "page_arguments.hpp"

using namespace ndc::jni;

namespace {

void queue_line(int32_t level, const char* message, size_t message_size, void* ctx) {
  static_cast<EngineHandle*>(ctx)->log.add(level, {message, message_size});
}

using PageCall = nd_status (*)(nd_engine*, const nd_page*, nd_result*);

jlongArray answer_page(JNIEnv* env, PageCall call, jlong handle, jobjectArray texts, jlongArray numbers) {
  return cross(env, jlongArray{nullptr}, [&]() -> jlongArray {
    const PageArguments arguments(env, texts, numbers);
    nd_result result = ND_RESULT_INIT;
    if (!arguments.valid() || !succeeded(env, call(engine_of(handle), arguments.page(), &result)))
      return nullptr;
    return row_of(env, result);
  });
}

using FeaturesCall = nd_status (*)(nd_engine*, const void*, size_t, nd_result*);

jlongArray answer_features(JNIEnv* env, FeaturesCall call, jlong handle, jbyteArray features) {
  return cross(env, jlongArray{nullptr}, [&]() -> jlongArray {
    const Bytes bytes(env, features);
    nd_result result = ND_RESULT_INIT;
    if (!bytes.valid() || !succeeded(env, call(engine_of(handle), bytes.data(), bytes.size(), &result)))
      return nullptr;
    return row_of(env, result);
  });
}

}  // namespace

extern "C" {

JNIEXPORT jlong JNICALL Java_io_ndc_NativeCalls_open(JNIEnv* env, jclass, jbyteArray path,
                                                     jobjectArray options) {
  return cross(env, jlong{0}, [&]() -> jlong {
    const Bytes path_bytes(env, path);
    const OptionArguments chosen(env, options);
    if (!path_bytes.valid() || !chosen.valid()) return 0;
    auto handle = std::make_unique<EngineHandle>();
    if (!succeeded(env, nd_open(path_bytes.data(), chosen.options(), &handle->engine))) return 0;
    nd_set_logger(handle->engine, queue_line, handle.get());
    return static_cast<jlong>(reinterpret_cast<intptr_t>(handle.release()));
  });
}

// Whatever it throws, the engine is closed; the handle and its log remain until free().
JNIEXPORT void JNICALL Java_io_ndc_NativeCalls_close(JNIEnv* env, jclass, jlong handle) {
  cross(env, [&] { succeeded(env, nd_close(std::exchange(handle_of(handle)->engine, nullptr))); });
}

JNIEXPORT void JNICALL Java_io_ndc_NativeCalls_free(JNIEnv*, jclass, jlong handle) {
  delete handle_of(handle);
}

// A line's level is its first byte. null: no line waits.
JNIEXPORT jobjectArray JNICALL Java_io_ndc_NativeCalls_takeLog(JNIEnv* env, jclass, jlong handle) {
  return cross(env, jobjectArray{nullptr}, [&]() -> jobjectArray {
    LogQueue& log = handle_of(handle)->log;
    if (log.empty()) return nullptr;
    std::vector<std::string> lines;
    for (const LogQueue::Line& line : log.take())
      lines.push_back(static_cast<char>(line.level) + line.text);
    return byte_arrays(env, std::vector<std::string_view>(lines.begin(), lines.end()));
  });
}

JNIEXPORT jlongArray JNICALL Java_io_ndc_NativeCalls_check(JNIEnv* env, jclass, jlong handle,
                                                           jobjectArray texts, jlongArray numbers) {
  return answer_page(env, nd_check_page, handle, texts, numbers);
}

JNIEXPORT jlongArray JNICALL Java_io_ndc_NativeCalls_query(JNIEnv* env, jclass, jlong handle,
                                                           jobjectArray texts, jlongArray numbers) {
  return answer_page(env, nd_query_page, handle, texts, numbers);
}

JNIEXPORT jbyteArray JNICALL Java_io_ndc_NativeCalls_ownText(JNIEnv* env, jclass, jlong handle,
                                                             jobjectArray texts, jlongArray numbers) {
  return cross(env, jbyteArray{nullptr}, [&]() -> jbyteArray {
    const PageArguments arguments(env, texts, numbers);
    OutputBuffer text;
    if (!arguments.valid() || !succeeded(env, nd_own_text(engine_of(handle), arguments.page(), text.get())))
      return nullptr;
    return text.to_java(env);
  });
}

JNIEXPORT jobjectArray JNICALL Java_io_ndc_NativeCalls_checkWithText(JNIEnv* env, jclass, jlong handle,
                                                                     jobjectArray texts, jlongArray numbers) {
  return cross(env, jobjectArray{nullptr}, [&]() -> jobjectArray {
    const PageArguments arguments(env, texts, numbers);
    nd_result result = ND_RESULT_INIT;
    OutputBuffer text;
    if (!arguments.valid() ||
        !succeeded(env, nd_check_page_text(engine_of(handle), arguments.page(), &result, text.get())))
      return nullptr;
    const std::string_view own_text(text.get()->data, text.get()->size);
    return rows_and_texts(env, numbers_of(result), {&own_text, 1});
  });
}

JNIEXPORT jlongArray JNICALL Java_io_ndc_NativeCalls_checkFeatures(JNIEnv* env, jclass, jlong handle,
                                                                   jbyteArray features) {
  return answer_features(env, nd_check_features, handle, features);
}

JNIEXPORT jlongArray JNICALL Java_io_ndc_NativeCalls_queryFeatures(JNIEnv* env, jclass, jlong handle,
                                                                   jbyteArray features) {
  return answer_features(env, nd_query_features, handle, features);
}

JNIEXPORT jlongArray JNICALL Java_io_ndc_NativeCalls_applyOutcome(JNIEnv* env, jclass, jlong handle,
                                                                  jbyteArray features, jlongArray outcome) {
  return cross(env, jlongArray{nullptr}, [&]() -> jlongArray {
    const Bytes bytes(env, features);
    std::vector<uint64_t> row;
    if (!bytes.valid() || !read_longs(env, outcome, row)) return nullptr;
    const nd_result given = result_of(row);
    nd_result result = ND_RESULT_INIT;
    if (!succeeded(env, nd_apply_outcome(engine_of(handle), bytes.data(), bytes.size(), &given, &result)))
      return nullptr;
    return row_of(env, result);
  });
}

JNIEXPORT jboolean JNICALL Java_io_ndc_NativeCalls_remove(JNIEnv* env, jclass, jlong handle, jbyteArray url) {
  return cross(env, jboolean{JNI_FALSE}, [&]() -> jboolean {
    const Bytes bytes(env, url);
    if (!bytes.valid()) return JNI_FALSE;
    const nd_status status = nd_remove_page(engine_of(handle), bytes.data(), bytes.size());
    return status != ND_ERR_NOT_FOUND && succeeded(env, status) ? JNI_TRUE : JNI_FALSE;
  });
}

JNIEXPORT jlong JNICALL Java_io_ndc_NativeCalls_removeMatching(JNIEnv* env, jclass, jlong handle,
                                                               jbyteArray url_prefix, jbyteArray site,
                                                               jlong fetched_before_ms, jboolean purge) {
  return cross(env, jlong{0}, [&]() -> jlong {
    const Bytes prefix_bytes(env, url_prefix);
    const Bytes site_bytes(env, site);
    if (!prefix_bytes.valid() || !site_bytes.valid()) return 0;
    nd_filter filter = ND_FILTER_INIT;
    filter.flags = purge == JNI_TRUE ? uint32_t{ND_REMOVE_PURGE} : 0;
    filter.url_prefix = prefix_bytes.data();
    filter.url_prefix_size = prefix_bytes.size();
    filter.site = site_bytes.data();
    filter.site_size = site_bytes.size();
    filter.fetched_before_ms = fetched_before_ms;
    uint64_t removed = 0;
    succeeded(env, nd_remove_matching(engine_of(handle), &filter, &removed));
    return static_cast<jlong>(removed);
  });
}

}  // extern "C"

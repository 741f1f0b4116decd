// Calls without an engine: what an option acts on, what readers make of pages, which copy to keep, features,
// signatures.
#include <cstring>
#include <string_view>
#include <vector>

#include "crossing.hpp"
#include "numbers.hpp"
#include "page_arguments.hpp"

using namespace ndc::jni;

namespace {

// What a handle in Java's PageReader points to. Java sees to it that none is used after freeReader().
nd_reader* reader_of(jlong handle) noexcept {
  return reinterpret_cast<nd_reader*>(static_cast<intptr_t>(handle));
}

// `call`: (const nd_page*, nd_buffer*) → nd_status.
template <typename Call>
jbyteArray bytes_of_page(JNIEnv* env, jobjectArray texts, jlongArray numbers, Call call) {
  return cross(env, jbyteArray{nullptr}, [&]() -> jbyteArray {
    const PageArguments arguments(env, texts, numbers);
    OutputBuffer output;
    if (!arguments.valid() || !succeeded(env, call(arguments.page(), output.get()))) return nullptr;
    return output.to_java(env);
  });
}

// `call`: (const nd_page*, uint8_t* signature, size_t* size) → nd_status.
template <typename Call>
jbyteArray signature_of_page(JNIEnv* env, jobjectArray texts, jlongArray numbers, Call call) {
  return cross(env, jbyteArray{nullptr}, [&]() -> jbyteArray {
    const PageArguments arguments(env, texts, numbers);
    uint8_t signature[ND_SIGNATURE_MAX_SIZE];
    size_t size = sizeof(signature);
    if (!arguments.valid() || !succeeded(env, call(arguments.page(), signature, &size))) return nullptr;
    return byte_array(env, signature, size);
  });
}

// As Copy in Java writes it.
constexpr size_t kCopyNumbers = 3;

const uint8_t* octets(const Bytes& bytes) {
  return reinterpret_cast<const uint8_t*>(bytes.data());
}

}  // namespace

extern "C" {

JNIEXPORT jbyteArray JNICALL Java_io_ndc_NativeCalls_extract(JNIEnv* env, jclass, jobjectArray texts,
                                                             jlongArray numbers, jobjectArray options) {
  return bytes_of_page(env, texts, numbers, [&](const nd_page* page, nd_buffer* out) {
    const OptionArguments chosen(env, options);
    return chosen.valid() ? nd_extract(page, chosen.options(), out) : ND_ERR_INVALID_ARGUMENT;
  });
}

JNIEXPORT jbyteArray JNICALL Java_io_ndc_NativeCalls_signature(JNIEnv* env, jclass, jobjectArray texts,
                                                               jlongArray numbers, jobjectArray options) {
  return signature_of_page(env, texts, numbers, [&](const nd_page* page, uint8_t* signature, size_t* size) {
    const OptionArguments chosen(env, options);
    return chosen.valid() ? nd_signature_compute(page, chosen.options(), signature, size)
                          : ND_ERR_INVALID_ARGUMENT;
  });
}

JNIEXPORT jbyteArray JNICALL Java_io_ndc_NativeCalls_optionActsOn(JNIEnv* env, jclass, jbyteArray key) {
  return cross(env, jbyteArray{nullptr}, [&]() -> jbyteArray {
    const Bytes bytes(env, key);
    if (!bytes.valid()) return nullptr;
    nd_option_info info = ND_OPTION_INFO_INIT;
    for (size_t index = 0; nd_options_describe(index, &info) == ND_OK; ++index) {
      if (std::string_view(info.key) == std::string_view(bytes.data(), bytes.size()))
        return byte_array(env, info.acts_on, std::strlen(info.acts_on));
    }
    return nullptr;
  });
}

JNIEXPORT jint JNICALL Java_io_ndc_NativeCalls_chooseCopy(JNIEnv* env, jclass, jobjectArray urls,
                                                          jobjectArray canonical_urls, jlongArray rows,
                                                          jint rule) {
  return cross(env, jint{0}, [&]() -> jint {
    std::vector<uint64_t> numbers;
    if (!read_longs(env, rows, numbers)) return 0;
    const size_t count = numbers.size() / kCopyNumbers;
    std::vector<Bytes> texts;  // what the copies point to
    texts.reserve(2 * count);
    std::vector<nd_copy> copies(count, ND_COPY_INIT);
    for (size_t i = 0; i < count; ++i) {
      for (const jobjectArray each : {urls, canonical_urls}) {
        texts.push_back(bytes_at(env, each, static_cast<jsize>(i)));
        if (!texts.back().valid()) return 0;
      }
      copies[i].url = texts[2 * i].data();
      copies[i].url_size = texts[2 * i].size();
      copies[i].canonical_url = texts[2 * i + 1].data();
      copies[i].canonical_url_size = texts[2 * i + 1].size();
      copies[i].fetched_at_ms = static_cast<int64_t>(numbers[kCopyNumbers * i]);
      copies[i].text_width = numbers[kCopyNumbers * i + 1];
      copies[i].flags = static_cast<uint32_t>(numbers[kCopyNumbers * i + 2]);
    }
    size_t index = 0;
    return succeeded(env, nd_choose_copy(copies.data(), count, rule, &index)) ? static_cast<jint>(index) : 0;
  });
}

JNIEXPORT jlong JNICALL Java_io_ndc_NativeCalls_openReader(JNIEnv* env, jclass, jobjectArray options) {
  return cross(env, jlong{0}, [&]() -> jlong {
    const OptionArguments chosen(env, options);
    if (!chosen.valid()) return 0;
    nd_reader* reader = nullptr;
    if (!succeeded(env, nd_reader_new(chosen.options(), &reader))) return 0;
    return static_cast<jlong>(reinterpret_cast<intptr_t>(reader));
  });
}

JNIEXPORT void JNICALL Java_io_ndc_NativeCalls_freeReader(JNIEnv*, jclass, jlong handle) {
  nd_reader_free(reader_of(handle));
}

JNIEXPORT jbyteArray JNICALL Java_io_ndc_NativeCalls_readerExtract(JNIEnv* env, jclass, jlong handle,
                                                                   jobjectArray texts, jlongArray numbers) {
  return bytes_of_page(env, texts, numbers, [&](const nd_page* page, nd_buffer* out) {
    return nd_reader_extract(reader_of(handle), page, out);
  });
}

JNIEXPORT jbyteArray JNICALL Java_io_ndc_NativeCalls_readerFeatures(JNIEnv* env, jclass, jlong handle,
                                                                    jobjectArray texts, jlongArray numbers) {
  return bytes_of_page(env, texts, numbers, [&](const nd_page* page, nd_buffer* out) {
    return nd_reader_features(reader_of(handle), page, out);
  });
}

JNIEXPORT jbyteArray JNICALL Java_io_ndc_NativeCalls_readerSignature(JNIEnv* env, jclass, jlong handle,
                                                                     jobjectArray texts, jlongArray numbers) {
  return signature_of_page(env, texts, numbers, [&](const nd_page* page, uint8_t* signature, size_t* size) {
    return nd_reader_signature(reader_of(handle), page, signature, size);
  });
}

JNIEXPORT jobjectArray JNICALL Java_io_ndc_NativeCalls_featuresInfo(JNIEnv* env, jclass,
                                                                    jbyteArray features) {
  return cross(env, jobjectArray{nullptr}, [&]() -> jobjectArray {
    const Bytes bytes(env, features);
    nd_record_info info = ND_RECORD_INFO_INIT;
    if (!bytes.valid() || !succeeded(env, nd_features_info(bytes.data(), bytes.size(), &info)))
      return nullptr;
    const std::string_view texts[] = {{info.url, info.url_size}, {info.site, info.site_size}};
    return rows_and_texts(env, numbers_of(info), texts);
  });
}

JNIEXPORT jlongArray JNICALL Java_io_ndc_NativeCalls_featuresKeys(JNIEnv* env, jclass, jbyteArray features) {
  return cross(env, jlongArray{nullptr}, [&]() -> jlongArray {
    const Bytes bytes(env, features);
    if (!bytes.valid()) return nullptr;
    return sized_keys(env, [&](uint64_t* keys, size_t* count) {
      return nd_features_keys(bytes.data(), bytes.size(), keys, count);
    });
  });
}

JNIEXPORT jlongArray JNICALL Java_io_ndc_NativeCalls_featuresDecide(JNIEnv* env, jclass, jbyteArray a,
                                                                    jbyteArray b, jobjectArray options) {
  return cross(env, jlongArray{nullptr}, [&]() -> jlongArray {
    const Bytes a_bytes(env, a);
    const Bytes b_bytes(env, b);
    const OptionArguments chosen(env, options);
    if (!a_bytes.valid() || !b_bytes.valid() || !chosen.valid()) return nullptr;
    nd_result result = ND_RESULT_INIT;
    if (!succeeded(env, nd_features_decide(a_bytes.data(), a_bytes.size(), b_bytes.data(), b_bytes.size(),
                                           chosen.options(), &result)))
      return nullptr;
    return row_of(env, result);
  });
}

JNIEXPORT jlongArray JNICALL Java_io_ndc_NativeCalls_signatureKeys(JNIEnv* env, jclass,
                                                                   jbyteArray signature) {
  return cross(env, jlongArray{nullptr}, [&]() -> jlongArray {
    const Bytes bytes(env, signature);
    if (!bytes.valid()) return nullptr;
    return sized_keys(env, [&](uint64_t* keys, size_t* count) {
      return nd_signature_keys(octets(bytes), bytes.size(), keys, count);
    });
  });
}

JNIEXPORT jdouble JNICALL Java_io_ndc_NativeCalls_signatureCompare(JNIEnv* env, jclass, jbyteArray a,
                                                                   jbyteArray b) {
  return cross(env, jdouble{0}, [&]() -> jdouble {
    const Bytes a_bytes(env, a);
    const Bytes b_bytes(env, b);
    double similarity = 0;
    if (a_bytes.valid() && b_bytes.valid())
      succeeded(env, nd_signature_compare(octets(a_bytes), a_bytes.size(), octets(b_bytes), b_bytes.size(),
                                          &similarity));
    return similarity;
  });
}

}  // extern "C"

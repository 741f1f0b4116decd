// The native half of SiteModel: what is known of a site as bytes, learned, merged and put into features.
#include <vector>

#include "arrays.hpp"
#include "crossing.hpp"
#include "numbers.hpp"

using namespace ndc::jni;

namespace {

// What a handle in Java's SiteModel points to. Java sees to it that none is used after freeSiteModel().
nd_site_model* model_of(jlong handle) noexcept {
  return reinterpret_cast<nd_site_model*>(static_cast<intptr_t>(handle));
}

using ModelChange = nd_status (*)(nd_site_model*, const uint64_t*, size_t);

void change_by_page(JNIEnv* env, ModelChange call, jlong handle, jlongArray parts) {
  std::vector<uint64_t> hashes;
  if (read_longs(env, parts, hashes)) succeeded(env, call(model_of(handle), hashes.data(), hashes.size()));
}

using SiteCall = nd_status (*)(const void*, size_t, const void*, size_t, nd_buffer*);

// `saved`: may be null, where the call takes that.
jbyteArray features_on_site(JNIEnv* env, SiteCall call, jbyteArray features, jbyteArray saved) {
  return cross(env, jbyteArray{nullptr}, [&]() -> jbyteArray {
    const Bytes bytes(env, features);
    const Bytes site(env, saved);
    if (!bytes.valid() || !site.valid()) return nullptr;
    OutputBuffer output;
    const nd_status status = call(bytes.data(), bytes.size(), site.data(), site.size(), output.get());
    return succeeded(env, status) ? output.to_java(env) : nullptr;
  });
}

}  // namespace

extern "C" {

JNIEXPORT jlong JNICALL Java_io_ndc_NativeCalls_newSiteModel(JNIEnv* env, jclass) {
  return cross(env, jlong{0}, [&]() -> jlong {
    nd_site_model* model = nullptr;
    if (!succeeded(env, nd_site_model_new(&model))) return 0;
    return static_cast<jlong>(reinterpret_cast<intptr_t>(model));
  });
}

JNIEXPORT void JNICALL Java_io_ndc_NativeCalls_freeSiteModel(JNIEnv*, jclass, jlong handle) {
  nd_site_model_free(model_of(handle));
}

JNIEXPORT void JNICALL Java_io_ndc_NativeCalls_siteModelLearn(JNIEnv* env, jclass, jlong handle,
                                                              jlongArray parts) {
  cross(env, [&] { change_by_page(env, nd_site_model_learn, handle, parts); });
}

JNIEXPORT void JNICALL Java_io_ndc_NativeCalls_siteModelForget(JNIEnv* env, jclass, jlong handle,
                                                               jlongArray parts) {
  cross(env, [&] { change_by_page(env, nd_site_model_forget, handle, parts); });
}

JNIEXPORT void JNICALL Java_io_ndc_NativeCalls_siteModelMerge(JNIEnv* env, jclass, jlong handle,
                                                              jbyteArray saved) {
  cross(env, [&] {
    const Bytes bytes(env, saved);
    if (bytes.valid()) succeeded(env, nd_site_model_merge(model_of(handle), bytes.data(), bytes.size()));
  });
}

JNIEXPORT jbyteArray JNICALL Java_io_ndc_NativeCalls_siteModelSave(JNIEnv* env, jclass, jlong handle,
                                                                   jlongArray parts) {
  return cross(env, jbyteArray{nullptr}, [&]() -> jbyteArray {
    std::vector<uint64_t> hashes;
    if (parts != nullptr && !read_longs(env, parts, hashes)) return nullptr;
    OutputBuffer output;
    const nd_status status = nd_site_model_save(model_of(handle), parts == nullptr ? nullptr : hashes.data(),
                                                hashes.size(), output.get());
    return succeeded(env, status) ? output.to_java(env) : nullptr;
  });
}

JNIEXPORT jlongArray JNICALL Java_io_ndc_NativeCalls_featuresParts(JNIEnv* env, jclass, jbyteArray features) {
  return cross(env, jlongArray{nullptr}, [&]() -> jlongArray {
    const Bytes bytes(env, features);
    if (!bytes.valid()) return nullptr;
    return sized_keys(env, [&](uint64_t* parts, size_t* count) {
      return nd_features_parts(bytes.data(), bytes.size(), parts, count);
    });
  });
}

JNIEXPORT jbyteArray JNICALL Java_io_ndc_NativeCalls_featuresWithSite(JNIEnv* env, jclass,
                                                                      jbyteArray features, jbyteArray saved) {
  return features_on_site(env, nd_features_with_site, features, saved);
}

JNIEXPORT jbyteArray JNICALL Java_io_ndc_NativeCalls_featuresRepresentative(JNIEnv* env, jclass,
                                                                            jbyteArray features,
                                                                            jbyteArray saved) {
  return features_on_site(env, nd_features_representative, features, saved);
}

}  // extern "C"

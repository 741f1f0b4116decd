// What only an engine with a store can do.
#include "arrays.hpp"
#include "crossing.hpp"
#include "engine_handle.hpp"

using namespace ndc::jni;

extern "C" {

JNIEXPORT void JNICALL Java_io_ndc_NativeCalls_snapshot(JNIEnv* env, jclass, jlong handle) {
  cross(env, [&] { succeeded(env, nd_snapshot(engine_of(handle))); });
}

JNIEXPORT void JNICALL Java_io_ndc_NativeCalls_compact(JNIEnv* env, jclass, jlong handle) {
  cross(env, [&] { succeeded(env, nd_compact(engine_of(handle))); });
}

JNIEXPORT void JNICALL Java_io_ndc_NativeCalls_refresh(JNIEnv* env, jclass, jlong handle) {
  cross(env, [&] { succeeded(env, nd_refresh(engine_of(handle))); });
}

JNIEXPORT void JNICALL Java_io_ndc_NativeCalls_setBookmark(JNIEnv* env, jclass, jlong handle, jbyteArray name,
                                                           jbyteArray data) {
  cross(env, [&] {
    const Bytes name_bytes(env, name);
    const Bytes data_bytes(env, data);
    if (name_bytes.valid() && data_bytes.valid())
      succeeded(env,
                nd_set_bookmark(engine_of(handle), name_bytes.data(), data_bytes.data(), data_bytes.size()));
  });
}

// null: there is none.
JNIEXPORT jbyteArray JNICALL Java_io_ndc_NativeCalls_bookmark(JNIEnv* env, jclass, jlong handle,
                                                              jbyteArray name) {
  return cross(env, jbyteArray{nullptr}, [&]() -> jbyteArray {
    const Bytes name_bytes(env, name);
    if (!name_bytes.valid()) return nullptr;
    OutputBuffer data;
    const nd_status status = nd_get_bookmark(engine_of(handle), name_bytes.data(), data.get());
    return status != ND_ERR_NOT_FOUND && succeeded(env, status) ? data.to_java(env) : nullptr;
  });
}

}  // extern "C"

// The border between C++ and the JVM: no C++ exception crosses it, and every failure arrives in Java as one
// of its exceptions.
#pragma once

#include <jni.h>
#include <ndcapi.h>

#include <new>
#include <utility>

namespace ndc::jni {

// Leaves the exception of a status pending, unless one is pending already.
void throw_status(JNIEnv* env, nd_status status, const char* sentence) noexcept;

// True for ND_OK. Else nd_last_error() becomes the pending exception, so this stands right behind the call.
bool succeeded(JNIEnv* env, nd_status status) noexcept;

// Runs the body of a native method. Where a Java exception is pending, what it returns does not matter.
template <typename Value, typename Body>
Value cross(JNIEnv* env, Value otherwise, Body&& body) noexcept {
  try {
    return std::forward<Body>(body)();
  } catch (const std::bad_alloc&) {
    throw_status(env, ND_ERR_NO_MEMORY, "no native memory is left for this call");
  } catch (...) {
    throw_status(env, ND_ERR_INTERNAL, "unexpected failure inside the binding");
  }
  return otherwise;
}

template <typename Body>
void cross(JNIEnv* env, Body&& body) noexcept {
  cross(env, 0, [&] {
    std::forward<Body>(body)();
    return 0;
  });
}

}  // namespace ndc::jni

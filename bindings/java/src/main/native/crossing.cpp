#include "crossing.hpp"

#include <cstring>

namespace ndc::jni {

namespace {

// Written by JNI_OnLoad, before any other native method can run, and only read afterwards.
jclass exception_class = nullptr;
jmethodID exception_of = nullptr;

}  // namespace

bool remember_java_types(JNIEnv* env) noexcept {
  const jclass found = env->FindClass("io/ndc/NearDuplicatesException");
  if (found == nullptr) return false;
  exception_of = env->GetStaticMethodID(found, "of", "(I[B)Lio/ndc/NearDuplicatesException;");
  if (exception_of == nullptr) return false;
  exception_class = static_cast<jclass>(env->NewGlobalRef(found));
  env->DeleteLocalRef(found);
  return exception_class != nullptr;
}

void forget_java_types(JNIEnv* env) noexcept {
  if (exception_class != nullptr) env->DeleteGlobalRef(exception_class);
  exception_class = nullptr;
}

void throw_status(JNIEnv* env, nd_status status, const char* sentence) noexcept {
  if (env->ExceptionCheck()) return;
  const auto size = static_cast<jsize>(std::strlen(sentence));
  const jbyteArray bytes = env->NewByteArray(size);
  if (bytes == nullptr) return;  // OutOfMemoryError is pending
  env->SetByteArrayRegion(bytes, 0, size, reinterpret_cast<const jbyte*>(sentence));
  const jobject exception =
      env->CallStaticObjectMethod(exception_class, exception_of, static_cast<jint>(status), bytes);
  if (!env->ExceptionCheck() && exception != nullptr) env->Throw(static_cast<jthrowable>(exception));
  env->DeleteLocalRef(exception);
  env->DeleteLocalRef(bytes);
}

bool succeeded(JNIEnv* env, nd_status status) noexcept {
  if (status == ND_OK) return true;
  throw_status(env, status, nd_last_error());
  return false;
}

}  // namespace ndc::jni

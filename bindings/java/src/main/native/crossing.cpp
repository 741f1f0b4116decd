// Turns a status into the Java exception that belongs to it, with the sentence of the library.
#include "crossing.hpp"

#include <cstring>

namespace ndc::jni {

namespace {

// Null with a Java exception pending. The class is looked up each time: a global reference to it would keep
// its class loader, and with it this library, in the JVM for ever.
jobject exception_of(JNIEnv* env, nd_status status, const char* sentence) noexcept {
  const jclass type = env->FindClass("io/ndc/NearDuplicatesException");
  if (type == nullptr) return nullptr;
  const jmethodID of = env->GetStaticMethodID(type, "of", "(I[B)Lio/ndc/NearDuplicatesException;");
  if (of == nullptr) return nullptr;
  const auto size = static_cast<jsize>(std::strlen(sentence));
  const jbyteArray bytes = env->NewByteArray(size);
  if (bytes == nullptr) return nullptr;
  env->SetByteArrayRegion(bytes, 0, size, reinterpret_cast<const jbyte*>(sentence));
  const jobject exception = env->CallStaticObjectMethod(type, of, static_cast<jint>(status), bytes);
  return env->ExceptionCheck() ? nullptr : exception;
}

}  // namespace

void throw_status(JNIEnv* env, nd_status status, const char* sentence) noexcept {
  if (env->ExceptionCheck()) return;
  if (const jobject exception = exception_of(env, status, sentence); exception != nullptr)
    env->Throw(static_cast<jthrowable>(exception));
}

bool succeeded(JNIEnv* env, nd_status status) noexcept {
  if (status == ND_OK) return true;
  throw_status(env, status, nd_last_error());
  return false;
}

}  // namespace ndc::jni

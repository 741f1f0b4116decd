// Loading, and what the jar asks a library before it trusts it.
#include <jni.h>

#include "crossing.hpp"

namespace {

// Counted up whenever a native method's name, arguments or rows of numbers change; NativeCalls.BINDING_ABI
// has the same.
constexpr jint kBindingAbi = 1;

JNIEnv* env_of(JavaVM* vm) {
  void* env = nullptr;
  return vm->GetEnv(&env, JNI_VERSION_1_8) == JNI_OK ? static_cast<JNIEnv*>(env) : nullptr;
}

}  // namespace

extern "C" {

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  JNIEnv* const env = env_of(vm);
  return env != nullptr && ndc::jni::remember_java_types(env) ? JNI_VERSION_1_8 : JNI_ERR;
}

JNIEXPORT void JNICALL JNI_OnUnload(JavaVM* vm, void*) {
  if (JNIEnv* const env = env_of(vm); env != nullptr) ndc::jni::forget_java_types(env);
}

JNIEXPORT jint JNICALL Java_io_ndc_NativeCalls_bindingAbi(JNIEnv*, jclass) {
  return kBindingAbi;
}

JNIEXPORT jint JNICALL Java_io_ndc_NativeCalls_version(JNIEnv*, jclass) {
  return static_cast<jint>(nd_version());
}

}  // extern "C"

// Loading, and what the jar asks a library before it trusts it.
#include <jni.h>
#include <ndcapi.h>

namespace {

// Counted up whenever a native method's name, arguments or rows of numbers change; NativeCalls.BINDING_ABI
// has the same.
constexpr jint kBindingAbi = 11;

}  // namespace

extern "C" {

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM*, void*) {
  return JNI_VERSION_1_8;
}

JNIEXPORT jint JNICALL Java_io_ndc_NativeCalls_bindingAbi(JNIEnv*, jclass) {
  return kBindingAbi;
}

JNIEXPORT jint JNICALL Java_io_ndc_NativeCalls_version(JNIEnv*, jclass) {
  return static_cast<jint>(nd_version());
}

}  // extern "C"

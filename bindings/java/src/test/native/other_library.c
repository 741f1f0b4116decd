/* A library that says it is the native half of the binding, of another version or revision:
 * NativeLibraryTest loads it. */
#include <jni.h>

JNIEXPORT jint JNICALL Java_io_ndc_NativeCalls_bindingAbi(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  return OTHER_ABI;
}

JNIEXPORT jint JNICALL Java_io_ndc_NativeCalls_version(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  return OTHER_VERSION;
}

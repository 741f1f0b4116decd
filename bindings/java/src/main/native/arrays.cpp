// Copies arrays out of the JVM and back, with a check of each length.
#include "arrays.hpp"

#include <limits>

#include "crossing.hpp"

namespace ndc::jni {

namespace {

static_assert(sizeof(jlong) == sizeof(uint64_t));

bool fits(JNIEnv* env, size_t size) {
  // HotSpot refuses the last few lengths below 2^31 with an OutOfMemoryError of its own.
  if (size <= static_cast<size_t>(std::numeric_limits<jsize>::max())) return true;
  throw_status(env, ND_ERR_LIMIT, "the answer is longer than a Java array can be");
  return false;
}

}  // namespace

Bytes::Bytes(JNIEnv* env, jbyteArray array) {
  if (array != nullptr) copy(env, array, 0, env->GetArrayLength(array));
}

void Bytes::copy(JNIEnv* env, jbyteArray array, jint offset, jint size) {
  size_ = static_cast<size_t>(size);
  data_.reset(new char[size_ + 1]);
  env->GetByteArrayRegion(array, offset, size, reinterpret_cast<jbyte*>(data_.get()));
  data_[size_] = '\0';
  valid_ = !env->ExceptionCheck();
}

Bytes bytes_at(JNIEnv* env, jobjectArray arrays, jsize index, jint offset, jint size) {
  const auto array = static_cast<jbyteArray>(env->GetObjectArrayElement(arrays, index));
  Bytes bytes = size < 0 ? Bytes(env, array) : Bytes(env, array, offset, size);
  env->DeleteLocalRef(array);
  return bytes;
}

jbyteArray OutputBuffer::to_java(JNIEnv* env) const {
  return byte_array(env, buffer_.data, buffer_.size);
}

jbyteArray byte_array(JNIEnv* env, const void* data, size_t size) {
  if (!fits(env, size)) return nullptr;
  const jbyteArray array = env->NewByteArray(static_cast<jsize>(size));
  if (array != nullptr && size != 0)
    env->SetByteArrayRegion(array, 0, static_cast<jsize>(size), static_cast<const jbyte*>(data));
  return array;
}

jobjectArray byte_arrays(JNIEnv* env, std::span<const std::string_view> texts) {
  if (!fits(env, texts.size())) return nullptr;
  const jclass type = env->FindClass("[B");
  const jobjectArray arrays =
      type == nullptr ? nullptr : env->NewObjectArray(static_cast<jsize>(texts.size()), type, nullptr);
  for (size_t i = 0; arrays != nullptr && i < texts.size(); ++i) {
    const jbyteArray bytes = byte_array(env, texts[i].data(), texts[i].size());
    if (bytes == nullptr) return nullptr;
    env->SetObjectArrayElement(arrays, static_cast<jsize>(i), bytes);
    env->DeleteLocalRef(bytes);
  }
  return arrays;
}

jlongArray long_array(JNIEnv* env, const jlong* numbers, size_t count) {
  if (!fits(env, count)) return nullptr;
  const jlongArray array = env->NewLongArray(static_cast<jsize>(count));
  if (array != nullptr && count != 0) env->SetLongArrayRegion(array, 0, static_cast<jsize>(count), numbers);
  return array;
}

jlongArray long_array(JNIEnv* env, const std::vector<uint64_t>& numbers) {
  return long_array(env, reinterpret_cast<const jlong*>(numbers.data()), numbers.size());
}

bool read_longs(JNIEnv* env, jlongArray array, std::vector<uint64_t>& numbers_out) {
  const jsize count = env->GetArrayLength(array);
  numbers_out.resize(static_cast<size_t>(count));
  if (count != 0) env->GetLongArrayRegion(array, 0, count, reinterpret_cast<jlong*>(numbers_out.data()));
  return !env->ExceptionCheck();
}

}  // namespace ndc::jni

// Java's arrays as bytes, and back. They are copied: no critical section ever holds up the
// garbage collector.
#pragma once

#include <jni.h>
#include <ndcapi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "crossing.hpp"

namespace ndc::jni {

// A copy of a byte array or of a part of it, with a NUL behind; freed with the call.
class Bytes {
 public:
  // null is empty.
  Bytes(JNIEnv* env, jbyteArray array);
  Bytes(JNIEnv* env, jbyteArray array, jint offset, jint size) { copy(env, array, offset, size); }

  // False where a Java exception is pending.
  bool valid() const { return valid_; }
  const char* data() const { return data_.get(); }
  size_t size() const { return size_; }

 private:
  void copy(JNIEnv* env, jbyteArray array, jint offset, jint size);

  std::unique_ptr<char[]> data_;
  size_t size_ = 0;
  bool valid_ = true;
};

// The same of one of the arrays in an array; of its part, if a size is given.
Bytes bytes_at(JNIEnv* env, jobjectArray arrays, jsize index, jint offset = 0, jint size = -1);

// nd_buffer with an owner.
class OutputBuffer {
 public:
  OutputBuffer() = default;
  OutputBuffer(const OutputBuffer&) = delete;
  OutputBuffer& operator=(const OutputBuffer&) = delete;
  ~OutputBuffer() { nd_buffer_free(&buffer_); }

  nd_buffer* get() { return &buffer_; }
  // A new byte array, or null with an exception pending.
  jbyteArray to_java(JNIEnv* env) const;

 private:
  nd_buffer buffer_ = ND_BUFFER_INIT;
};

// New arrays; null with an exception pending. More than an array can hold is ND_ERR_LIMIT.
jbyteArray byte_array(JNIEnv* env, const void* data, size_t size);
jobjectArray byte_arrays(JNIEnv* env, std::span<const std::string_view> texts);
jlongArray long_array(JNIEnv* env, const jlong* numbers, size_t count);
jlongArray long_array(JNIEnv* env, const std::vector<uint64_t>& numbers);

// The numbers of an array; false with an exception pending.
bool read_longs(JNIEnv* env, jlongArray array, std::vector<uint64_t>& numbers_out);

// The two steps of a sized output that counts keys; `call` is (uint64_t* keys, size_t* count) → nd_status.
template <typename Call>
jlongArray sized_keys(JNIEnv* env, Call call) {
  size_t count = 0;
  if (!succeeded(env, call(nullptr, &count))) return nullptr;
  std::vector<uint64_t> keys(count);
  if (count != 0 && !succeeded(env, call(keys.data(), &count))) return nullptr;
  return long_array(env, keys);
}

}  // namespace ndc::jni

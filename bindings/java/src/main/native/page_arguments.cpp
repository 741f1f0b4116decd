// Takes pages and options out of the arrays in which Java passes them.
#include "page_arguments.hpp"

#include <iterator>

#include "crossing.hpp"

namespace ndc::jni {

PageArguments::PageArguments(JNIEnv* env, jobjectArray texts, jlongArray numbers) {
  jlong rows[4];
  env->GetLongArrayRegion(numbers, 0, std::size(rows), rows);
  if (env->ExceptionCheck()) return;
  texts_.reserve(3);
  texts_.push_back(bytes_at(env, texts, 0));
  texts_.push_back(bytes_at(env, texts, 1));
  texts_.push_back(bytes_at(env, texts, 2, static_cast<jint>(rows[0]), static_cast<jint>(rows[1])));
  valid_ = texts_[0].valid() && texts_[1].valid() && texts_[2].valid();
  page_.url = texts_[0].data();
  page_.url_size = texts_[0].size();
  page_.content_type = texts_[1].data();
  page_.content_type_size = texts_[1].size();
  page_.body = texts_[2].data();
  page_.body_size = texts_[2].size();
  page_.flags = static_cast<uint32_t>(rows[2]);
  page_.fetched_at_ms = rows[3];
}

OptionArguments::OptionArguments(JNIEnv* env, jobjectArray keys_and_values) {
  const jsize count = keys_and_values == nullptr ? 0 : env->GetArrayLength(keys_and_values);
  valid_ = count == 0 || (succeeded(env, nd_options_new(&options_)) && set_all(env, keys_and_values, count));
}

bool OptionArguments::set_all(JNIEnv* env, jobjectArray keys_and_values, jsize count) {
  for (jsize i = 0; i + 1 < count; i += 2) {
    const Bytes key = bytes_at(env, keys_and_values, i);
    const Bytes value = bytes_at(env, keys_and_values, i + 1);
    if (!key.valid() || !value.valid()) return false;
    if (!succeeded(env, nd_options_set(options_, key.data(), value.data()))) return false;
  }
  return true;
}

}  // namespace ndc::jni

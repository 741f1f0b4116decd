// Sets the options that Java passes as an array of keys and values.
#include "page_arguments.hpp"

#include "crossing.hpp"

namespace ndc::jni {

PageArguments::PageArguments(JNIEnv* env, jbyteArray url, jbyteArray body, jint offset, jint size,
                             jbyteArray content_type, jint flags, jlong fetched_at_ms)
    : url_(env, url), content_type_(env, content_type), body_(env, body, offset, size) {
  valid_ = url_.valid() && content_type_.valid() && body_.valid();
  page_.url = url_.data();
  page_.url_size = url_.size();
  page_.body = body_.data();
  page_.body_size = body_.size();
  page_.content_type = content_type_.data();
  page_.content_type_size = content_type_.size();
  page_.flags = static_cast<uint32_t>(flags);
  page_.fetched_at_ms = fetched_at_ms;
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

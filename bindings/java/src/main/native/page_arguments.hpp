// A page as Java passes it: nd_page, and the copies that it points to.
#pragma once

#include "arrays.hpp"

namespace ndc::jni {

class PageArguments {
 public:
  // `texts`: URL, content type, body. `numbers`: where the body begins in its array, its size, the flags of
  // nd_page, and when the page was fetched.
  PageArguments(JNIEnv* env, jobjectArray texts, jlongArray numbers);

  // False where a Java exception is pending.
  bool valid() const { return valid_; }
  const nd_page* page() const { return &page_; }

 private:
  std::vector<Bytes> texts_;  // what the page points to
  nd_page page_ = ND_PAGE_INIT;
  bool valid_ = false;
};

// Options from an array of key, value, key, value.
class OptionArguments {
 public:
  OptionArguments(JNIEnv* env, jobjectArray keys_and_values);
  OptionArguments(const OptionArguments&) = delete;
  OptionArguments& operator=(const OptionArguments&) = delete;
  ~OptionArguments() { nd_options_free(options_); }

  bool valid() const { return valid_; }
  // NULL: the defaults.
  const nd_options* options() const { return options_; }

 private:
  bool set_all(JNIEnv* env, jobjectArray keys_and_values, jsize count);

  nd_options* options_ = nullptr;
  bool valid_ = false;
};

}  // namespace ndc::jni

// RAII owners of the handles of the C interface, so that each is closed on every path out of a command.
#pragma once

#include <ndcapi.h>
#include <memory>
#include <string_view>

namespace ndc {

struct OptionsDeleter {
  void operator()(nd_options* options) const { nd_options_free(options); }
};
using OptionsHandle = std::unique_ptr<nd_options, OptionsDeleter>;

struct EngineDeleter {
  void operator()(nd_engine* engine) const { nd_close(engine); }
};
using EngineHandle = std::unique_ptr<nd_engine, EngineDeleter>;

struct JoinDeleter {
  void operator()(nd_join* join) const { nd_join_free(join); }
};
using JoinHandle = std::unique_ptr<nd_join, JoinDeleter>;

class Buffer {
 public:
  Buffer() = default;
  ~Buffer() { nd_buffer_free(&buffer_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  nd_buffer* get() { return &buffer_; }
  std::string_view text() const { return {buffer_.data, buffer_.size}; }

 private:
  nd_buffer buffer_ = ND_BUFFER_INIT;
};

}  // namespace ndc

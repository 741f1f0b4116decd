// A logger that compares each line of an engine with what ndcapi.h says of lines.
#pragma once

#include <ndcapi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/expectation.hpp"
#include "fuzz/well_formed_text.hpp"

namespace nd::fuzz {

// Lives longer than the engine that it follows.
class EngineLog {
 public:
  EngineLog() = default;
  EngineLog(const EngineLog&) = delete;
  EngineLog& operator=(const EngineLog&) = delete;

  // For all engines that are opened with them.
  void follow(nd_options* options) {
    is_open_ = true;
    expect(nd_options_set_logger(options, hear, this) == ND_OK, "options take no logger");
  }
  // Takes the lines of opening, too, which were kept.
  void follow(nd_engine* engine) {
    is_open_ = true;
    expect(nd_set_logger(engine, hear, this) == ND_OK, "an engine takes no logger");
  }
  // After nd_close.
  void engine_closed() { is_open_ = false; }

 private:
  static void hear(int32_t level, const char* message, size_t message_size, void* context) {
    const std::string_view line(message, message_size);
    expect(static_cast<EngineLog*>(context)->is_open_, "a line after nd_close");
    expect(level >= ND_LOG_ERROR && level <= ND_LOG_WARNING, "an unknown level");
    expect(!line.empty() && line.find('\n') == std::string_view::npos, "not one line");
    expect(is_clean_text(line), "a line is no UTF-8");
  }

  std::atomic<bool> is_open_ = false;  // lines come from any thread
};

}  // namespace nd::fuzz

// What one call of the library takes from JavaScript and gives back to it, free of JavaScript's own types: it
// can be carried out on any thread.
#pragma once

#include <ndcapi.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace ndc_node {

// An engine or a model of a site, and what the engine has logged. Calls that are under way share it, so that
// what JavaScript forgets is closed after the last of them.
struct Handle {
  nd_engine* engine = nullptr;
  nd_site_model* site = nullptr;
  int calls = 0;  // under way on other threads than JavaScript's

  std::mutex mutex;
  std::string lines;  // of the log, each behind the digit of its level
  std::atomic<bool> has_lines = false;

  ~Handle() { close(); }
  nd_status close() noexcept;
};

// An argument of bytes: those of a buffer that lives as long as the call, or the copy.
struct Bytes {
  const char* data = nullptr;
  size_t size = 0;
  std::string copy;
};

struct Call;

struct Request {
  double id = 0;
  const Call* call = nullptr;
  std::shared_ptr<Handle> handle;
  Bytes bytes[3];  // of a page: URL, body, content type
  double numbers[2] = {0, 0};
  uint32_t flags = 0;
  Bytes options;  // names and values in turn, each with a NUL behind it

  nd_status status = ND_OK;
  std::string sentence;  // what went wrong
  nd_result result = ND_RESULT_INIT;
  nd_buffer buffer = ND_BUFFER_INIT;
  std::vector<double> rows;
  std::vector<std::string> texts;

  Request() = default;
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  ~Request() { nd_buffer_free(&buffer); }
  uint64_t whole(size_t i) const { return static_cast<uint64_t>(numbers[i]); }
  void perform() noexcept;
};

enum class Answer { nothing, result, text, text_and_result, bytes, rows };

struct Call {
  const char* name;
  Answer answer;
  nd_status (*run)(Request&);
};

// All calls; JavaScript names them by their place.
const std::vector<Call>& calls();

}  // namespace ndc_node

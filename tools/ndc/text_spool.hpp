// Texts that wait on disk until it is known which of them a report shows.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace ndc {

// In a file without a name, in the folder for temporary files: it goes with the process. One thread at a
// time.
class TextSpool {
 public:
  struct Place {
    uint64_t offset = 0;
    uint32_t size = 0;  // 0: nothing is there
  };

  // False: error() says why.
  bool add(std::string_view text, Place& place);
  bool read(const Place& place, std::string& text);
  const std::string& error() const { return error_; }

 private:
  struct Closing {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  bool fail(const char* what);

  std::unique_ptr<std::FILE, Closing> file_;  // null as long as nothing was added
  uint64_t size_ = 0;
  bool is_read_ = false;  // the last access
  std::string error_;
};

}  // namespace ndc

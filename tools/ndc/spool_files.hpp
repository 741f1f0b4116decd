// What waits in a file until it is wanted again: features, and the text of pages.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace ndc {

// Features and URLs in a file without a name, in the folder for temporary files: it goes with the process.
// First everything is added, then read, as often as one likes. One thread at a time.
class FeatureSpool {
 public:
  // A place in it: the number of a page, from 0.
  struct Place {
    uint64_t page = 0;
    uint64_t offset = 0;
  };

  // False: error() says why.
  bool add(std::string_view url, std::string_view features);

  // The next read() begins there. False: error() says why.
  bool go_to(const Place& place);
  // False at the end, or if error() says why.
  bool read(std::string& url, std::string& features);
  // The place of the next page that is read, and of the next one that is added.
  const Place& place() const { return place_; }
  Place end() const { return {size_, bytes_}; }

  uint64_t size() const { return size_; }
  const std::string& error() const { return error_; }

 private:
  struct Closing {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  bool put(std::string_view text);
  bool take(std::string& text);
  bool fail(const char* what);

  std::unique_ptr<std::FILE, Closing> file_;  // null as long as nothing was added
  uint64_t size_ = 0;
  uint64_t bytes_ = 0;
  Place place_;
  std::string error_;
};

// Texts that wait on disk until it is known which of them a report shows.
//
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

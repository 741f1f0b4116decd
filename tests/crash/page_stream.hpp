// An endless stream of changes to a store, each of which follows from the stream's number and its own alone.
#pragma once

#include <cstdint>
#include <string>

namespace crash {

struct Operation {
  enum class Kind { kCheck, kRemove, kRemoveSite };

  Kind kind = Kind::kCheck;
  uint64_t url = 0;  // its number
  std::string body;  // with kCheck
  int64_t fetched_at_ms = 0;
  bool snapshot = false;  // nd_snapshot, nd_compact, or closing and opening again comes after it
  bool compact = false;
  bool reopen = false;
};

class PageStream {
 public:
  explicit PageStream(uint64_t number) : number_(number) {}

  Operation at(uint64_t position) const;

  std::string url(uint64_t url_number) const;
  std::string site(uint64_t url_number) const;
  // With which every URL of the site begins.
  std::string site_prefix(uint64_t url_number) const;
  // The common prefix of all URLs of the stream.
  std::string prefix() const;
  std::string bookmark() const;

 private:
  std::string text(uint64_t position) const;
  uint64_t draw(uint64_t position, uint64_t purpose) const;

  uint64_t number_;
};

}  // namespace crash

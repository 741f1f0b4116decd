// The labels of pages: which of them are near-duplicates.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/result.hpp"

namespace nd::eval {

struct Label {
  std::string group;  // pages of one group are near-duplicates, others are not
  std::string kind;   // "" if the file does not tell
  std::string site;   // "" if the file does not tell
};

// A table with a head: url and group, and perhaps kind and site; fields end at a tab, others are passed over;
// at most a megabyte a line. A line that begins with '#' is the head without it, or a comment behind the
// head.
class Labels {
 public:
  // Errors: kIo; kInvalidArgument, with the line: no url or group column, a row without them, a URL twice.
  static Result<Labels> read(const std::string& path);

  const Label* find(std::string_view url) const;
  size_t size() const { return by_url_.size(); }

 private:
  std::unordered_map<std::string, Label> by_url_;
};

// Pages of this kind are left out of every score: people could not tell.
inline constexpr std::string_view kUnscoredKind = "ambiguous";

}  // namespace nd::eval

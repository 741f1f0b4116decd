// Which pairs of a report are worth a look by a person.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ndc {

// Keeps the `limit` pairs about which there is most doubt. One thread at a time.
class ReportReview {
 public:
  struct Pair {
    uint64_t a = 0;  // pages as the report numbers them; a represents the group
    uint64_t b = 0;
    uint64_t group = 0;     // as the report numbers them
    bool disputed = false;  // the decision would be another one now
    bool marked = false;    // a flag speaks of it: a part of the other, cut by a limit, unverified
    double margin = 1;      // between what was asked and what was found
  };

  void add(const Pair& pair, size_t limit);
  // JSON: disputed pairs first, then marked ones, each by their margin.
  std::string text(size_t limit);

 private:
  void shrink(size_t limit);

  std::vector<Pair> pairs_;
};

}  // namespace ndc

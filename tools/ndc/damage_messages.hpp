// What is said about the damage in archives while they are read.
#pragma once

#include <cstdint>
#include <string>

#include "archives/archive_item.hpp"

namespace ndc {

// Where so many places of a file are damaged, only their number is said of the others: hostile files can have
// millions. Counts and exit codes know all.
inline constexpr uint64_t kMostDamageMessages = 100;

// Reports on standard error which records were skipped and why. One thread at a time.
class DamageMessages {
 public:
  // Takes an item that is damage.
  void add(const ArchiveItem& item);

  // Behind the last item: says what is left to be said.
  void finish();

 private:
  std::string path_;  // of the file at hand
  uint64_t count_ = 0;
};

}  // namespace ndc

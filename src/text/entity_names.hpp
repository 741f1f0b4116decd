// The names of the entities of HTML 4.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "text/markup_scan.hpp"

namespace nd::text {

// Asks libxml2, which searches its list from one end to the other, and remembers the last answers.
class EntityNames {
 public:
  // The character that it stands for; 0 if there is no such entity.
  uint32_t find(std::string_view name) noexcept;
  // What `at`, at a '&', stands for; the end is `at` if only for itself.
  CharacterReference reference(const char* at, const char* end) noexcept;

 private:
  struct Answer {
    uint64_t name = 0;
    uint32_t value = 0;
  };
  std::array<Answer, 64> answers_{};
};

}  // namespace nd::text

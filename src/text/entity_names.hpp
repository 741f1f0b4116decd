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
  // Bytes that were looked at for nothing, and will be read again as text; since the object was made.
  uint64_t bytes_in_vain() const noexcept { return bytes_in_vain_; }

 private:
  struct Answer {
    uint64_t name = 0;
    uint32_t value = 0;
  };
  CharacterReference no_reference(const char* at, const char* behind) noexcept {
    bytes_in_vain_ += static_cast<uint64_t>(behind - at);
    return {at, false, false, 0};
  }

  std::array<Answer, 64> answers_{};
  uint64_t bytes_in_vain_ = 0;
};

}  // namespace nd::text

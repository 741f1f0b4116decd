// The meaning of a '&' (HTML Living Standard, 13.2.5.72 to 13.2.5.80): the named character references, some
// of which need no ';', and numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/memory.hpp"
#include "reading/markup_scan.hpp"

namespace nd::text {

struct NamedCharacter {
  char name[32];  // without '&' and ';', padded with NUL
  uint32_t first = 0;
  uint16_t second = 0;  // of the few that stand for two characters
  bool without_semicolon = false;
};
inline constexpr size_t kNamedCharacters = 2125;
extern const std::array<NamedCharacter, kNamedCharacters> kNamedCharacterTable;

// Searches the table, and remembers the last answers.
class EntityNames {
 public:
  enum class Place : uint8_t { kText, kAttribute };

  // Null if there is no such name.
  const NamedCharacter* find(std::string_view name) noexcept;
  // The meaning of the '&' at `at`; the end is `at` if it means only itself. In an attribute, a name without
  // ';' that is followed by '=', a letter or a digit is no reference: it is likely to be part of a URL.
  CharacterReference reference(const char* at, const char* end, Place place) noexcept;
  // Bytes examined without finding a reference, which will be read again as text; since the object was
  // created.
  uint64_t bytes_in_vain() const noexcept { return bytes_in_vain_; }

 private:
  struct Answer {
    uint64_t name = 0;
    const NamedCharacter* found = nullptr;
  };

  std::array<Answer, 64> answers_{};
  uint64_t bytes_in_vain_ = 0;
};

// Writes a valid reference as numbers with ';', which a parser that knows fewer names reads alike.
void write_reference(String& out, const CharacterReference& reference);

}  // namespace nd::text

#include "text/entity_names.hpp"

#include <libxml/HTMLparser.h>

#include <cstring>

#include "text/html_elements.hpp"

namespace nd::text {
namespace {

// Of the shortest and the longest name (HTML 4.01, 24).
constexpr size_t kMinBytes = 2;
constexpr size_t kMaxBytes = 8;

}  // namespace

uint32_t EntityNames::find(std::string_view name) noexcept {
  if (name.size() < kMinBytes || name.size() > kMaxBytes) return 0;
  std::array<char, kMaxBytes + 1> text{};
  std::memcpy(text.data(), name.data(), name.size());
  uint64_t key = 0;
  std::memcpy(&key, text.data(), sizeof key);
  Answer& answer = answers_[mix(NameKey{key, 0}) % answers_.size()];
  if (answer.name != key) {
    answer.name = key;
    const htmlEntityDesc* const entity = htmlEntityLookup(reinterpret_cast<const xmlChar*>(text.data()));
    answer.value = entity == nullptr ? 0 : entity->value;
  }
  return answer.value;
}

CharacterReference EntityNames::reference(const char* at, const char* end) noexcept {
  const char* const name = at + 1;
  if (name != end && *name == '#') return read_numeric_reference(at, end);
  const char* behind = name;
  while (behind != end && is(*behind, kNameByte))
    ++behind;
  if (behind == end || *behind != ';') return no_reference(at, behind);
  const uint32_t value = find({name, static_cast<size_t>(behind - name)});
  return value == 0 ? no_reference(at, behind) : CharacterReference{behind + 1, true, true, value};
}

}  // namespace nd::text

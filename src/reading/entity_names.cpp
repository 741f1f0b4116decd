// Searches the sorted table of names, longest match first, and writes what a reference stands for.
#include "reading/entity_names.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "reading/html_elements.hpp"

namespace nd::text {
namespace {

// The sizes of the shortest and the longest name, and of the longest that needs no ';'.
constexpr size_t kMinBytes = 2;
constexpr size_t kMaxBytes = 31;
constexpr size_t kMaxOpenBytes = 6;

bool is_alphanumeric(char c) noexcept {
  return is(c, kLetter) || (c >= '0' && c <= '9');
}

std::string_view name_of(const NamedCharacter& character) noexcept {
  return character.name;
}

const NamedCharacter* search(std::string_view name) noexcept {
  const auto* const end = kNamedCharacterTable.data() + kNamedCharacterTable.size();
  const auto* const found = std::lower_bound(
      kNamedCharacterTable.data(), end, name,
      [](const NamedCharacter& character, std::string_view key) { return name_of(character) < key; });
  return found != end && name_of(*found) == name ? found : nullptr;
}

CharacterReference stands_for(const NamedCharacter& character, const char* end) noexcept {
  return {end, true, character.first, character.second};
}

void write_number(String& out, uint32_t code_point) {
  char digits[12];
  const auto written = std::to_chars(digits, digits + sizeof digits, code_point);
  out.append("&#").append(digits, written.ptr).append(";");
}

}  // namespace

const NamedCharacter* EntityNames::find(std::string_view name) noexcept {
  if (name.size() < kMinBytes || name.size() > kMaxBytes) return nullptr;
  uint64_t key = 0;
  if (name.size() > sizeof key) return search(name);
  std::memcpy(&key, name.data(), name.size());
  Answer& answer = answers_[mix(NameKey{key, 0}) % answers_.size()];
  if (answer.name != key) answer = {key, search(name)};
  return answer.found;
}

CharacterReference EntityNames::reference(const char* at, const char* end, Place place) noexcept {
  const char* const name = at + 1;
  if (name != end && *name == '#') return read_numeric_reference(at, end);
  const char* const limit = static_cast<size_t>(end - name) > kMaxBytes ? name + kMaxBytes : end;
  const char* behind = name;
  while (behind != limit && is_alphanumeric(*behind))
    ++behind;
  const auto size = static_cast<size_t>(behind - name);
  if (behind != end && *behind == ';') {
    if (const NamedCharacter* const found = find({name, size})) return stands_for(*found, behind + 1);
  }
  for (size_t open = std::min(size, kMaxOpenBytes); open >= kMinBytes; --open) {
    const NamedCharacter* const found = find({name, open});
    if (found == nullptr || !found->without_semicolon) continue;
    const char* const next = name + open;
    const bool is_in_url =
        place == Place::kAttribute && next != end && (*next == '=' || is_alphanumeric(*next));
    if (is_in_url) break;
    bytes_in_vain_ += size - open;
    return stands_for(*found, next);
  }
  bytes_in_vain_ += size;
  return {at, false, 0, 0};
}

void write_reference(String& out, const CharacterReference& reference) {
  write_number(out, reference.value);
  if (reference.second != 0) write_number(out, reference.second);
}

}  // namespace nd::text

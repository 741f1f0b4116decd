// What the members of a JSON line are called that make a page.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ndc {

enum class JsonField : unsigned char { kUrl, kHtml, kText, kDate, kContentType };
inline constexpr size_t kJsonFields = 5;

// One thread at a time while a name is set.
class JsonFields {
 public:
  // "url=NAME": sets a name, which may be that of a member within others, joined by dots. False: it is none.
  bool set(std::string_view assignment);

  // How a field is called in messages.
  std::string shown(JsonField field) const;

  // What a member is: the field, and how many names of it go before this one. nullopt: of no account.
  struct Meaning {
    JsonField field;
    size_t rank;
  };
  std::optional<Meaning> meaning_of(std::string_view path) const;

 private:
  std::array<std::string, kJsonFields> names_;  // that were set; else the common ones count
};

}  // namespace ndc

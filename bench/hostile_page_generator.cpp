// Collects the kinds of mark-up, text and sites in one list, by which tests and measurements go.
#include "hostile_page_generator.hpp"

#include <algorithm>
#include <vector>

#include "hostile_page_text.hpp"

namespace ndc::bench {

std::span<const HostileKind> hostile_kinds() {
  static const std::vector<HostileKind> kinds = [] {
    std::vector<HostileKind> all;
    for (const auto some :
         {hostile_markup_kinds(), hostile_site_kinds(), hostile_text_kinds(), hostile_charset_kinds()})
      all.insert(all.end(), some.begin(), some.end());
    return all;
  }();
  return kinds;
}

const HostileKind* hostile_kind(std::string_view name) {
  const std::span<const HostileKind> kinds = hostile_kinds();
  const auto found =
      std::ranges::find_if(kinds, [name](const HostileKind& kind) { return kind.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

}  // namespace ndc::bench

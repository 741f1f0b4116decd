// The normalised text of a page, token by token, as a features record with kept text has it
// (docs/features_format.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ndc {

// What a report takes out of a features record. Borrows the record.
struct RecordParts {
  std::string_view text;  // pieces, one a token, separated by 0x1f
  uint64_t width = 0;
};

// nullopt: these are not the bytes that nd_features_compute() writes.
std::optional<RecordParts> parts_of_record(std::string_view features);

// Text with the places of its tokens. Positions are counted in UTF-16 units, as JavaScript does.
class PageText {
 public:
  struct Range {
    uint32_t begin = 0;
    uint32_t end = 0;
  };

  // `pieces`: RecordParts::text.
  explicit PageText(std::string_view pieces);

  uint32_t token_count() const { return static_cast<uint32_t>(starts_.size()) - 1; }
  std::string_view text_of(Range tokens) const;
  // In UTF-16 units.
  Range place_of(Range tokens) const { return {places_[tokens.begin], places_[tokens.end]}; }

 private:
  std::string text_;              // UTF-8, without the separators
  std::vector<uint32_t> starts_;  // in bytes, by token, and the end
  std::vector<uint32_t> places_;  // the same in UTF-16 units
};

}  // namespace ndc

// Reads the text and the ranges of tokens of a record, in the units that a browser counts in.
#include "page_text.hpp"

namespace ndc {
namespace {

constexpr size_t kHeaderBytes = 152;
constexpr char kPieceSeparator = '\x1f';

uint64_t number_at(std::string_view bytes, size_t offset, size_t size) {
  uint64_t number = 0;
  for (size_t i = size; i-- > 0;)
    number = number << 8 | static_cast<uint8_t>(bytes[offset + i]);
  return number;
}

// UTF-16 units of the character that begins with this byte; 0: it begins none.
uint32_t units_of(char byte) {
  const auto first = static_cast<uint8_t>(byte);
  if ((first & 0xC0) == 0x80) return 0;
  return first >= 0xF0 ? 2 : 1;
}

}  // namespace

std::optional<RecordParts> parts_of_record(std::string_view features) {
  if (features.size() < kHeaderBytes || !features.starts_with("NDF1")) return std::nullopt;
  const auto count = [&](size_t offset) { return number_at(features, offset, 4); };
  const uint64_t before_url = kHeaderBytes + count(88) * 16 + count(96) * 8 + count(136) * 8 +
                              count(140) * 16 + count(120) * 24 + (count(100) + count(144)) * 4;
  const uint64_t text = before_url + count(104) + count(108);
  if (text + count(112) > features.size()) return std::nullopt;
  RecordParts parts;
  parts.text = features.substr(text, count(112));
  parts.width = number_at(features, 72, 8);
  return parts;
}

PageText::PageText(std::string_view pieces) {
  text_.reserve(pieces.size());
  uint32_t place = 0;
  starts_.push_back(0);
  places_.push_back(0);
  for (const char byte : pieces) {
    if (byte == kPieceSeparator) {
      starts_.push_back(static_cast<uint32_t>(text_.size()));
      places_.push_back(place);
      continue;
    }
    text_ += byte;
    place += units_of(byte);
  }
  if (!pieces.empty()) {
    starts_.push_back(static_cast<uint32_t>(text_.size()));
    places_.push_back(place);
  }
}

std::string_view PageText::text_of(Range tokens) const {
  return std::string_view(text_).substr(starts_[tokens.begin], starts_[tokens.end] - starts_[tokens.begin]);
}

}  // namespace ndc

// Strips the declarations in place, decodes both forms, and counts how many pages keep their text.
#include "undeclared_pages.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "cpu_clock.hpp"
#include "reading/decode.hpp"
#include "spread.hpp"

namespace ndc::bench {
namespace {

constexpr std::string_view kDeclaring[] = {"charset", "encoding"};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// In place, so that no byte moves: a letter of each word becomes another.
void strip_declarations(std::string& bytes) {
  for (const std::string_view word : kDeclaring) {
    const auto same = [](char a, char b) { return lower(a) == b; };
    auto at = bytes.begin();
    while ((at = std::search(at, bytes.end(), word.begin(), word.end(), same)) != bytes.end()) {
      *at = 'x';
      at += static_cast<std::ptrdiff_t>(word.size());
    }
  }
}

nd::text::Decoded decode(nd::text::Decoder& decoder, const SourcePage& page) {
  auto decoded = decoder.decode(page.bytes(), page.content_type, true);
  if (!decoded) std::abort();
  return *decoded;
}

double decode_seconds(std::span<const SourcePage> pages) {
  nd::text::Decoder decoder;
  const double start = thread_cpu_seconds();
  for (const SourcePage& page : pages)
    decode(decoder, page);
  return thread_cpu_seconds() - start;
}

struct Kept {
  uint64_t charset = 0, text = 0, detected = 0;
};

// One pair of pages: `declared` and what is left of it.
void count(nd::text::Decoder& decoder, const SourcePage& declared, const SourcePage& stripped, Kept& kept) {
  const std::string_view charset = decode(decoder, declared).charset;  // static
  SourcePage expected = declared;
  strip_declarations(expected.utf8);
  const nd::text::Decoded found = decode(decoder, stripped);
  kept.charset += found.charset == charset;
  kept.text += found.text == expected.utf8;
  kept.detected += found.source == nd::text::CharsetSource::kDetector;
}

}  // namespace

nlohmann::json measure_undeclared(std::span<const SourcePage> pages, unsigned rounds) {
  nd::text::Decoder decoder;
  std::vector<SourcePage> declared, stripped;
  Kept kept;
  for (const SourcePage& page : pages) {
    const nd::text::Decoded decoded = decode(decoder, page);
    if (decoded.source == nd::text::CharsetSource::kByteOrderMark) continue;
    if (decoded.charset != "gb18030" && decoded.charset != "gbk" && decoded.charset != "big5") continue;
    declared.push_back(page);
    stripped.push_back(page);
    stripped.back().content_type = "text/html";
    strip_declarations(stripped.back().raw);
    count(decoder, declared.back(), stripped.back(), kept);
  }
  if (declared.empty()) return {{"pages", 0}};
  std::vector<double> with, without;
  for (unsigned round = 0; round < rounds; ++round) {
    const double parse = bare_parse_seconds(declared);
    if (round % 2 == 0) with.push_back(decode_seconds(declared) / parse);
    without.push_back(decode_seconds(stripped) / parse);
    if (round % 2 != 0) with.push_back(decode_seconds(declared) / parse);
  }
  return {{"pages", declared.size()},
          {"same_charset", kept.charset},
          {"same_text", kept.text},
          {"detected_by_icu", kept.detected},
          {"declared_ratio", to_json(spread_of(with))},
          {"undeclared_ratio", to_json(spread_of(without))}};
}

}  // namespace ndc::bench

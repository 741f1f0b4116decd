// The building blocks of hostile pages: characters, random words, and pieces repeated up to a size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "hostile_page_generator.hpp"

namespace ndc::bench {

using Random = std::mt19937_64;

inline constexpr std::string_view kHtmlType = "text/html; charset=utf-8";

// A beginning long enough for a body not to be taken for a binary file (reading/content_kind.hpp).
inline constexpr size_t kTextFirst = 2048;

// A page that grows up to a number of bytes.
class PageText {
 public:
  PageText(size_t bytes, unsigned variant) : bytes_(bytes) {
    out_.reserve(bytes);
    out_ = "<!DOCTYPE html><html><head><title>page</title></head><body>";
    if (variant != 0) out_ += "<p>Variant " + std::to_string(variant) + " of this page.</p>";
  }
  size_t left() const { return bytes_ - std::min(bytes_, out_.size()); }
  bool add(std::string_view piece) {
    if (piece.size() > left()) return false;
    out_ += piece;
    return true;
  }
  // While there is more room than that.
  void repeat(std::string_view piece, size_t but = 0) {
    while (left() >= but + piece.size())
      out_ += piece;
  }
  std::string take() { return std::move(out_); }

 private:
  size_t bytes_;
  std::string out_;
};

// Of a character of the Basic Multilingual Plane.
std::string utf8_of(uint32_t character);

// Two to ten letters.
std::string random_word(Random& random);

// The first half of the page one piece, the rest another.
std::string halves(size_t bytes, unsigned variant, std::string_view first, std::string_view second);

// `before`, and then one piece again and again.
std::string flood(size_t bytes, unsigned variant, std::string_view before, std::string_view piece);

// Numbered pieces, each made of its number.
template <typename Piece>
std::string numbered(size_t bytes, unsigned variant, std::string_view before, std::string_view behind,
                     Piece&& piece) {
  PageText page(bytes, variant);
  page.add(before);
  for (uint64_t number = 0;; ++number) {
    const std::string next = piece(number);
    if (page.left() < next.size() + behind.size()) break;
    page.add(next);
  }
  page.add(behind);
  return page.take();
}

// The kinds, by what they are expensive for: the parser; what is kept of a site; tokenizer, dictionary and
// comparison; the decoder. Static.
std::span<const HostileKind> hostile_markup_kinds();
std::span<const HostileKind> hostile_site_kinds();
std::span<const HostileKind> hostile_text_kinds();
std::span<const HostileKind> hostile_charset_kinds();

}  // namespace ndc::bench

// The text of a page as the experiments of TR2007012 compare it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/digest.hpp"
#include "lcs/fingerprints.hpp"
#include "lcs/sequence.hpp"
#include "text/document.hpp"

namespace nd::eval::partition {

// What of a page is taken: the blocks that weigh kMainWeight or more (all, if none does), or all visible
// text.
enum class Extent { kMain, kAll };
inline constexpr std::array kExtents = {Extent::kMain, Extent::kAll};
std::string name_of(Extent extent);

// From here on a block gives candidate keys in the engine too (docs/decision.md, "Candidates").
inline constexpr float kMainWeight = 0.4F;

// What one symbol of a compared text is: a character, as in the report, or a token, as in ndc.
enum class Unit { kCharacters, kTokens };
inline constexpr std::array kUnits = {Unit::kCharacters, Unit::kTokens};
std::string name_of(Unit unit);

// Of the blocks that weigh kMainWeight or more.
uint64_t main_width(const text::Document& document);

struct Text {
  Vector<uint32_t> symbols;
  Vector<uint16_t> widths;
  uint64_t width = 0;  // their sum

  void add(uint32_t symbol, uint32_t symbol_width);
  lcs::Sequence sequence() const { return {symbols, widths}; }
};

// Characters are those of the normalised text, spaces and punctuation among them.
Text text_of(const text::Document& document, Extent extent, Unit unit);
// Of the normalised sentences, as the engine digests them.
std::vector<lcs::SentenceDigest> sentences_of(const text::Document& document, Extent extent, Md5& md5);

}  // namespace nd::eval::partition

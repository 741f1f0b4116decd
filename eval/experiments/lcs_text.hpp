// The text of a page as the experiments of TR2007012 compare it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lcs/fingerprints.hpp"
#include "lcs/sequence.hpp"
#include "text/document.hpp"

namespace nd::eval::partition {

// What of a page is taken. kMain: whole, the blocks whose weight (text::DocumentBlock::weight) is kMainWeight
// or more, however little that is; every block, where none weighs so much. kAll: every block. The engine's
// candidate keys come from the same blocks except for three things: it rounds weights to 1/255, takes all
// text of pages with little weighted main content, and leaves out blocks that it knows as boilerplate of the
// site.
enum class Extent { kMain, kAll };
inline constexpr std::array kExtents = {Extent::kMain, Extent::kAll};
std::string name_of(Extent extent);

// From here on a block gives candidate keys in the engine (docs/decision.md, "Candidates").
inline constexpr float kMainWeight = 0.4F;

// What one symbol of a compared text is: a character, as in the report, or a token, as in ndc.
enum class Unit { kCharacters, kTokens };
inline constexpr std::array kUnits = {Unit::kCharacters, Unit::kTokens};
std::string name_of(Unit unit);

// Of the blocks that weigh kMainWeight or more, each in full; 0 where none does.
uint64_t main_width(const text::Document& document);

// A text as the LCS takes it.
struct ComparedText {
  Vector<uint32_t> symbols;
  Vector<uint16_t> widths;
  uint64_t width = 0;  // their sum

  void add(uint32_t symbol, uint32_t symbol_width);
  lcs::Sequence sequence() const { return {symbols, widths}; }
};

// Characters are those of the normalised text, spaces and punctuation among them.
ComparedText text_of(const text::Document& document, Extent extent, Unit unit);
// Of the normalised sentences, as the engine digests them.
std::vector<lcs::SentenceDigest> sentences_of(const text::Document& document, Extent extent);

}  // namespace nd::eval::partition

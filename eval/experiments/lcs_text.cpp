// Takes the symbols of a page, by tokens or characters, from its main content or from all of it.
#include "lcs_text.hpp"

#include <algorithm>

#include "core/utf8.hpp"
#include "page/feature_layout.hpp"

namespace nd::eval::partition {
namespace {

bool is_main(const text::DocumentBlock& block) {
  return block.weight >= kMainWeight;
}

template <typename Visit>
void visit_blocks(const text::Document& document, Extent extent, const Visit& visit) {
  const bool all =
      extent == Extent::kAll || std::none_of(document.blocks.begin(), document.blocks.end(), is_main);
  for (const text::DocumentBlock& block : document.blocks)
    if (all || is_main(block)) visit(block);
}

}  // namespace

std::string name_of(Extent extent) {
  return extent == Extent::kMain ? "main" : "all";
}

std::string name_of(Unit unit) {
  return unit == Unit::kCharacters ? "characters" : "tokens";
}

uint64_t main_width(const text::Document& document) {
  uint64_t width = 0;
  for (const text::DocumentBlock& block : document.blocks)
    width += is_main(block) ? block.width : 0;
  return width;
}

void ComparedText::add(uint32_t symbol, uint32_t symbol_width) {
  symbols.push_back(symbol);
  widths.push_back(static_cast<uint16_t>(symbol_width));
  width += symbol_width;
}

ComparedText text_of(const text::Document& document, Extent extent, Unit unit) {
  ComparedText text;
  const auto add_characters = [&](const text::DocumentBlock& block) {
    const std::string_view characters = block.text.of(document.text);
    for (size_t at = 0; at < characters.size();) {
      const char32_t character = next_code_point(characters, at);
      text.add(character, width(character));
    }
  };
  const auto add_tokens = [&](const text::DocumentBlock& block) {
    for (uint32_t i = block.tokens.begin; i < block.tokens.end; ++i) {
      const text::Token& token = document.tokens[i];
      const engine::Symbol symbol = engine::make_symbol(token.hash, token.width);
      text.add(symbol, engine::symbol_width(symbol));
    }
  };
  visit_blocks(document, extent, [&](const text::DocumentBlock& block) {
    unit == Unit::kCharacters ? add_characters(block) : add_tokens(block);
  });
  return text;
}

std::vector<lcs::SentenceDigest> sentences_of(const text::Document& document, Extent extent) {
  std::vector<lcs::SentenceDigest> sentences;
  visit_blocks(document, extent, [&](const text::DocumentBlock& block) {
    for (uint32_t i = block.sentences.begin; i < block.sentences.end; ++i) {
      const std::string_view sentence = document.sentences[i].of(document.text);
      md5_side_by_side({&sentence, 1},
                       &sentences.emplace_back(lcs::SentenceDigest{Md5Digest{}, width(sentence)}).digest);
    }
  });
  return sentences;
}

}  // namespace nd::eval::partition

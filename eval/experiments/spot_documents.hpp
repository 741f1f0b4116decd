// The spot vectors of pages, and the bands of IDF that SpotSigs measures itself with.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "collection.hpp"
#include "core/memory.hpp"
#include "core/result.hpp"
#include "detectors/document_frequencies.hpp"
#include "page/features.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::eval {

// The main content of a page (all of it if there is hardly any), or every block.
enum class Text { kMain, kAll };
inline constexpr std::array<Text, 2> kTexts{Text::kMain, Text::kAll};
const char* name_of(Text text);

struct NamedBand {
  const char* name;
  spotsigs::IdfBand band;
};
inline constexpr std::array<NamedBand, 3> kBands{
    {{"none", {0, 1000}}, {"gold-set", spotsigs::kGoldSetBand}, {"web", spotsigs::kWebBand}}};

using SpotDocument = Vector<spotsigs::Spot>;

// Of features that are portable. `cut` is counted up if there are more signatures than `limit`.
SpotDocument spots_of(const engine::Features& features, Text text, size_t limit, uint64_t& cut);

// Of these pages, in their order, with the library's limit of signatures.
struct SpotPages {
  std::vector<SpotDocument> documents;
  uint64_t cut = 0;  // that had more signatures
};
Result<SpotPages> spots_of_pages(Collection& collection, std::span<const uint32_t> pages, Text text);
// A sentence for the about of a table, to stand behind another.
std::string told_of_cut(const SpotPages& main, const SpotPages& all);

// What the band leaves of each document, by the frequencies in all of them. SpotSigs, "Experiments": "remove
// most frequent & infrequent signatures".
std::vector<SpotDocument> filtered(const std::vector<SpotDocument>& documents, spotsigs::IdfBand band);

// Valid as long as the documents.
Vector<spotsigs::SpotVector> views(const std::vector<SpotDocument>& documents);

}  // namespace nd::eval

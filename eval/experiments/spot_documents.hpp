// The spot vectors of pages, and the bands of IDF that SpotSigs measures itself with.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/memory.hpp"
#include "engine/features.hpp"
#include "spotsigs/document_frequencies.hpp"
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

// What the band leaves of each document, by the frequencies in all of them. SpotSigs, "Experiments": "remove
// most frequent & infrequent signatures".
std::vector<SpotDocument> filtered(const std::vector<SpotDocument>& documents, spotsigs::IdfBand band);

// Valid as long as the documents.
Vector<spotsigs::SpotVector> views(const std::vector<SpotDocument>& documents);

}  // namespace nd::eval

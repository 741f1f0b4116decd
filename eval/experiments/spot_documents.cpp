#include "spot_documents.hpp"

#include "spotsigs/packed_spot.hpp"
#include "spotsigs/spot_extractor.hpp"

namespace nd::eval {
namespace {

constexpr uint64_t kSecret = 1;  // no answer depends on it

}  // namespace

const char* name_of(Text text) {
  return text == Text::kMain ? "main" : "all";
}

SpotDocument spots_of(const engine::Features& features, Text text, size_t limit, uint64_t& cut) {
  SpotDocument spots;
  if (text == Text::kAll) {
    for (const engine::FeatureBlockSpot& spot : features.block_spots())
      spots.push_back({spot.hash, spot.count});
    cut += spotsigs::unite(spots, limit) ? 1 : 0;
  } else {
    for (const spotsigs::PackedSpot packed : features.spots())
      spots.push_back(spotsigs::spot_of(packed));
    cut += (features.header().flags & engine::kFeatureSpotsLimited) != 0 ? 1 : 0;
  }
  return spots;
}

std::vector<SpotDocument> filtered(const std::vector<SpotDocument>& documents, spotsigs::IdfBand band) {
  spotsigs::DocumentFrequencies frequencies(kSecret);
  for (const SpotDocument& spots : documents)
    frequencies.add(spots);
  const spotsigs::Epoch epoch = frequencies.freeze(band);
  std::vector<SpotDocument> out(documents.size());
  for (size_t i = 0; i < out.size(); ++i)
    epoch.filter(documents[i], out[i]);
  return out;
}

Vector<spotsigs::SpotVector> views(const std::vector<SpotDocument>& documents) {
  return {documents.begin(), documents.end()};
}

}  // namespace nd::eval

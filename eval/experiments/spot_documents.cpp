// Takes signatures from records, filters them by a band of frequencies, and counts what a limit has cut.
#include "spot_documents.hpp"

#include "spotsigs/spot_extractor.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::eval {
namespace {

constexpr uint64_t kFrequencySecret = 1;  // no answer depends on it

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

Result<SpotPages> spots_of_pages(Collection& collection, std::span<const uint32_t> pages, Text text) {
  const auto features = collection.features(detectors::Method::kLcs);
  if (!features) return features.failure();
  SpotPages out;
  for (const uint32_t page : pages)
    out.documents.push_back(
        spots_of((**features)[page], text, spotsigs::SpotParameters().signatures, out.cut));
  return out;
}

std::string told_of_cut(const SpotPages& main, const SpotPages& all) {
  return " Pages with more than " + std::to_string(spotsigs::SpotParameters().signatures) +
         " signatures, of which the rest was cut: " + std::to_string(main.cut) + " (main), " +
         std::to_string(all.cut) + " (all).";
}

std::vector<SpotDocument> filtered(const std::vector<SpotDocument>& documents, spotsigs::IdfBand band) {
  spotsigs::DocumentFrequencies frequencies(kFrequencySecret);
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

#include "spotsigs/i_match_s.hpp"

#include <string_view>

namespace nd::spotsigs {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

// Little-endian, so that all machines hash the same bytes.
void append(String& bytes, uint64_t value) {
  for (int shift = 0; shift < 64; shift += 8)
    bytes.push_back(static_cast<char>(value >> shift));
}

}  // namespace

std::optional<Hash128> i_match_s(SpotVector spots, const Epoch& epoch) {
  String bytes;
  for (const Spot& spot : spots) {
    if (epoch.keeps(spot.hash)) append(bytes, spot.hash);
  }
  if (bytes.empty()) return std::nullopt;
  return stable_hash_128(std::string_view(bytes));
}

Vector<uint32_t> i_match_s_groups(std::span<const SpotVector> documents, IdfBand band, uint64_t secret) {
  DocumentFrequencies frequencies(secret);
  for (const SpotVector spots : documents)
    frequencies.add(spots);
  const Epoch epoch = frequencies.freeze(band);

  struct First {
    uint64_t high = 0;
    uint32_t document = kNone;
  };
  FlatMap<First> firsts(secret);
  Vector<uint32_t> groups(documents.size());
  for (uint32_t i = 0; i < documents.size(); ++i) {
    groups[i] = i;
    const std::optional<Hash128> hash = i_match_s(documents[i], epoch);
    if (!hash) continue;
    First& first = firsts[hash->low];
    if (first.document == kNone) first = {hash->high, i};
    if (first.high == hash->high) groups[i] = first.document;
  }
  return groups;
}

}  // namespace nd::spotsigs

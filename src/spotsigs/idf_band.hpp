// The IDF band: which signatures are too frequent or too rare to count (SpotSigs, "Experiments": "remove most
// frequent & infrequent signatures").
#pragma once

#include <cmath>
#include <cstdint>

namespace nd::spotsigs {

// A signature is kept if low <= log(N / df) / log N <= high, in thousandths 0..1000. {0, 1000} keeps all.
struct IdfBand {
  uint32_t low = 200;
  uint32_t high = 850;
};
// SpotSigs, "Summary - Gold Set": the band of SpotSigs, shingles and LSH-S.
constexpr IdfBand kGoldSetBand{200, 850};
// The band of I-Match and I-Match-S there, and of all methods in "Summary - TREC WT10g".
constexpr IdfBand kWebBand{400, 750};
// For representatives: in a crawl most pages have few copies, and the band of the Gold Set would lose pages
// with fewer than N^(1 - .85) copies.
constexpr IdfBand kOpenBand{kGoldSetBand.low, 1000};

// The band as document frequencies, for a number of documents.
struct FrequencyRange {
  uint64_t least;
  uint64_t greatest;
  bool contains(uint64_t frequency) const noexcept { return least <= frequency && frequency <= greatest; }
};
// df between N^(1 - high) and N^(1 - low). With fewer than two documents everything is kept.
inline FrequencyRange frequency_range(IdfBand band, uint64_t documents) noexcept {
  if (documents < 2) return {0, UINT64_MAX};
  // N^(1 - idf). The tolerance makes exact powers exact, whatever the last bit of the library's pow().
  constexpr double kRounding = 1e-14;
  const auto frequency_at = [documents](uint32_t idf) {
    return std::pow(static_cast<double>(documents), (1000.0 - idf) / 1000.0);
  };
  return {static_cast<uint64_t>(std::ceil(frequency_at(band.high) * (1 - kRounding))),
          static_cast<uint64_t>(std::floor(frequency_at(band.low) * (1 + kRounding)))};
}

}  // namespace nd::spotsigs

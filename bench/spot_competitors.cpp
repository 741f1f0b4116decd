// How long SpotSigs, LSH-S and I-Match-S take to group a collection, by its signatures alone: the times of
// "Summary - Gold Set" and "Summary - TREC WT10g". docs/spotsigs.md has a run.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "archive_spots.hpp"
#include "cpu_clock.hpp"
#include "detectors/document_frequencies.hpp"
#include "joins/batch_join.hpp"
#include "joins/competitor_joins.hpp"
#include "source_pages.hpp"
#include "spotsigs/spot_vector.hpp"

namespace {

using Document = nd::Vector<nd::spotsigs::Spot>;
using Documents = nd::Vector<nd::spotsigs::SpotVector>;

constexpr uint64_t kSecret = 1;
constexpr uint32_t kRounds = 5;
constexpr nd::spotsigs::IdfBand kBand = nd::spotsigs::kWebBand;  // of all three in "Summary - TREC WT10g"

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::vector<Document> unpacked(const std::string& archive) {
  std::vector<Document> documents;
  for (const auto& packed : ndc::bench::spots_of_archive(archive)) {
    Document document;
    for (const nd::spotsigs::PackedSpot spot : packed)
      document.push_back(nd::spotsigs::spot_of(spot));
    documents.push_back(std::move(document));
  }
  return documents;
}

Documents views(const std::vector<Document>& documents) {
  return Documents(documents.begin(), documents.end());
}

std::vector<Document> within_band(const std::vector<Document>& documents) {
  nd::spotsigs::DocumentFrequencies frequencies(kSecret);
  for (const Document& document : documents)
    frequencies.add(document);
  const nd::spotsigs::Epoch epoch = frequencies.freeze(kBand);
  std::vector<Document> kept(documents.size());
  for (size_t i = 0; i < documents.size(); ++i)
    epoch.filter(documents[i], kept[i]);
  return kept;
}

// Of groups, by the first document of each.
uint64_t pairs_of(std::span<const uint32_t> groups) {
  std::unordered_map<uint32_t, uint64_t> sizes;
  uint64_t pairs = 0;
  for (const uint32_t group : groups)
    pairs += sizes[group]++;
  return pairs;
}

struct Method {
  std::vector<double> seconds;
  uint64_t pairs = 0;

  // `run` returns the pairs that it found.
  template <typename Run>
  void time(Run&& run) {
    const double begin = ndc::bench::process_cpu_seconds();
    pairs = run();
    seconds.push_back(ndc::bench::process_cpu_seconds() - begin);
  }
};

// The signatures are at hand, and so are, for the two that compare, those within the band: I-Match-S takes
// its epoch itself.
void measure(const std::string& name, const std::vector<Document>& documents, uint32_t tau) {
  const std::vector<Document> banded = within_band(documents);
  const Documents whole = views(documents), kept = views(banded);
  Method spotsigs, lsh_s, i_match_s;
  for (uint32_t round = 0; round < kRounds; ++round) {
    spotsigs.time([&] { return nd::spotsigs::batch_join(kept, {tau, true, true}).pairs.size(); });
    lsh_s.time([&] { return nd::spotsigs::lsh_s(kept, {.tau = tau}).pairs.size(); });
    i_match_s.time([&] { return pairs_of(nd::spotsigs::i_match_s_groups(whole, kBand, kSecret)); });
  }
  const double own = median(spotsigs.seconds);
  std::printf("%s\t%zu\t%.2f\t%llu\t%llu\t%llu\t%.4f\t%.2f\t%.2f\n", name.c_str(), documents.size(),
              tau / 1000.0, static_cast<unsigned long long>(spotsigs.pairs),
              static_cast<unsigned long long>(lsh_s.pairs), static_cast<unsigned long long>(i_match_s.pairs),
              own, median(lsh_s.seconds) / own, median(i_match_s.seconds) / own);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> archives(argv + 1, argv + argc);
  if (archives.empty()) archives.push_back(ndc::bench::sample_archive());
  std::printf(
      "archive\tpages\ttau\tpairs\tpairs of LSH-S\tpairs of I-Match-S\tseconds\ttime of LSH-S\ttime of "
      "I-Match-S\n");
  for (const std::string& archive : archives) {
    const std::vector<Document> documents = unpacked(archive);
    for (const uint32_t tau : {440U, 900U})
      measure(archive, documents, tau);
  }
  return 0;
}

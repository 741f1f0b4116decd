// What the length partitions of SpotSigs would spare in an incremental index: one index of everything, as the
// engine has it, against one index a partition, of which a page asks its own and both neighbours.
// docs/spotsigs.md has a run.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "archive_spots.hpp"
#include "cpu_clock.hpp"
#include "joins/batch_join.hpp"
#include "source_pages.hpp"
#include "spotsigs/spot_index.hpp"

namespace {

using nd::spotsigs::PackedSpots;
using nd::spotsigs::SpotIndex;
using nd::spotsigs::SpotIndexParameters;
using nd::spotsigs::SpotProbeScratch;
using Document = nd::Vector<nd::spotsigs::PackedSpot>;

constexpr uint64_t kSecret = 1;
constexpr uint32_t kRounds = 5;

struct Work {
  std::vector<double> seconds;
  uint64_t postings = 0;
  uint64_t computations = 0;
  uint64_t pairs = 0;

  void add(const nd::spotsigs::SpotMatches& found) {
    postings += found.work.touched;
    computations += found.work.computed;
    pairs += found.matches.size();
  }
  double median() {
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
  }
};

// Every signature counts, and no limit cuts.
SpotIndexParameters unlimited(uint32_t tau) {
  SpotIndexParameters parameters;
  parameters.tau = tau;
  parameters.band = {0, 1000};
  parameters.postings = parameters.steps = 0;
  parameters.candidates = 0;
  return parameters;
}

// Each document asks for those before it, then stands in the index.
void run_one_index(std::span<const Document> documents, uint32_t tau, Work& work) {
  work = {std::move(work.seconds)};
  const double begin = ndc::bench::process_cpu_seconds();
  SpotIndex index(kSecret, unlimited(tau));
  SpotProbeScratch scratch(kSecret);
  for (size_t i = 0; i < documents.size(); ++i) {
    work.add(index.probe(documents[i], scratch));
    index.insert(i, documents[i]);
  }
  work.seconds.push_back(ndc::bench::process_cpu_seconds() - begin);
}

void run_partitions(std::span<const Document> documents, uint32_t tau, Work& work) {
  work = {std::move(work.seconds)};
  uint64_t longest = 0;
  for (const Document& document : documents)
    longest = std::max(longest, nd::spotsigs::length(PackedSpots(document)));
  const double begin = ndc::bench::process_cpu_seconds();
  const nd::spotsigs::Partitions partitions(tau, longest);
  std::map<uint64_t, SpotIndex> indexes;
  SpotProbeScratch scratch(kSecret);
  for (size_t i = 0; i < documents.size(); ++i) {
    const uint64_t own = partitions.of(nd::spotsigs::length(PackedSpots(documents[i])));
    for (uint64_t number = own == 0 ? 0 : own - 1; number <= own + 1; ++number) {
      if (const auto found = indexes.find(number); found != indexes.end())
        work.add(found->second.probe(documents[i], scratch));
    }
    indexes.try_emplace(own, kSecret, unlimited(tau)).first->second.insert(i, documents[i]);
  }
  work.seconds.push_back(ndc::bench::process_cpu_seconds() - begin);
}

bool measure(const std::string& name, std::span<const Document> documents, uint32_t tau) {
  Work whole, partitioned;
  for (uint32_t round = 0; round < kRounds; ++round) {
    run_one_index(documents, tau, whole);
    run_partitions(documents, tau, partitioned);
  }
  std::printf("%s\t%zu\t%.2f\t%llu\t%llu\t%llu\t%llu\t%.2f\n", name.c_str(), documents.size(), tau / 1000.0,
              static_cast<unsigned long long>(whole.pairs),
              static_cast<unsigned long long>(whole.computations),
              static_cast<unsigned long long>(whole.postings),
              static_cast<unsigned long long>(partitioned.postings), partitioned.median() / whole.median());
  return whole.pairs == partitioned.pairs;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> archives(argv + 1, argv + argc);
  if (archives.empty()) archives.push_back(ndc::bench::sample_archive());
  std::printf(
      "archive\tpages\ttau\tpairs\tcompared\tpostings\tpostings with partitions\ttime with partitions\n");
  for (const std::string& archive : archives) {
    const std::vector<Document> documents = ndc::bench::spots_of_archive(archive);
    for (const uint32_t tau : {440U, 900U}) {
      if (measure(archive, documents, tau)) continue;
      std::fputs("spot_index_partitions: partitions find other pairs\n", stderr);
      return 1;
    }
  }
  return 0;
}

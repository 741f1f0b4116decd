// When the partitions of SpotSigs spare time: the join of collections that differ in how far their lengths
// are apart and in how frequent their signatures are, with and without partitions, and the complete join of
// `ndc pairs`. docs/spotsigs.md has a run.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive_spots.hpp"
#include "cpu_clock.hpp"
#include "joins/batch_join.hpp"
#include "joins/spot_join.hpp"
#include "source_pages.hpp"
#include "spotsigs/spot_extractor.hpp"

namespace {

using nd::Vector;
using nd::spotsigs::Spot;
using nd::spotsigs::SpotVector;
using Document = Vector<Spot>;

constexpr uint32_t kTau = 900;  // of the slides' table
constexpr uint32_t kRounds = 3;
constexpr uint32_t kMedianLength = 150;
constexpr double kShortest = 8;
constexpr double kLongest = 3000;
constexpr size_t kPassage = 5;  // signatures that stand together in the sample
constexpr uint64_t kCopiesOfThousand = 100;
constexpr uint64_t kMostGoneOfThousand = 60;  // of a copy's signatures
constexpr size_t kFewSignatures = 12;         // of a document
constexpr size_t kFewOfSample = 300;          // that these are drawn from
constexpr uint64_t kOwnOfThousand = 700;      // signatures that no other text has, where most are rare

[[noreturn]] void fail(std::string_view what) {
  std::fprintf(stderr, "spot_partitions: %.*s\n", static_cast<int>(what.size()), what.data());
  std::exit(1);
}

// The signatures of the sample's texts, page after page.
std::vector<Spot> sample_signatures() {
  std::vector<Spot> pool;
  for (const auto& page : ndc::bench::spots_of_archive(ndc::bench::sample_archive())) {
    for (const nd::spotsigs::PackedSpot spot : page)
      pool.push_back(nd::spotsigs::spot_of(spot));
  }
  return pool;
}

struct Kind {
  const char* name;
  bool spread;  // lengths from kShortest to kLongest, all orders of magnitude alike; else near kMedianLength
  enum class Signatures {
    kOwn,     // most are the document's own
    kShared,  // all are the sample's
    kFew,     // kFewSignatures of a few of the sample's, which occur as often as makes up the length
  } signatures;
};
constexpr std::array<Kind, 5> kKinds{
    {{"near lengths, rare signatures", false, Kind::Signatures::kOwn},
     {"near lengths, frequent signatures", false, Kind::Signatures::kShared},
     {"spread lengths, rare signatures", true, Kind::Signatures::kOwn},
     {"spread lengths, frequent signatures", true, Kind::Signatures::kShared},
     {"spread lengths, few signatures", true, Kind::Signatures::kFew}}};

class Generator {
 public:
  Generator(const std::vector<Spot>& pool, Kind kind, uint64_t seed)
      : pool_(pool), kind_(kind), random_(seed) {}

  std::vector<Document> collection(size_t count) {
    std::vector<Document> documents;
    while (documents.size() < count) {
      const bool is_copy = !documents.empty() && below(1000) < kCopiesOfThousand;
      documents.push_back(is_copy ? copy_of(documents[below(documents.size())]) : new_document());
    }
    return documents;
  }

 private:
  uint64_t below(uint64_t end) { return random_() % end; }
  double unit() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  size_t new_length() {
    if (!kind_.spread) return kMedianLength + below(kMedianLength / 5);
    return static_cast<size_t>(kShortest * std::pow(kLongest / kShortest, unit()));
  }

  Document new_document() {
    const size_t length = new_length();
    Document made;
    if (kind_.signatures == Kind::Signatures::kFew) {
      for (size_t left = length; left > 0;) {
        const auto count = static_cast<uint32_t>(std::min(left, length / kFewSignatures + 1));
        made.push_back({pool_[below(std::min(pool_.size(), kFewOfSample))].hash, count});
        left -= count;
      }
    }
    while (kind_.signatures != Kind::Signatures::kFew && made.size() < length) {
      const bool is_own = kind_.signatures == Kind::Signatures::kOwn && below(1000) < kOwnOfThousand;
      const size_t from = below(pool_.size() - kPassage);
      for (size_t i = 0; i < kPassage; ++i)
        made.push_back(is_own ? Spot{random_() >> (64 - nd::spotsigs::kSpotHashBits), 1}
                              : Spot{pool_[from + i].hash, 1});
    }
    nd::spotsigs::unite(made, SIZE_MAX);
    return made;
  }

  Document copy_of(const Document& document) {
    const uint64_t gone = below(kMostGoneOfThousand);
    Document made;
    for (const Spot& spot : document) {
      if (below(1000) >= gone) made.push_back(spot);
    }
    return made;
  }

  const std::vector<Spot>& pool_;
  Kind kind_;
  std::mt19937_64 random_;
};

struct Measured {
  std::vector<double> seconds;
  uint64_t postings = 0;
  uint64_t computations = 0;
  uint64_t pairs = 0;

  double median() {
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
  }
};

void measure_batch(std::span<const SpotVector> documents, bool use_partitions, Measured& out) {
  const double begin = ndc::bench::process_cpu_seconds();
  const auto result = nd::spotsigs::batch_join(documents, {kTau, use_partitions, true});
  out.seconds.push_back(ndc::bench::process_cpu_seconds() - begin);
  out.postings = result.counts.postings_touched;
  out.computations = result.counts.computations;
  out.pairs = result.counts.pairs;
}

void measure_complete(const std::vector<Vector<nd::spotsigs::PackedSpot>>& documents, Measured& out) {
  const double begin = ndc::bench::process_cpu_seconds();
  nd::spotsigs::SpotJoin join(1, kTau);
  for (const auto& document : documents)
    join.add(document);
  join.index();
  nd::spotsigs::SpotJoinScratch scratch;
  Vector<nd::spotsigs::SpotJoinMatch> matches;
  out.pairs = 0;
  for (uint32_t document = 0; document < join.size(); ++document) {
    join.find(join.spots_of(document), document, scratch, matches);
    out.pairs += matches.size();
  }
  out.seconds.push_back(ndc::bench::process_cpu_seconds() - begin);
  out.postings = scratch.work.postings;
  out.computations = scratch.work.computations;
}

void measure(const std::vector<Spot>& pool, Kind kind, size_t count) {
  const std::vector<Document> documents = Generator(pool, kind, 1).collection(count);
  const std::vector<SpotVector> views(documents.begin(), documents.end());
  std::vector<Vector<nd::spotsigs::PackedSpot>> packed(count);
  uint64_t signatures = 0;
  std::vector<uint64_t> hashes;
  for (size_t i = 0; i < count; ++i) {
    for (const Spot& spot : documents[i]) {
      packed[i].push_back(nd::spotsigs::make_packed_spot(spot));
      hashes.push_back(spot.hash);
    }
    signatures += documents[i].size();
  }
  std::sort(hashes.begin(), hashes.end());
  const auto distinct = static_cast<uint64_t>(std::unique(hashes.begin(), hashes.end()) - hashes.begin());
  Measured with, without, complete;
  for (uint32_t round = 0; round < kRounds; ++round) {
    measure_batch(views, true, with);
    measure_batch(views, false, without);
    measure_complete(packed, complete);
  }
  if (with.pairs != without.pairs || with.pairs != complete.pairs) fail("the joins find different pairs");
  std::printf("%s\t%zu\t%.1f\t%llu\t%llu\t%llu\t%llu\t%llu\t%.2f\t%.2f\n", kind.name, count,
              static_cast<double>(signatures) / static_cast<double>(distinct),
              static_cast<unsigned long long>(with.pairs), static_cast<unsigned long long>(with.computations),
              static_cast<unsigned long long>(with.postings),
              static_cast<unsigned long long>(without.postings),
              static_cast<unsigned long long>(complete.postings), without.median() / with.median(),
              complete.median() / with.median());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const size_t largest = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 2'000;
  if (argc > 2 || largest < 4) {
    std::fputs("usage: spot_partitions [DOCUMENTS]\n", stderr);
    return 2;
  }
  const std::vector<Spot> pool = sample_signatures();
  if (pool.size() <= kPassage) fail("the sample has too few signatures");
  std::printf(
      "collection\tdocuments\tdocuments a signature\tpairs\tcompared\tpostings\tpostings without partitions\t"
      "postings of the complete join\ttime without partitions\ttime of the complete join\n");
  for (const size_t count : {largest / 4, largest}) {
    for (const Kind kind : kKinds)
      measure(pool, kind, count);
  }
  // Where similarities are cheap, what a document costs beside its postings matters less the more there are.
  for (const size_t count : {largest * 4, largest * 16})
    measure(pool, kKinds.back(), count);
  return 0;
}

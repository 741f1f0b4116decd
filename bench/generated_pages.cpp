// What the engine does on pages by the million: work a page, memory, and F1 against the generator's own
// labels (docs/performance.md).
//
//   generated_pages [COUNT]
//
// The pages are those of page_generator.hpp, made as features directly, keys and spot signatures both: what
// is measured begins at step 7 (docs/impl.md). One thread.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/candidate_keys.hpp"
#include "engine/engine.hpp"
#include "engine/spot_builder.hpp"
#include "page_generator.hpp"

namespace {

using namespace ndc::bench;
using nd::mix;

class FeatureMaker {
 public:
  explicit FeatureMaker(const nd::engine::Parameters& parameters)
      : key_parameters_(nd::engine::key_parameters_of(parameters)),
        md5_(*nd::Md5::create()),
        key_builder_(*nd::engine::KeyBuilder::create()),
        spot_parameters_(nd::engine::feature_spot_parameters_of(parameters.spots)),
        spot_builder_(*nd::engine::SpotBuilder::create()) {}

  nd::engine::Features operator()(const Page& page, uint64_t number) {
    blocks_.clear();
    symbols_.clear();
    sentences_.clear();
    block_spots_.clear();
    uint64_t mass = 0;
    nd::engine::FeatureHeader header{};
    for (const Block& block : page.blocks) {
      const auto begin = static_cast<uint32_t>(symbols_.size());
      uint64_t hash = 0;
      for (uint32_t word : block.words) {
        const uint32_t width = 2 + word % 9;
        symbols_.push_back(nd::engine::make_symbol(static_cast<uint32_t>(mix(word + 1)), width));
        hash = mix(hash ^ word) + 1;
        mass += uint64_t{width} * block.weight;
        header.width += width;
      }
      add_sentences(begin, static_cast<uint32_t>(blocks_.size()));
      add_spots(block.words, static_cast<uint32_t>(blocks_.size()));
      blocks_.push_back({hash, begin, block.weight, 0, {}});
    }
    header.key_parameters = key_parameters_;
    header.spot_parameters = spot_parameters_;
    header.content_width = mass / 255;
    header.fetched_at_ms = 1;
    header.fingerprint_count = key_builder_.build(blocks_, sentences_, symbols_, key_parameters_, keys_);
    const bool all_text = nd::engine::KeyBuilder::uses_all_text(blocks_, symbols_, key_parameters_);
    if (spot_builder_.build(blocks_, all_text, block_spots_, spot_parameters_, spots_))
      header.flags |= nd::engine::kFeatureSpotsLimited;
    const nd::Hash128 digest = nd::stable_hash_128(
        {reinterpret_cast<const char*>(symbols_.data()), symbols_.size() * sizeof(nd::engine::Symbol)});
    header.digest_low = digest.low;
    header.digest_high = digest.high;
    const std::string site = "site" + std::to_string(page.site) + ".example";
    const std::string url = "https://" + site + "/" + std::to_string(number);
    return nd::engine::Features::build(header, {.blocks = blocks_,
                                                .keys = keys_,
                                                .spots = spots_,
                                                .block_spots = {},
                                                .sentences = {},
                                                .symbols = symbols_,
                                                .url = url,
                                                .site = site,
                                                .text = {}});
  }

 private:
  void add_sentences(uint32_t begin, uint32_t block) {
    for (size_t at = begin; at < symbols_.size(); at += kSentenceWords) {
      const size_t count = std::min<size_t>(kSentenceWords, symbols_.size() - at);
      uint32_t width = 0;
      for (size_t i = at; i < at + count; ++i)
        width += nd::engine::symbol_width(symbols_[i]) + 1U;
      const auto* bytes = reinterpret_cast<const char*>(symbols_.data() + at);
      sentences_.push_back({md5_({bytes, count * sizeof(nd::engine::Symbol)}), width, block});
    }
  }

  void add_spots(const Words& words, uint32_t block) {
    spot_words_.clear();
    for (uint32_t word : words) {
      const auto kind = word < kAntecedents ? nd::spotsigs::WordKind::kAntecedent
                        : word < kStopWords ? nd::spotsigs::WordKind::kStopWord
                                            : nd::spotsigs::WordKind::kContent;
      spot_words_.push_back({static_cast<uint32_t>(mix(word + 1)), kind});
    }
    found_.clear();
    extractor_.append_spots(spot_words_,
                            {spot_parameters_.enabled != 0, spot_parameters_.distance, spot_parameters_.chain,
                             spot_parameters_.signatures},
                            found_);
    nd::spotsigs::unite(found_, found_.size());
    for (const nd::spotsigs::Spot& spot : found_)
      block_spots_.push_back({spot.hash, block, spot.count});
  }

  const nd::engine::KeyParameters key_parameters_;
  nd::Md5 md5_;
  nd::engine::KeyBuilder key_builder_;
  const nd::engine::FeatureSpotParameters spot_parameters_;
  nd::spotsigs::SpotExtractor extractor_;
  nd::engine::SpotBuilder spot_builder_;
  nd::Vector<nd::spotsigs::SpotWord> spot_words_;
  nd::Vector<nd::spotsigs::Spot> found_;
  nd::Vector<nd::engine::FeatureBlockSpot> block_spots_;
  nd::Vector<nd::engine::PackedSpot> spots_;
  nd::Vector<nd::engine::FeatureBlock> blocks_;
  nd::Vector<nd::engine::FeatureSentence> sentences_;
  nd::Vector<nd::engine::Symbol> symbols_;
  nd::Vector<uint64_t> keys_;
};

// Pairs of pages that have one label, one group, or both; counted as pages come.
class PairScore {
 public:
  void add(uint64_t label, uint64_t group) {
    true_pairs_ += labels_[label]++;
    grouped_pairs_ += groups_[group]++;
    right_pairs_ += cells_[mix(label) ^ group]++;
  }
  double precision() const { return ratio(right_pairs_, grouped_pairs_); }
  double recall() const { return ratio(right_pairs_, true_pairs_); }
  double f1() const {
    const double sum = precision() + recall();
    return sum > 0 ? 2 * precision() * recall() / sum : 0;
  }

 private:
  static double ratio(uint64_t part, uint64_t whole) {
    return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
  }
  std::unordered_map<uint64_t, uint64_t> labels_, groups_, cells_;
  uint64_t true_pairs_ = 0, grouped_pairs_ = 0, right_pairs_ = 0;
};

// Work a page, of the pages since the last line.
struct Work {
  std::vector<uint64_t> amounts;
  void add(uint64_t amount) { amounts.push_back(amount); }
  void print(const char* name) {
    std::sort(amounts.begin(), amounts.end());
    double sum = 0;
    for (uint64_t amount : amounts)
      sum += static_cast<double>(amount);
    std::printf("  %-22s mean %.2f  p99 %llu  max %llu\n", name, sum / static_cast<double>(amounts.size()),
                static_cast<unsigned long long>(amounts[amounts.size() * 99 / 100]),
                static_cast<unsigned long long>(amounts.back()));
    amounts.clear();
  }
};

void print_memory(const nd::engine::Sizes& sizes) {
  const auto a_page = [&](uint64_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(std::max<uint64_t>(1, sizes.pages));
  };
  std::printf("  keys a page            %.1f  hot keys %llu  groups %llu\n", a_page(sizes.keys),
              static_cast<unsigned long long>(sizes.hot_keys), static_cast<unsigned long long>(sizes.groups));
  std::printf("  bytes a page           index and templates %.0f  features %.0f  pages %.0f\n",
              a_page(sizes.bytes_index), a_page(sizes.bytes_features), a_page(sizes.bytes_pages));
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const nd::engine::Parameters parameters;
  auto opened = nd::engine::Engine::open(parameters);
  if (!opened || count == 0) {
    std::fprintf(stderr, "usage: %s [COUNT]\n", argv[0]);
    return 2;
  }
  nd::engine::Engine& engine = **opened;
  const nd::engine::Counters& counters = engine.counters();
  PageGenerator generator(count);
  FeatureMaker make_features(parameters);
  PairScore score;
  Work candidates, verifications;
  std::chrono::duration<double> busy{};
  uint64_t flagged = 0, pages_before = 0, next_line = std::min<uint64_t>(count, 10'000);
  for (uint64_t number = 1; number <= count; ++number) {
    const Page page = generator.page(number);
    nd::engine::Features features = make_features(page, number);
    const uint64_t candidates_before = counters.candidates, verifications_before = counters.verifications;
    const auto start = std::chrono::steady_clock::now();
    const auto answer = engine.check_features(std::move(features));
    busy += std::chrono::steady_clock::now() - start;
    if (!answer) return 1;
    candidates.add(counters.candidates - candidates_before);
    verifications.add(counters.verifications - verifications_before);
    flagged += (answer->flags & nd::engine::kLimit) != 0;
    score.add(page.label, answer->group_id);
    if (number != next_line) continue;
    std::printf("%llu pages\n", static_cast<unsigned long long>(number));
    std::printf("  pages/s                %.0f (of the last %llu)\n",
                static_cast<double>(number - pages_before) / busy.count(),
                static_cast<unsigned long long>(number - pages_before));
    candidates.print("candidates a page");
    verifications.print("verifications a page");
    print_memory(engine.sizes());
    std::printf("  precision %.4f  recall %.4f  F1 %.4f  flagged as cut %llu\n", score.precision(),
                score.recall(), score.f1(), static_cast<unsigned long long>(flagged));
    std::fflush(stdout);
    busy = {};
    pages_before = number;
    next_line = std::min(count, next_line * 10);
  }
  return 0;
}

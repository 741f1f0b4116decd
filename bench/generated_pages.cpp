// What the engine does on pages by the million: work a page, memory, and F1 against the generator's own
// labels (docs/performance.md).
//
//   generated_pages [COUNT [NAME=VALUE...]]
//
// The pages are those of page_generator.hpp, made as features directly, keys and spot signatures both: what
// is measured begins at step 7 (docs/impl.md). Options are those of the library: without one of the sources
// of candidates, or with it alone, recall says what the source finds. One thread.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/engine.hpp"
#include "generated_features.hpp"
#include "options/options.hpp"
#include "page_generator.hpp"

namespace {

using namespace ndc::bench;
using nd::mix;

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
  std::printf(
      "  bytes per page         index and templates %.0f (spot signatures %.0f)  features %.0f  pages %.0f\n",
      a_page(sizes.bytes_index), a_page(sizes.bytes_spots), a_page(sizes.bytes_features),
      a_page(sizes.bytes_pages));
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  nd::engine::Options options;
  bool understood = count != 0;
  for (int i = 2; i < argc; ++i) {
    const std::string_view option = argv[i];
    const size_t sign = std::min(option.find('='), option.size());
    understood &= sign < option.size() && options.set(option.substr(0, sign), option.substr(sign + 1));
  }
  const nd::engine::Parameters& parameters = options.parameters();
  auto opened = nd::engine::Engine::open(parameters);
  if (!understood || !opened) {
    std::fprintf(stderr, "usage: %s [COUNT [NAME=VALUE...]]\n", argv[0]);
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
    verifications.print("verifications per page");
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

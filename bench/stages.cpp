// The stages of a check under google-benchmark: each over the pages of an archive, and the parts whose cost
// depends on something else, over what that is: tables of several sizes, texts of several resemblances.
//
//   stages [PAGES.warc.gz] [--benchmark_…]        (default: data/sample; also by NDC_BENCH_ARCHIVE)
//
// For medians of interleaved rounds: --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true
// --benchmark_report_aggregates_only=true. As shares of a bare parse: check_cost --parts stages.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "collection/key_index.hpp"
#include "core/hash.hpp"
#include "lcs/comparison.hpp"
#include "lcs/longest_common_subsequence.hpp"
#include "page_stages.hpp"
#include "source_pages.hpp"

namespace {

using namespace ndc::bench;

// One iteration is a pass over all pages, as they differ too much to be taken one by one.
void run_stage(benchmark::State& state, const PageStage& stage, std::span<const SourcePage> pages) {
  for (auto _ : state) {
    if (stage.begin) {
      state.PauseTiming();
      stage.begin();
      state.ResumeTiming();
    }
    for (size_t page = 0; page < pages.size(); ++page)
      stage.run(page);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(pages.size()));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(raw_bytes(pages)));
}

// The look-ups of one page, 20 keys, of which a quarter is in the index: what a page has that copies some of
// another. Argument: keys in the index.
constexpr uint64_t kPageKeys = 20;
constexpr uint64_t kPagesInTurn = 4096;

uint64_t indexed_key(uint64_t number) {
  return nd::mix(number + 1);
}

// The last one is kept: a benchmark is begun several times, with more and more iterations.
const nd::engine::KeyIndex& index_of(uint64_t count) {
  static std::unique_ptr<nd::engine::KeyIndex> index;
  static uint64_t size = 0;
  if (size == count) return *index;
  index = std::make_unique<nd::engine::KeyIndex>(0x6c6f6f6bULL, nd::engine::IndexParameters{});
  for (uint64_t number = 0; number < count; ++number)
    index->add(indexed_key(number), number / kPageKeys + 1, [](uint64_t group) { return group; });
  size = count;
  return *index;
}

void key_look_ups(benchmark::State& state) {
  const auto count = static_cast<uint64_t>(state.range(0));
  const nd::engine::KeyIndex& index = index_of(count);
  std::mt19937_64 random(1);
  std::vector<uint64_t> keys;
  for (uint64_t i = 0; i < kPagesInTurn * kPageKeys; ++i)
    keys.push_back(i % 4 == 0 ? indexed_key(random() % count) : random());
  size_t at = 0, found = 0;
  for (auto _ : state) {
    for (const uint64_t key : std::span<const uint64_t>(keys).subspan(at, kPageKeys))
      found += index.find(key).size();
    at = (at + kPageKeys) % keys.size();
  }
  benchmark::DoNotOptimize(found);
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kPageKeys));
}

// Two texts of `size` tokens of width 5; in the second some runs are replaced, so that they resemble each
// other as wanted: of n tokens with k kept, k / (2n − k).
struct TextPair {
  std::vector<uint32_t> a, b;
  std::vector<uint16_t> widths;

  TextPair(size_t size, double resemblance) : widths(size, 5) {
    const double kept = 2 * resemblance / (1 + resemblance);
    std::mt19937_64 random(7);
    std::bernoulli_distribution keep(kept);
    // Edits come in runs of some words.
    bool keeping = true;
    for (size_t i = 0; i < size; ++i) {
      a.push_back(static_cast<uint32_t>(random() % 5000));
      if (i % 8 == 0) keeping = kept >= 1 || keep(random);
      b.push_back(keeping ? a.back() : static_cast<uint32_t>(5000 + random() % 5000));
    }
  }
};

constexpr size_t kTokens = 2000;

TextPair pair_of(const benchmark::State& state) {
  return {kTokens, static_cast<double>(state.range(0)) / 100};
}

void comparison(benchmark::State& state) {
  const TextPair pair = pair_of(state);
  nd::lcs::Comparer comparer;
  nd::lcs::Comparison out;
  for (auto _ : state)
    comparer.compare({pair.a, pair.widths}, {pair.b, pair.widths}, {}, 0, out);
  benchmark::DoNotOptimize(out.matched_width);
}

void myers(benchmark::State& state) {
  const TextPair pair = pair_of(state);
  nd::lcs::MyersSolver solver;
  nd::lcs::Script script;
  for (auto _ : state) {
    uint64_t work = 0;
    benchmark::DoNotOptimize(solver.solve(pair.a, pair.b, UINT32_MAX, script, work));
  }
}

void bit_parallel(benchmark::State& state) {
  const TextPair pair = pair_of(state);
  nd::lcs::BitParallelSolver solver;
  for (auto _ : state) {
    uint64_t work = 0;
    benchmark::DoNotOptimize(solver.length(pair.a, pair.b, work));
  }
}

// In percent.
void resemblances(benchmark::internal::Benchmark* registered) {
  for (const int64_t percent : {30, 60, 90, 95, 100})
    registered->Arg(percent);
  registered->ArgName("resemblance")->Unit(benchmark::kMicrosecond);
}

void register_all(const std::vector<PageStage>& stages, std::span<const SourcePage> pages) {
  for (const PageStage& stage : stages) {
    benchmark::RegisterBenchmark(("stage/" + stage.name).c_str(), [&stage, pages](benchmark::State& state) {
      run_stage(state, stage, pages);
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark("key-look-ups", key_look_ups)
      ->ArgName("keys")
      ->RangeMultiplier(10)
      ->Range(10'000, 10'000'000)
      ->Unit(benchmark::kMicrosecond);
  resemblances(benchmark::RegisterBenchmark("comparison", comparison));
  resemblances(benchmark::RegisterBenchmark("myers", myers));
  resemblances(benchmark::RegisterBenchmark("bit-parallel-length", bit_parallel));
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
    std::fprintf(stderr, "usage: %s [PAGES.warc.gz] [--benchmark_…]\n", argv[0]);
    return 2;
  }
  const char* named = std::getenv("NDC_BENCH_ARCHIVE");
  const std::vector<SourcePage> pages = read_source_pages(argc == 2          ? argv[1]
                                                          : named != nullptr ? named
                                                                             : sample_archive());
  const PageStages stages(pages);
  register_all(stages.stages(), pages);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

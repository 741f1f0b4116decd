// Looks for the pages that are most work for their size: changes what the pages of one or of many sites are
// made of, a little at a time, keeps what was more work, and prints the worst of all (docs/security.md,
// "Worst cases"). Size is what the default budget of a check takes it for: bytes, and the same for any page.
//
//   worst_page_search [--makes N] [--seconds N] [--seed N] [--bytes N] [--option KEY=VALUE ...]
//
// What counts are iterations of the library's loops (core/work_tally.hpp), so a run says the same on every
// machine, however loaded, as long as --makes ends it and not the time. CPU seconds stand beside them.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/work_tally.hpp"
#include "cpu_clock.hpp"
#include "decision/work_budget.hpp"
#include "engine/engine.hpp"
#include "options/options.hpp"

namespace {

using Random = std::mt19937_64;

// One number of a make, and its range.
struct Gene {
  const char* name;
  uint32_t least;
  uint32_t most;
  uint32_t first;
};
enum GeneName : size_t {
  kBytes,       // of the page that is measured
  kKnownBytes,  // of those before it
  kKnown,       // pages before it
  kSites,       // of these, in turn
  kVocabulary,  // distinct words
  kLetters,     // of a word
  kScript,      // 0: Latin, 1: ideographs
  kBlock,       // words in a block
  kMarkup,      // around a block
  kShuffled,    // percent of the blocks that stand elsewhere in each page
  kRepeated,    // percent of the blocks that are the page's first one
  kEdited,      // per thousand words that are the page's own
  kStopWords,   // percent of the words
  kHeader,      // sentences that all pages begin with
  kPart,        // percent of the blocks that the measured page has
  kGenes
};
constexpr std::array<Gene, kGenes> kMakes = {{{"bytes", 128, 65536, 32768},
                                              {"known-bytes", 128, 131072, 32768},
                                              {"known", 1, 20, 10},
                                              {"sites", 1, 20, 10},
                                              {"vocabulary", 1, 100000, 1000},
                                              {"letters", 1, 8, 2},
                                              {"script", 0, 1, 0},
                                              {"block", 1, 64, 12},
                                              {"markup", 0, 3, 0},
                                              {"shuffled", 0, 100, 100},
                                              {"repeated", 0, 100, 0},
                                              {"edited", 0, 1000, 0},
                                              {"stop-words", 0, 50, 0},
                                              {"header", 0, 16, 2},
                                              {"part", 1, 100, 100}}};
using Make = std::array<uint32_t, kGenes>;

// Numbered words: equal numbers, equal words.
std::string word_of(uint64_t number, const Make& make) {
  std::string word;
  Random letters(number);
  for (uint32_t i = 0; i < make[kLetters]; ++i) {
    if (make[kScript] == 0) {
      word += static_cast<char>('a' + letters() % 26);
    } else {
      const auto character = static_cast<uint32_t>(0x4e00 + letters() % 4096);
      word += static_cast<char>(0xe0 | character >> 12);
      word += static_cast<char>(0x80 | (character >> 6 & 0x3f));
      word += static_cast<char>(0x80 | (character & 0x3f));
    }
  }
  return word;
}

std::string page_of(const Make& make, uint32_t number, bool measured) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kMarkups = {
      {{"", ""}, {"<p>", "</p>"}, {"<li>", ""}, {"<div><p>", ". </p></div>"}}};
  const size_t bytes = measured ? make[kBytes] : make[kKnownBytes];
  std::string page = "<html><body>";
  for (uint32_t sentence = 0; sentence < make[kHeader]; ++sentence)
    page += "<p>The harbour of town " + std::to_string(sentence) + " is to be repaired in the spring.</p>";
  Random shared(1);
  Random own(number + 100);
  std::vector<std::string> blocks;
  size_t size = page.size();
  const auto& [before, behind] = kMarkups[make[kMarkup]];
  while (size < std::max(make[kBytes], make[kKnownBytes])) {
    std::string block(before);
    for (uint32_t i = 0; i < make[kBlock]; ++i) {
      const uint64_t word = shared() % make[kVocabulary];
      const bool is_own = own() % 1000 < make[kEdited];
      const bool is_stop_word = shared() % 100 < make[kStopWords];
      block += is_stop_word ? std::string("the") : word_of(is_own ? own() : word, make);
      block += ' ';
    }
    block += behind;
    size += block.size();
    blocks.push_back(std::move(block));
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (own() % 100 < make[kShuffled]) std::swap(blocks[i], blocks[own() % blocks.size()]);
    if (own() % 100 < make[kRepeated]) blocks[i] = blocks[0];
  }
  const size_t kept = measured ? blocks.size() * make[kPart] / 100 : blocks.size();
  for (size_t i = 0; i < kept && page.size() + blocks[i].size() <= bytes; ++i)
    page += blocks[i];
  return page;
}

struct Measured {
  // Steps that the number of bytes does not bound by itself, as a fraction of the default budget.
  double of_budget = 0;
  double seconds = 0;
  size_t bytes = 0;
  bool limited = false;
  nd::WorkTally work;
};

nd::WorkTally work_of(const nd::engine::Engine& engine) {
  nd::WorkTally work;
  for (size_t step = 0; step < nd::kWorkKinds; ++step)
    work.add(static_cast<nd::Work>(step), engine.counters().work[step].load());
  return work;
}

// Nothing if the library refused a page, which would be a bug of this program.
std::optional<Measured> measure(const Make& make, const nd::engine::Parameters& parameters) {
  nd::Result<nd::Owned<nd::engine::Engine>> engine = nd::engine::Engine::open(parameters);
  if (!engine) return std::nullopt;
  Measured out;
  for (uint32_t number = 0; number <= make[kKnown]; ++number) {
    const bool measured = number == make[kKnown];
    const std::string body = page_of(make, number, measured);
    const std::string url =
        "https://site" + std::to_string(number % make[kSites]) + ".example/" + std::to_string(number);
    nd::engine::PageInput page;
    page.url = url;
    page.body = {reinterpret_cast<const uint8_t*>(body.data()), body.size()};
    page.content_type = "text/html; charset=utf-8";
    page.fetched_at_ms = 1;
    const nd::WorkTally before = work_of(**engine);
    const double start = ndc::bench::thread_cpu_seconds();
    const nd::Result<nd::engine::Answer> answer = (*engine)->check(page);
    if (!answer) return std::nullopt;
    out.seconds = ndc::bench::thread_cpu_seconds() - start;
    out.bytes = body.size();
    out.limited = (answer->flags & nd::engine::kLimit) != 0;
    out.work = work_of(**engine).since(before);
  }
  const uint64_t steps = out.work.of(nd::Work::kComparison) + out.work.of(nd::Work::kCandidates) +
                         out.work.of(nd::Work::kCommit) +
                         nd::engine::kStepsPerBlock * out.work.of(nd::Work::kTemplates);
  const nd::engine::BudgetParameters budget;
  out.of_budget =
      static_cast<double>(steps) / static_cast<double>(budget.check_work + budget.byte_work * out.bytes);
  return out;
}

// One to three numbers, by a little or to anything.
Make changed(Make make, Random& random) {
  for (uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
    const size_t gene = random() % kGenes;
    const Gene& range = kMakes[gene];
    const uint64_t width = uint64_t{range.most} - range.least + 1;
    if (random() % 2 == 0) {
      make[gene] = range.least + static_cast<uint32_t>(random() % width);
    } else {
      const double factor = 0.5 + static_cast<double>(random() % 1000) / 667;
      const double scaled = static_cast<double>(make[gene]) * factor + static_cast<double>(random() % 3) - 1;
      make[gene] = static_cast<uint32_t>(
          std::clamp(scaled, static_cast<double>(range.least), static_cast<double>(range.most)));
    }
  }
  return make;
}

void print(const char* title, uint64_t number, const Make& make, const Measured& measured) {
  std::printf("%s %llu: %.3f of the budget, %.3f s of CPU a MB, %.4f s, %zu bytes, %s;", title,
              static_cast<unsigned long long>(number), measured.of_budget,
              measured.seconds * 1e6 / static_cast<double>(measured.bytes), measured.seconds, measured.bytes,
              measured.limited ? "cut" : "not cut");
  for (size_t gene = 0; gene < kGenes; ++gene)
    std::printf(" %s=%u", kMakes[gene].name, make[gene]);
  std::printf(";");
  for (size_t step = 0; step < nd::kWorkKinds; ++step) {
    std::printf(" %.*s %llu", static_cast<int>(nd::kWorkNames[step].size()), nd::kWorkNames[step].data(),
                static_cast<unsigned long long>(measured.work.amounts()[step]));
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Looks for the pages that are most work for their size");
  uint64_t makes = 200;
  double seconds = 600;
  uint64_t seed = 1;
  uint32_t bytes = 0;
  std::vector<std::string> settings;
  app.add_option("--makes", makes, "Makes of pages that are tried")->capture_default_str();
  app.add_option("--seconds", seconds, "Ends it by the clock as well")->capture_default_str();
  app.add_option("--seed", seed, "Another one, another search")->capture_default_str();
  app.add_option("--bytes", bytes, "Of the measured page, but for what its header takes; 0: any")
      ->check(CLI::Range(0U, kMakes[kBytes].most))
      ->capture_default_str();
  app.add_option("--option", settings, "KEY=VALUE, of the library");
  CLI11_PARSE(app, argc, argv);
  nd::engine::Options options;
  for (const std::string& setting : settings) {
    const size_t equals = std::min(setting.find('='), setting.size() - 1);
    const nd::Result<void> set = options.set(setting.substr(0, equals), setting.substr(equals + 1));
    if (set) continue;
    std::fprintf(stderr, "%s\n", std::string(set.failure().message).c_str());
    return 2;
  }
  Random random(seed);
  Make worst{};
  for (size_t gene = 0; gene < kGenes; ++gene)
    worst[gene] = kMakes[gene].first;
  if (bytes > 0) worst[kBytes] = bytes;
  std::optional<Measured> most;
  const auto start = std::chrono::steady_clock::now();
  for (uint64_t number = 0; number < makes; ++number) {
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds) break;
    Make make = number == 0 ? worst : changed(worst, random);
    if (bytes > 0) make[kBytes] = bytes;
    const std::optional<Measured> measured = measure(make, options.parameters());
    if (!measured) return 1;
    if (most && measured->of_budget <= most->of_budget) continue;
    worst = make;
    most = measured;
    print("worst so far", number, worst, *most);
  }
  if (most) print("worst of", makes, worst, *most);
  return 0;
}

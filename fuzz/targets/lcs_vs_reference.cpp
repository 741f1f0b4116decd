// The comparison of two texts beside the textbook: Myers, the bit-parallel algorithm and the table of all
// prefixes find common subsequences of one length; the comparison in passes finds what its plain steps find;
// and what a limit of work has cut is flagged, and a part of the whole.
#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "fuzz/expectation.hpp"
#include "fuzz/input_reader.hpp"
#include "fuzz/symbol_texts.hpp"
#include "lcs/comparison.hpp"
#include "lcs/longest_common_subsequence.hpp"
#include "unit/lcs/comparison_oracle.hpp"
#include "unit/lcs/longest_common_subsequence_oracle.hpp"
#include "unit/lcs/trustable_oracle.hpp"

namespace nd::lcs {
namespace {

using fuzz::expect;
using fuzz::InputReader;
using fuzz::SymbolText;

// The plain steps take the cube of it.
constexpr size_t kShort = 100;
// The table takes the square. From here on the bit-parallel algorithm divides what it solves.
constexpr size_t kLong = 2200;
// Myers takes time quadratic in the edits, and is called again and again.
constexpr uint32_t kEditsLimit = 600;

Sequence sequence_of(const SymbolText& text) {
  return {text.symbols, text.widths};
}

uint32_t matched_count(const Script& script) {
  uint32_t sum = 0;
  for (const Match& match : script)
    sum += match.count;
  return sum;
}

struct Limits {
  uint32_t edits;
  uint64_t work;
  uint64_t width;
};

struct Input {
  SymbolText a, b;
  uint64_t secret;
  ComparisonParameters parameters;
  Limits limits;

  bool is_short() const { return a.symbols.size() <= kShort && b.symbols.size() <= kShort; }
  uint32_t whole_size() const { return static_cast<uint32_t>(a.symbols.size() + b.symbols.size()); }
};

// A limit that occasionally is none.
uint64_t read_limit(InputReader& input, uint64_t most) {
  return input.take_flag() ? input.take_number(0, most) : most;
}

Input read_input(InputReader& input) {
  Input read;
  read.secret = input.take_byte();
  ComparisonParameters& parameters = read.parameters;
  parameters.window_width = static_cast<uint32_t>(input.take_number(1, 40));
  parameters.trustable = input.take_flag();
  parameters.trust.slope = static_cast<double>(input.take_number(0, 200)) / 200;
  parameters.trust.block_width = static_cast<uint32_t>(input.take_number(1, 64));
  parameters.trust.blocks_limit = static_cast<uint32_t>(input.take_number(1, 40));
  parameters.rounds = static_cast<uint32_t>(input.take_number(1, 8));
  parameters.gain_width = static_cast<uint32_t>(input.take_number(0, 100));
  parameters.work_limit = UINT64_MAX;
  read.limits.edits = static_cast<uint32_t>(read_limit(input, kEditsLimit));
  read.limits.work = read_limit(input, 100000);
  read.limits.width = read_limit(input, 2000);
  fuzz::SymbolTexts texts = fuzz::read_symbol_texts(input, input.take_flag() ? kLong : kShort);
  read.a = std::move(texts.a);
  read.b = std::move(texts.b);
  return read;
}

void check_myers(const Input& input, uint32_t length) {
  const auto& [a, b] = std::tie(input.a.symbols, input.b.symbols);
  MyersSolver solver;
  Script script;
  uint64_t work = 0;
  const uint32_t edits = input.whole_size() - 2 * length;
  if (edits > kEditsLimit) {
    expect(!solver.solve(a, b, kEditsLimit, script, work), "Myers' budget of edits is not exact");
    return;
  }
  const std::optional<uint32_t> whole = solver.solve(a, b, UINT32_MAX, script, work);
  expect(whole == edits && matched_count(script) == length, "Myers finds no shortest script");
  expect(oracle::is_common_subsequence(script, a, b), "Myers' script is no common subsequence");
  if (input.is_short())
    expect(oracle::pairs_of(script) == oracle::myers_pairs(a, b), "not the script of the paper");

  work = 0;
  const std::optional<uint32_t> budgeted = solver.solve(a, b, input.limits.edits, script, work);
  expect(budgeted.has_value() == (edits <= input.limits.edits), "Myers' budget of edits is not exact");
  work = 0;
  const std::optional<uint32_t> limited = solver.solve(a, b, UINT32_MAX, script, work, input.limits.work);
  expect(!limited || *limited == edits, "Myers finds another script within a limit of work");
  expect(limited.has_value() == (work <= input.limits.work),
         "Myers ends within its limit of work without a script");
  // Passed by the common beginning, or by a run of equal symbols.
  expect(work <= input.limits.work + input.whole_size() + 1, "Myers passes its limit of work by far");
}

void check_bit_parallel(const Input& input, uint32_t length) {
  const auto& [a, b] = std::tie(input.a.symbols, input.b.symbols);
  const uint64_t bound = BitParallelSolver::work_bound(a.size(), b.size());
  BitParallelSolver solver(input.secret);
  solver.reserve(a.size(), b.size());
  const uint64_t bytes = solver.memory_bytes();
  uint64_t work = 0;
  expect(solver.length(a, b, work) == length, "the bit-parallel length is wrong");
  expect(work <= bound, "the bit-parallel length takes more work than its bound");
  Script script;
  work = 0;
  solver.solve(a, b, script, work);
  expect(matched_count(script) == length, "the bit-parallel script has another length");
  expect(oracle::is_common_subsequence(script, a, b), "the bit-parallel script is no common subsequence");
  expect(work <= bound, "the bit-parallel script takes more work than its bound");
  expect(solver.memory_bytes() == bytes, "the bit-parallel algorithm takes more memory than was reserved");
}

Comparison compared(const Input& input, const ComparisonParameters& parameters, uint64_t need_width = 0) {
  Comparer comparer(input.secret);
  Comparison result;
  comparer.compare(sequence_of(input.a), sequence_of(input.b), parameters, need_width, result);
  return result;
}

// Each position once at most, pairs equal, ascending in A, the width as reported.
void expect_valid(const Input& input, const ComparisonParameters& parameters, const Comparison& result) {
  std::vector<bool> seen_a(input.a.symbols.size()), seen_b(input.b.symbols.size());
  uint64_t width = 0;
  uint32_t end = 0;
  for (const Match& match : result.matches) {
    expect(match.count > 0 && match.a >= end, "matches do not ascend");
    end = match.a + match.count;
    expect(end <= seen_a.size() && uint64_t{match.b} + match.count <= seen_b.size(),
           "a match passes the end");
    for (uint32_t i = 0; i < match.count; ++i) {
      const uint32_t at_a = match.a + i, at_b = match.b + i;
      expect(input.a.symbols[at_a] == input.b.symbols[at_b], "what matches is not equal");
      expect(!seen_a[at_a] && !seen_b[at_b], "a symbol matches twice");
      seen_a[at_a] = seen_b[at_b] = true;
      width += input.a.widths[at_a];
    }
  }
  expect(width == result.matched_width, "the matched width is reported wrongly");
  expect(result.passes <= parameters.rounds, "more passes than were asked for");
}

bool equal(const Comparison& x, const Comparison& y) {
  return x.matches == y.matches && x.matched_width == y.matched_width && x.passes == y.passes &&
         x.work == y.work && x.limited == y.limited;
}

// With the script of the paper the comparison is, step by step, that of the report.
void check_against_steps(const Input& input) {
  ComparisonParameters parameters = input.parameters;
  parameters.edit_budget = UINT32_MAX;
  const Comparison result = compared(input, parameters);
  expect_valid(input, parameters, result);
  expect(!result.limited, "a comparison without a limit was limited");
  if (input.a.symbols == input.b.symbols) {
    expect(matched_count(result.matches) == input.a.symbols.size(), "a text does not equal itself");
    return;
  }
  if (!parameters.trustable) {
    // Which of several longest is found, is left open; the first pass decides by it what others have left.
    parameters.rounds = 1;
    const Comparison first = compared(input, parameters);
    const auto expected = oracle::compare(sequence_of(input.a), sequence_of(input.b), parameters);
    expect(matched_count(first.matches) == expected.pairs.size(), "the first pass is no longest one");
    return;
  }
  const auto expected = oracle::compare(sequence_of(input.a), sequence_of(input.b), parameters);
  expect(oracle::pairs_of(result.matches) == expected.pairs, "not what the steps of the report find");
  expect(result.matched_width == expected.width, "another width than that of the report's steps");
  expect(result.passes == expected.passes, "other passes than the report's steps take");
}

// A result truncated by a limit is flagged, and is a part of the whole result.
void check_limits(const Input& input) {
  ComparisonParameters parameters = input.parameters;
  parameters.edit_budget = input.limits.edits;
  const Comparison whole = compared(input, parameters);
  expect_valid(input, parameters, whole);
  expect(!whole.limited, "a comparison without a limit was limited");

  parameters.work_limit = input.limits.work;
  const Comparison limited = compared(input, parameters);
  expect_valid(input, parameters, limited);
  const bool is_equal_text = input.a.symbols == input.b.symbols;
  expect(is_equal_text || limited.work <= input.limits.work + input.whole_size() + 1,
         "a comparison passes its limit of work by far");
  if (limited.limited) {
    const auto all = oracle::pairs_of(whole.matches);
    const std::set<std::pair<uint32_t, uint32_t>> pairs(all.begin(), all.end());
    for (const auto& pair : oracle::pairs_of(limited.matches))
      expect(pairs.contains(pair), "a limited comparison found what the whole one does not");
    expect(limited.matched_width <= whole.matched_width && limited.passes <= whole.passes,
           "a limited comparison tells more than the whole one");
  } else {
    expect(equal(limited, whole), "a limit of work cut a comparison, and it is not flagged");
  }

  parameters.work_limit = UINT64_MAX;
  const Comparison needed = compared(input, parameters, input.limits.width);
  if (needed.passes > 0 || whole.passes == 0) {
    expect(equal(needed, whole), "the width that is needed changed a comparison");
  } else {
    parameters.rounds = 1;
    expect(needed.matches.empty() && compared(input, parameters).matched_width < input.limits.width,
           "a comparison was rejected that had the width that is needed");
  }
}

// Buffers that others have used, and one text that is compared with two.
void check_reuse(const Input& input) {
  const Sequence a = sequence_of(input.a), b = sequence_of(input.b);
  ComparisonParameters parameters = input.parameters;
  parameters.edit_budget = input.limits.edits;
  Comparer comparer(~input.secret);
  Comparison result;
  comparer.compare(b, a, parameters, 0, result);
  comparer.set_second(b, parameters.window_width);
  comparer.compare(b, parameters, 0, result);
  comparer.compare(a, parameters, 0, result);
  expect(equal(result, compared(input, parameters)), "used buffers, or the secret, change a comparison");
  const uint64_t bytes = comparer.memory_bytes();
  comparer.compare(a, parameters, 0, result);
  expect(comparer.memory_bytes() == bytes, "the same comparison takes more memory the second time");
}

void check_trustable(const Input& input) {
  const Sequence a = sequence_of(input.a), b = sequence_of(input.b);
  BitParallelSolver solver;
  Script script;
  uint64_t work = 0;
  solver.solve(a.symbols, b.symbols, script, work);
  Vector<Edit> edits;
  append_edits(a, b, script, edits);
  uint32_t length = 0;
  for (const uint16_t width : a.widths)
    length += width;
  const Region region = trustable_region(length, edits, input.parameters.trust);
  const Region expected = oracle::trustable_region(length, edits, input.parameters.trust);
  expect(region.begin == expected.begin && region.end == expected.end,
         "another trustable region than the report's");
}

}  // namespace
}  // namespace nd::lcs

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace nd::lcs;
  nd::fuzz::InputReader reader(data, size);
  const Input input = read_input(reader);
  const uint32_t length = oracle::lcs_length(input.a.symbols, input.b.symbols);
  check_myers(input, length);
  check_bit_parallel(input, length);
  check_limits(input);
  check_reuse(input);
  if (input.is_short()) {
    check_against_steps(input);
    check_trustable(input);
  }
  return 0;
}

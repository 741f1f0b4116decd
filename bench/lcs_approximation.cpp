// How far the comparisons that ndc can make differ from the plain LCS of characters (docs/decision.md, "What
// the approximations cost").
//
//   lcs_approximation PAGES.warc.gz PAIRS.tsv [COUNT]
//
// PAIRS.tsv: URL_A<TAB>URL_B a line; further columns and lines whose URLs are not in the archive are passed
// over. With COUNT, so many pairs are taken at even distances. Text is all visible text, unweighted: the
// measure is of the comparison alone. The characters are those of the normalised text (spaces and punctuation
// among them, block boundaries not).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "archives/archive_page.hpp"
#include "archives/archive_reader.hpp"
#include "core/utf8.hpp"
#include "lcs/comparison.hpp"
#include "lcs/longest_common_subsequence.hpp"
#include "page/features.hpp"
#include "text/page_reader.hpp"

namespace {

struct Text {
  std::vector<uint32_t> symbols;
  std::vector<uint16_t> widths;

  void add(uint32_t symbol, uint32_t width) {
    symbols.push_back(symbol);
    widths.push_back(static_cast<uint16_t>(width));
  }
  nd::lcs::Sequence sequence() const { return {symbols, widths}; }
  double width() const {
    double sum = 0;
    for (const uint16_t width : widths)
      sum += width;
    return sum;
  }
};

struct Page {
  Text characters, tokens;
};

struct Pair {
  std::string a, b;
};

struct Ratios {
  double resemblance = 0;
  double containment = 0;
};

Page page_of(const nd::text::Document& document) {
  Page page;
  for (size_t at = 0; at < document.text.size();) {
    const char32_t c = nd::next_code_point(document.text, at);
    if (c != U'\n') page.characters.add(c, nd::width(c));
  }
  for (const nd::text::Token& token : document.tokens) {
    const nd::engine::Symbol symbol = nd::engine::make_symbol(token.hash, token.width);
    page.tokens.add(symbol, nd::engine::symbol_width(symbol));
  }
  return page;
}

std::vector<Pair> read_pairs(const char* path) {
  std::vector<Pair> pairs;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const size_t first = line.find('\t');
    if (first == line.npos) continue;
    pairs.push_back({line.substr(0, first), line.substr(first + 1, line.find('\t', first + 1) - first - 1)});
  }
  return pairs;
}

std::unordered_map<std::string, Page> read_pages(const char* path) {
  std::unordered_map<std::string, Page> pages;
  auto page_reader = nd::text::PageReader::create();
  if (!page_reader) std::exit(1);
  nd::text::Document document;
  ndc::ArchiveReader archive({path}, size_t{64} << 20);
  ndc::WarcRecord record;
  ndc::RecordDamage damage;
  ndc::ArchivePage page;
  std::string reason;
  for (;;) {
    const auto outcome = archive.next(record, damage);
    if (outcome == ndc::ArchiveReader::Outcome::kEnd) return pages;
    if (outcome == ndc::ArchiveReader::Outcome::kReadError) {
      std::fprintf(stderr, "%s\n", archive.error().c_str());
      std::exit(1);
    }
    if (outcome == ndc::ArchiveReader::Outcome::kDamaged) continue;
    if (ndc::page_from_record(record, {}, page, reason) != ndc::PageOutcome::kPage) continue;
    const auto* bytes = reinterpret_cast<const uint8_t*>(page.body.data());
    if (!page_reader->read(page.url, {bytes, page.body.size()}, page.content_type, {}, document))
      std::exit(1);
    pages.insert_or_assign(page.url, page_of(document));
  }
}

Ratios ratios(const Text& a, const Text& b, double matched) {
  const double width_a = a.width();
  const double width_b = b.width();
  if (width_a == 0 || width_b == 0) return {};
  return {matched / (width_a + width_b - matched), matched / std::min(width_a, width_b)};
}

class Measure {
 public:
  Ratios plain(const Text& a, const Text& b) {
    uint64_t work = 0;
    solver_.solve(a.symbols, b.symbols, script_, work);
    return ratios(a, b, static_cast<double>(nd::lcs::matched_width(a.sequence(), script_)));
  }
  Ratios compared(const Text& a, const Text& b, uint32_t rounds, bool trustable) {
    nd::lcs::ComparisonParameters parameters;
    parameters.rounds = rounds;
    parameters.trustable = trustable;
    parameters.work_limit = UINT64_MAX / 2;
    comparer_.compare(a.sequence(), b.sequence(), parameters, 0, comparison_);
    return ratios(a, b, static_cast<double>(comparison_.matched_width));
  }

 private:
  nd::lcs::BitParallelSolver solver_;
  nd::lcs::Comparer comparer_;
  nd::lcs::Comparison comparison_;
  nd::lcs::Script script_;
};

double percentile(const std::vector<double>& sorted, double share) {
  return sorted[std::min(sorted.size() - 1, static_cast<size_t>(share * static_cast<double>(sorted.size())))];
}

// One line: how far `of` differs from `truth` for the resemblance and for the containment.
void print_difference(const char* name, const std::vector<Ratios>& truth, const std::vector<Ratios>& of) {
  constexpr double kResemblance = 0.28;
  std::printf("%-46s", name);
  for (double Ratios::*ratio : {&Ratios::resemblance, &Ratios::containment}) {
    double signed_sum = 0;
    std::vector<double> apart;
    for (size_t i = 0; i < truth.size(); ++i) {
      const double difference = of[i].*ratio - truth[i].*ratio;
      signed_sum += difference;
      apart.push_back(std::fabs(difference));
    }
    std::sort(apart.begin(), apart.end());
    double sum = 0;
    for (const double difference : apart)
      sum += difference;
    const double count = static_cast<double>(apart.size());
    std::printf("  %+.3f %.3f %.3f %.3f %.3f %.3f", signed_sum / count, sum / count, percentile(apart, 0.5),
                percentile(apart, 0.9), percentile(apart, 0.99), apart.back());
  }
  size_t other_side = 0;
  for (size_t i = 0; i < truth.size(); ++i)
    other_side += (truth[i].resemblance >= kResemblance) != (of[i].resemblance >= kResemblance);
  std::printf("  %5zu\n", other_side);
}

void print_table(const char* title, const std::vector<std::vector<Ratios>>& columns,
                 const std::vector<size_t>& chosen) {
  if (chosen.empty()) return;
  std::vector<std::vector<Ratios>> rows(columns.size());
  for (size_t column = 0; column < columns.size(); ++column) {
    for (const size_t pair : chosen)
      rows[column].push_back(columns[column][pair]);
  }
  std::printf("\n%s: %zu pairs\n", title, chosen.size());
  std::printf("%-46s  %-37s  %-37s  r crosses\n", "", "r: bias, mean, p50, p90, p99, max",
              "c: bias, mean, p50, p90, p99, max");
  std::printf("against the plain LCS of characters\n");
  print_difference("  characters, sketch, one round (the report)", rows[0], rows[1]);
  print_difference("  tokens, plain LCS", rows[0], rows[2]);
  print_difference("  tokens, sketch, one round", rows[0], rows[3]);
  print_difference("  tokens, sketch, 8 rounds (the default)", rows[0], rows[4]);
  print_difference("  tokens, sketch, 8 rounds, trustable", rows[0], rows[5]);
  std::printf("against characters, sketch, one round\n");
  print_difference("  tokens, sketch, one round", rows[1], rows[3]);
  print_difference("  tokens, sketch, 8 rounds (the default)", rows[1], rows[4]);
  std::printf("against tokens, plain LCS\n");
  print_difference("  tokens, sketch, one round", rows[2], rows[3]);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s PAGES.warc.gz PAIRS.tsv [COUNT]\n", argv[0]);
    return 2;
  }
  const std::unordered_map<std::string, Page> pages = read_pages(argv[1]);
  std::vector<Pair> pairs = read_pairs(argv[2]);
  std::erase_if(pairs, [&](const Pair& pair) { return !pages.contains(pair.a) || !pages.contains(pair.b); });
  const size_t wanted = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : pairs.size();
  const size_t count = std::min(pairs.size(), std::max<size_t>(1, wanted));

  Measure measure;
  std::vector<std::vector<Ratios>> columns(6);
  std::vector<size_t> all, near, far;
  for (size_t i = 0; i < count; ++i) {
    const Pair& pair = pairs[i * pairs.size() / count];
    const Page& a = pages.at(pair.a);
    const Page& b = pages.at(pair.b);
    columns[0].push_back(measure.plain(a.characters, b.characters));
    columns[1].push_back(measure.compared(a.characters, b.characters, 1, false));
    columns[2].push_back(measure.plain(a.tokens, b.tokens));
    columns[3].push_back(measure.compared(a.tokens, b.tokens, 1, false));
    columns[4].push_back(measure.compared(a.tokens, b.tokens, nd::lcs::ComparisonParameters{}.rounds, false));
    columns[5].push_back(measure.compared(a.tokens, b.tokens, nd::lcs::ComparisonParameters{}.rounds, true));
    all.push_back(i);
    (columns[0].back().resemblance >= 0.6 ? near : far).push_back(i);
  }
  print_table("all", columns, all);
  print_table("character r >= .6", columns, near);
  print_table("character r < .6", columns, far);
  return 0;
}

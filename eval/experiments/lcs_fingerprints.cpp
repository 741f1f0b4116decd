// Measures sets and losses for numbers of rotations and buckets, as the figure has them.
#include "lcs_fingerprints.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "lcs_similarity.hpp"
#include "pair_sample.hpp"

namespace nd::eval::partition {
namespace {

class Mean {
 public:
  void add(uint64_t part, uint64_t whole) {
    sum_ += static_cast<double>(part) / static_cast<double>(whole);
    ++count_;
  }
  std::optional<double> value() const {
    if (count_ == 0) return std::nullopt;
    return sum_ / static_cast<double>(count_);
  }

 private:
  double sum_ = 0;
  uint64_t count_ = 0;
};

struct Similar {
  std::vector<std::vector<uint32_t>> pages;  // by chosen document, without itself
  std::vector<uint8_t> compared;             // by page: with every chosen document
  uint64_t limited = 0;                      // comparisons cut: their texts count as different
};

// The pages that the report's third step alone, over the whole collection, considers similar.
Similar find_similar(const std::vector<ComparedText>& texts, std::span<const uint32_t> chosen) {
  Similar similar;
  similar.compared.assign(texts.size(), 0);
  for (const uint32_t page : spread_items(static_cast<uint32_t>(texts.size()), kComparedPages))
    similar.compared[page] = 1;
  for (const uint32_t page : chosen)
    similar.compared[page] = 1;
  TrustedComparer comparer;
  for (const uint32_t document : chosen) {
    const ComparedText& a = texts[document];
    std::vector<uint32_t>& found = similar.pages.emplace_back();
    for (uint32_t other = 0; other < texts.size(); ++other) {
      const ComparedText& b = texts[other];
      if (similar.compared[other] == 0 || other == document || a.width == 0 || b.width == 0) continue;
      const std::optional<uint64_t> matched = comparer.trusted_width(a, b, {}, least_width(a, b));
      similar.limited += matched ? 0 : 1;
      if (matched && is_similar(a, b, *matched)) found.push_back(other);
    }
  }
  return similar;
}

std::vector<std::vector<uint32_t>> find_labelled(std::span<const uint32_t> labels,
                                                 std::span<const uint32_t> chosen) {
  std::unordered_map<uint32_t, std::vector<uint32_t>> members;
  for (uint32_t page = 0; page < labels.size(); ++page)
    if (labels[page] != kNoLabel) members[labels[page]].push_back(page);
  std::vector<std::vector<uint32_t>> same;
  for (const uint32_t document : chosen) {
    same.emplace_back();
    if (labels[document] == kNoLabel) continue;
    same.back() = members[labels[document]];
    std::erase(same.back(), document);
  }
  return same;
}

Table fingerprint_table() {
  return {
      "lcs_fingerprints",
      "TR2007012 figure 5: how much of what is similar to a document lies in its perhaps-similar set, and "
      "how much of the set is similar to it, by the number of fingerprints. The report compares a document "
      "with the whole collection; here with at most " +
          std::to_string(kComparedPages) +
          " pages evenly spread over it and with the other documents. Sets: " + about(kSmallRule),
      {{"text", "", "main: blocks that weigh .4 or more, all where none does; all: all visible text"},
       {"fingerprints", "fingerprints", "At most so many a page: seven of each of the first rotations"},
       {"coverage", "1",
        "Similar by the trustable LCS and in the set, of those similar in the pages compared; mean over "
        "the documents that have any"},
       {"coverage_labels", "1", "The same by the labels, over the whole collection"},
       {"trustable", "1",
        "Of the set, those similar by the trustable LCS, the document itself among them; of the pages "
        "compared, mean over the documents"},
       {"trustable_labels", "1", "The same by the labels, pages of unknown group left out"},
       {"set_size", "pages", "Mean size of the documents' sets, the document with it"},
       {"documents", "pages", "Drawn at random of the article pages: main content at least 140 wide"},
       {"similar", "pages", "Mean number of pages similar by the trustable LCS, of those compared"},
       {"right", "1", "Of those, where both labels are known, the ones that are the same by the labels"},
       {"without", "1", "Of the article pages, those without any fingerprint"},
       {"limited", "comparisons", "By the trustable LCS, cut by the limit of work: taken for different"}}};
}

struct Found {
  double mean = 0;              // pages similar to a document by the trustable LCS
  std::optional<double> right;  // of them, where both labels are known, those that are the same
};

Found count_found(std::span<const std::vector<uint32_t>> similar, std::span<const uint32_t> chosen,
                  std::span<const uint32_t> labels) {
  uint64_t all = 0, known = 0, right = 0;
  for (size_t i = 0; i < chosen.size(); ++i) {
    all += similar[i].size();
    const uint32_t label = labels[chosen[i]];
    for (const uint32_t page : similar[i]) {
      if (label == kNoLabel || labels[page] == kNoLabel) continue;
      ++known;
      right += labels[page] == label ? 1 : 0;
    }
  }
  Found found;
  found.mean = static_cast<double>(all) / static_cast<double>(std::max<size_t>(chosen.size(), 1));
  if (known > 0) found.right = static_cast<double>(right) / static_cast<double>(known);
  return found;
}

Cell share_without_keys(const ExtentInput& extent, std::span<const uint32_t> pages, uint32_t rotations) {
  const auto without = std::count_if(pages.begin(), pages.end(), [&](uint32_t page) {
    return extent.keys[page].of_rotations(rotations).empty();
  });
  return pages.empty() ? Cell() : Cell(static_cast<double>(without) / static_cast<double>(pages.size()));
}

double mean_set_size(std::span<const uint32_t> sets, std::span<const uint32_t> chosen) {
  std::unordered_map<uint32_t, uint64_t> sizes;
  for (const uint32_t set : sets)
    ++sizes[set];
  Mean size;
  for (const uint32_t page : chosen)
    size.add(sizes[sets[page]], 1);
  return size.value().value_or(0);
}

}  // namespace

Cell cell_of(const std::optional<double>& value) {
  return value ? Cell(*value) : Cell();
}

SetQuality measure_sets(std::span<const uint32_t> sets, std::span<const uint32_t> chosen,
                        std::span<const std::vector<uint32_t>> similar, std::span<const uint8_t> counted) {
  std::unordered_map<uint32_t, uint64_t> sizes;
  for (size_t page = 0; page < sets.size(); ++page)
    if (counted[page] != 0) ++sizes[sets[page]];
  Mean coverage, trustable, size;
  for (size_t i = 0; i < chosen.size(); ++i) {
    if (counted[chosen[i]] == 0) continue;
    const uint32_t set = sets[chosen[i]];
    uint64_t whole = 0, inside = 0;
    for (const uint32_t page : similar[i]) {
      if (counted[page] == 0) continue;
      ++whole;
      inside += sets[page] == set ? 1 : 0;
    }
    if (whole > 0) coverage.add(inside, whole);
    trustable.add(inside + 1, sizes[set]);
    size.add(sizes[set], 1);
  }
  return {coverage.value(), trustable.value(), size.value().value_or(0)};
}

SetQuality measure_by_labels(std::span<const uint32_t> sets, std::span<const uint32_t> labels,
                             std::span<const uint32_t> chosen) {
  std::vector<uint8_t> known;
  for (const uint32_t label : labels)
    known.push_back(label != kNoLabel);
  return measure_sets(sets, chosen, find_labelled(labels, chosen), known);
}

Table repeat_figure_5(const Input& input) {
  Table table = fingerprint_table();
  const std::vector<uint32_t> chosen = draw(input.articles, kFigure5Documents, input.seed);
  for (const ExtentInput& extent : input.extents) {
    const Similar similar = find_similar(extent.tokens, chosen);
    const Found found = count_found(similar.pages, chosen, input.labels);
    for (uint32_t rotations = 1; rotations <= lcs::kRotations; ++rotations) {
      const std::vector<uint32_t> sets = candidate_sets(extent.keys, input.sites, rotations, kSmallRule);
      const SetQuality by_lcs = measure_sets(sets, chosen, similar.pages, similar.compared);
      const SetQuality by_labels = measure_by_labels(sets, input.labels, chosen);
      table.add_row({name_of(extent.extent), uint64_t{rotations} * lcs::FingerprintParameters{}.buckets,
                     cell_of(by_lcs.coverage), cell_of(by_labels.coverage), cell_of(by_lcs.trustable),
                     cell_of(by_labels.trustable), mean_set_size(sets, chosen), uint64_t{chosen.size()},
                     found.mean, cell_of(found.right), share_without_keys(extent, input.articles, rotations),
                     similar.limited});
    }
  }
  return table;
}

}  // namespace nd::eval::partition

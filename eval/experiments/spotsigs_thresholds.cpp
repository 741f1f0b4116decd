// F1 by threshold for SpotSigs, its competitors and shingles, for each text and band: the paper's figures of
// quality.
#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "all_pairs.hpp"
#include "baselines/i_match.hpp"
#include "joins/competitor_joins.hpp"
#include "page_words.hpp"
#include "pair_sample.hpp"
#include "score_cells.hpp"
#include "spot_similarities.hpp"
#include "spotsigs/spot_vector.hpp"
#include "spotsigs_experiments.hpp"

namespace nd::eval {
namespace {

using spotsigs::SimilarPair;
using Pairs = Vector<SimilarPair>;

constexpr uint64_t kBandSecret = 1;  // no answer depends on it
// Of one detector, text and band. A threshold that more pairs reach says nothing, and has no row.
constexpr size_t kPairsLimit = 4'000'000;

struct TextInput {
  SpotPages spots;
  std::vector<Vector<uint32_t>> words;
};

Result<TextInput> read_text(Collection& collection, std::span<const uint32_t> pages, Text text) {
  Result<SpotPages> spots = spots_of_pages(collection, pages, text);
  if (!spots) return std::move(spots).failure();
  Result<std::vector<Vector<uint32_t>>> words = page_words(collection, pages, text);
  if (!words) return std::move(words).failure();
  return TextInput{*std::move(spots), *std::move(words)};
}

Table threshold_table(const std::string& of_what) {
  const char* of_groups = "Of the pairs within the connected components";
  return Table(
      "spotsigs_thresholds",
      "SpotSigs and its competitors over tau, by the pairs that they find, of " + of_what +
          " A tau that more than " + std::to_string(kPairsLimit) +
          " pairs reach has no row. The words of i-match include function words, which the detector i-match "
          "leaves out.",
      {{"detector", "",
        "spotsigs, lsh-s, i-match, i-match-s; spotsigs-cosine, spotsigs-kl: the same signatures by cosine "
        "and "
        "by Kullback-Leibler; shingles-1, shingles-3 by Jaccard, cosine-1, cosine-3 by cosine"},
       {"text", "", "of the pages: main content or all"},
       {"band", "", "IDF band of the signatures, shingles or words"},
       {"tau", "1", "least similarity of a pair; none where equality is asked for"},
       {"precision", "1", "Of the pairs found"},
       {"recall", "1", "Of the pairs of one label"},
       {"f1", "1", "Of these"},
       {"macro_f1", "1", "Mean over the labels of the F1 of their pairs"},
       {"same_site_f1", "1", "Of the pairs of one site"},
       {"cross_site_f1", "1", "Of the pairs between sites"},
       {"pairs", "pairs", "Found, of pages with and without a label; none where equality is asked for"},
       {"group_precision", "1", of_groups},
       {"group_recall", "1", of_groups},
       {"group_f1", "1", of_groups},
       {"group_macro_f1", "1", of_groups},
       {"relative_recall", "1", "Of the pairs that i-match-s finds with this text and band, those found"},
       {"limited_buckets", "buckets",
        "Of LSH-S: of more pages than " + std::to_string(spotsigs::LshJoinOptions().bucket_documents) +
            ", each of which was compared with the first so many alone"}});
}

// The rows of one text and band.
class Rows {
 public:
  // `base`: the groups of i-match-s.
  Rows(std::span<const PageTruth> pages, Text text, const NamedBand& band, std::span<const uint64_t> base,
       Table& table)
      : pages_(pages), text_(text), band_(band), base_(base), table_(table) {
    std::map<uint64_t, uint64_t> sizes;
    for (const uint64_t group : base)
      base_pairs_ += sizes[group]++;
  }

  // Of pairs that may reach tau or not.
  void add_pairs(const char* detector, uint32_t tau, const Pairs& found, Cell limited_buckets = {}) {
    add_pairs_if(
        detector, tau, found, [tau](const SimilarPair& pair) { return spotsigs::similar(pair.overlap, tau); },
        std::move(limited_buckets));
  }
  template <typename FoundPairs, typename IsSimilar>
  void add_pairs_if(const char* detector, uint32_t tau, const FoundPairs& found, IsSimilar&& is_similar,
                    Cell limited_buckets = {}) {
    std::vector<PagePair> pairs;
    uint64_t of_base = 0;
    for (const auto& pair : found) {
      if (!is_similar(pair)) continue;
      pairs.push_back({pair.first, pair.second});
      of_base += base_[pair.first] == base_[pair.second];
    }
    if (pairs.size() > kPairsLimit) return;
    Cell relative;
    if (base_pairs_ > 0) relative = static_cast<double>(of_base) / static_cast<double>(base_pairs_);
    add(detector, tau / 1000.0, pairs.size(), score_pairs(pages_, pairs),
        score_groups(pages_, connected_groups(pages_.size(), pairs)), std::move(relative),
        std::move(limited_buckets));
  }
  // Pages of one number are equal.
  void add_equal(const char* detector, const std::vector<uint64_t>& groups) {
    const Score score = score_groups(pages_, groups);
    add(detector, {}, {}, score, score, {}, {});
  }

 private:
  void add(const char* detector, Cell tau, Cell pairs, const Score& score, const Score& groups,
           Cell relative_recall, Cell limited_buckets) {
    table_.add_row({detector, name_of(text_), band_.name, std::move(tau), precision_cell(score.all),
                    recall_cell(score.all), f1_cell(score.all), macro_f1_cell(score),
                    f1_cell(score.same_site), f1_cell(score.cross_site), std::move(pairs),
                    precision_cell(groups.all), recall_cell(groups.all), f1_cell(groups.all),
                    macro_f1_cell(groups), std::move(relative_recall), std::move(limited_buckets)});
  }

  std::span<const PageTruth> pages_;
  Text text_;
  const NamedBand& band_;
  std::span<const uint64_t> base_;
  uint64_t base_pairs_ = 0;
  Table& table_;
};

// A join for each tau, from the greatest on, as long as the pairs are not too many.
void add_joins(const std::vector<SpotDocument>& documents, Rows& rows) {
  const Vector<spotsigs::SpotVector> seen = views(documents);
  for (size_t i = kSpotThresholds.size(); i-- > 0;) {
    const uint32_t tau = kSpotThresholds[i];
    const spotsigs::JoinResult found = spotsigs::batch_join(seen, {tau, true, true});
    if (found.pairs.size() > kPairsLimit) return;
    rows.add_pairs("spotsigs", tau, found.pairs);
  }
}

// LSH-S once, by the least tau: its pairs carry their overlap, so that each threshold only has to look at
// that.
void add_min_hashes(const std::vector<SpotDocument>& documents, Rows& rows) {
  const spotsigs::LshResult found = spotsigs::lsh_s(views(documents), {.tau = kSpotThresholds.front()});
  for (const uint32_t tau : kSpotThresholds)
    rows.add_pairs("lsh-s", tau, found.pairs, found.limited);
}

void add_measures(const std::vector<SpotDocument>& documents, Rows& rows) {
  // A score is a float: what is equal must not miss 1 by its last bits.
  constexpr float kRounding = 1e-5F;
  const auto least = [](uint32_t tau) { return static_cast<float>(tau) / 1000 - kRounding; };
  const std::vector<MeasuredPair> found = measured_pairs(views(documents), least(kSpotThresholds.front()));
  for (const uint32_t tau : kSpotThresholds) {
    rows.add_pairs_if("spotsigs-cosine", tau, found,
                      [&](const MeasuredPair& pair) { return pair.cosine >= least(tau); });
    rows.add_pairs_if("spotsigs-kl", tau, found,
                      [&](const MeasuredPair& pair) { return pair.divergence >= least(tau); });
  }
}

// Of sets by their sizes. A set within another reaches tau at a Jaccard of tau^2, and no two sets at less.
bool has_cosine(const SimilarPair& pair, std::span<const uint64_t> sizes, uint32_t tau) {
  const auto squared = [](uint64_t value) { return spotsigs::Wide{value} * value; };
  return squared(pair.overlap.shared) * squared(spotsigs::kThresholdUnit) >=
         spotsigs::Wide{sizes[pair.first]} * sizes[pair.second] * squared(tau);
}

void add_shingles(const char* by_jaccard, const char* by_cosine, const std::vector<SpotDocument>& documents,
                  Rows& rows) {
  const Vector<spotsigs::SpotVector> sets = views(documents);
  const AllPairs found = all_pairs(sets, kSpotThresholds, kPairsLimit);
  Vector<uint64_t> sizes;
  for (const spotsigs::SpotVector set : sets)
    sizes.push_back(spotsigs::length(set));
  for (const uint32_t tau : kSpotThresholds) {
    if (tau >= found.least) rows.add_pairs(by_jaccard, tau, found.pairs);
    if (uint64_t{tau} * tau >= uint64_t{found.least} * spotsigs::kThresholdUnit)
      rows.add_pairs_if(by_cosine, tau, found.pairs,
                        [&](const SimilarPair& pair) { return has_cosine(pair, sizes, tau); });
  }
}

// By page, the first with the same hash; itself if no word is in the band.
std::vector<uint64_t> i_match_groups(const std::vector<Vector<uint32_t>>& words, spotsigs::IdfBand band) {
  baselines::IMatchIndex index(kBandSecret, {.low = band.low, .high = band.high}, {});
  std::vector<Vector<baselines::TermCount>> terms(words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    baselines::count_terms(words[i], words[i].size(), terms[i]);
    index.insert(i, terms[i]);
  }
  index.start_epoch();
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> firsts;
  std::vector<uint64_t> groups(words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    const std::optional<Hash128> hash = index.hash(terms[i]);
    groups[i] = hash ? firsts.emplace(std::pair(hash->high, hash->low), i).first->second : i;
  }
  return groups;
}

std::vector<SpotDocument> shingle_documents(const std::vector<Vector<uint32_t>>& words, uint32_t length) {
  std::vector<SpotDocument> documents;
  for (const Vector<uint32_t>& page : words)
    documents.push_back(shingles_of(page, length));
  return documents;
}

void add_text(std::span<const PageTruth> pages, const TextInput& input, Text text, Table& table) {
  const std::vector<SpotDocument>& spots = input.spots.documents;
  const std::vector<SpotDocument> single = shingle_documents(input.words, 1);
  const std::vector<SpotDocument> triple = shingle_documents(input.words, 3);
  for (const NamedBand& band : kBands) {
    const Vector<uint32_t> equal = spotsigs::i_match_s_groups(views(spots), band.band, kBandSecret);
    const std::vector<uint64_t> base(equal.begin(), equal.end());
    Rows rows(pages, text, band, base, table);
    const std::vector<SpotDocument> seen = filtered(spots, band.band);
    add_joins(seen, rows);
    add_min_hashes(seen, rows);
    add_measures(seen, rows);
    add_shingles("shingles-1", "cosine-1", filtered(single, band.band), rows);
    add_shingles("shingles-3", "cosine-3", filtered(triple, band.band), rows);
    rows.add_equal("i-match", i_match_groups(input.words, band.band));
    rows.add_equal("i-match-s", base);
  }
}

}  // namespace

Result<Table> spotsigs_thresholds(Collection& collection, uint32_t pages) {
  const std::vector<uint32_t> chosen = spread_items(static_cast<uint32_t>(collection.size()), pages);
  const Result<TextInput> main = read_text(collection, chosen, Text::kMain);
  if (!main) return main.failure();
  const Result<TextInput> all = read_text(collection, chosen, Text::kAll);
  if (!all) return all.failure();
  Table table =
      threshold_table(told_pages(chosen.size(), collection.size()) + told_of_cut(main->spots, all->spots));
  const std::vector<PageTruth> truths = truths_of(collection, chosen);
  add_text(truths, *main, Text::kMain, table);
  add_text(truths, *all, Text::kAll, table);
  return table;
}

}  // namespace nd::eval

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "all_pairs.hpp"
#include "baselines/i_match.hpp"
#include "engine/parameters.hpp"
#include "page_words.hpp"
#include "scores.hpp"
#include "spotsigs/i_match_s.hpp"
#include "spotsigs/lsh_s.hpp"
#include "spotsigs/threshold.hpp"
#include "spotsigs_experiments.hpp"

namespace nd::eval {
namespace {

using spotsigs::SimilarPair;
using Pairs = Vector<SimilarPair>;

constexpr uint64_t kSecret = 1;  // no answer depends on it
// Of one detector, text and band. Where more pairs reach a threshold its rows are left out: they say nothing,
// and the pages of a large collection have too many pairs.
constexpr size_t kPairsLimit = 4'000'000;

Table threshold_table() {
  const char* of_groups = "Of the pairs within the connected components";
  return Table(
      "spotsigs_thresholds", "SpotSigs and its competitors over tau, by the pairs that they find",
      {{"detector", "", "spotsigs, shingles-1, shingles-3, lsh-s, i-match or i-match-s"},
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
       {"group_macro_f1", "1", of_groups}});
}

// The rows of one text and band.
class Rows {
 public:
  Rows(const Collection& collection, Text text, const NamedBand& band, Table& table)
      : collection_(collection), text_(text), band_(band), table_(table) {}

  void add_pairs(const char* detector, uint32_t tau, const Pairs& found) {
    std::vector<PagePair> pairs;
    for (const SimilarPair& pair : found) {
      if (spotsigs::similar(pair.overlap, tau)) pairs.push_back({pair.first, pair.second});
    }
    add(detector, tau / 1000.0, pairs.size(), score_pairs(collection_, pairs),
        score_groups(collection_, connected_groups(collection_.size(), pairs)));
  }
  // Pages of one number are equal.
  void add_equal(const char* detector, const std::vector<uint64_t>& groups) {
    const Score score = score_groups(collection_, groups);
    add(detector, {}, {}, score, score);
  }

 private:
  void add(const char* detector, Cell tau, Cell pairs, const Score& score, const Score& groups) {
    table_.add_row({detector, name_of(text_), band_.name, std::move(tau), score.all.precision(),
                    score.all.recall(), score.all.f1(), score.macro_f1, score.same_site.f1(),
                    score.cross_site.f1(), std::move(pairs), groups.all.precision(), groups.all.recall(),
                    groups.all.f1(), groups.macro_f1});
  }

  const Collection& collection_;
  Text text_;
  const NamedBand& band_;
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

// LSH-S once: its pairs carry their overlap, so that each threshold only has to look at that.
void add_min_hashes(const std::vector<SpotDocument>& documents, Rows& rows) {
  const Pairs found = spotsigs::lsh_s(views(documents), {.verify = false}).pairs;
  for (const uint32_t tau : kSpotThresholds)
    rows.add_pairs("lsh-s", tau, found);
}

void add_shingles(const char* detector, const std::vector<SpotDocument>& documents, Rows& rows) {
  const AllPairs found = all_pairs(views(documents), kSpotThresholds, kPairsLimit);
  for (const uint32_t tau : kSpotThresholds) {
    if (tau >= found.least) rows.add_pairs(detector, tau, found.pairs);
  }
}

// By page, the first with the same hash; itself if no word is in the band.
std::vector<uint64_t> i_match_groups(const std::vector<Vector<uint32_t>>& words, spotsigs::IdfBand band) {
  baselines::IMatchIndex index(kSecret, {.low = band.low, .high = band.high}, {});
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

Result<void> add_text(Collection& collection, Text text, Table& table) {
  const auto features = collection.features(detectors::Method::kLcs);
  if (!features) return features.failure();
  const Result<std::vector<Vector<uint32_t>>> words = page_words(collection, text);
  if (!words) return words.failure();
  uint64_t cut = 0;
  std::vector<SpotDocument> spots;
  for (const engine::Features& page : **features)
    spots.push_back(spots_of(page, text, engine::Parameters().spots.signatures, cut));
  const std::vector<SpotDocument> single = shingle_documents(*words, 1);
  const std::vector<SpotDocument> triple = shingle_documents(*words, 3);
  for (const NamedBand& band : kBands) {
    Rows rows(collection, text, band, table);
    const std::vector<SpotDocument> seen = filtered(spots, band.band);
    add_joins(seen, rows);
    add_min_hashes(seen, rows);
    add_shingles("shingles-1", filtered(single, band.band), rows);
    add_shingles("shingles-3", filtered(triple, band.band), rows);
    rows.add_equal("i-match", i_match_groups(*words, band.band));
    const Vector<uint32_t> equal = spotsigs::i_match_s_groups(views(spots), band.band, kSecret);
    rows.add_equal("i-match-s", {equal.begin(), equal.end()});
  }
  return {};
}

}  // namespace

Result<Table> spotsigs_thresholds(Collection& collection) {
  Table table = threshold_table();
  for (const Text text : kTexts) {
    if (const Result<void> added = add_text(collection, text, table); !added) return added.failure();
  }
  return table;
}

}  // namespace nd::eval

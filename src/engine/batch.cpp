// Feeds the partition with the keys of all records, and compares pairs as a check would, each within its
// budget.
#include "engine/batch.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "collection/method_source.hpp"
#include "decision/work_budget.hpp"
#include "engine/store_identity.hpp"
#include "lcs/partition.hpp"
#include "page/site_model.hpp"

namespace nd::engine {

namespace {

// By document: the one that counts for its URL, the last of them, so that a page counts once. A document
// without a URL counts for itself.
Vector<uint32_t> last_of_each_url(std::span<const Features> documents) {
  Vector<uint32_t> by_url(documents.size());
  std::iota(by_url.begin(), by_url.end(), 0U);
  std::ranges::stable_sort(by_url, {}, [&](uint32_t i) { return documents[i].url(); });
  Vector<uint32_t> last(documents.size());
  for (size_t next = by_url.size(); next-- > 0;) {
    const uint32_t i = by_url[next];
    const bool is_last = next + 1 == by_url.size() || documents[i].url().empty() ||
                         documents[by_url[next + 1]].url() != documents[i].url();
    last[i] = is_last ? i : last[by_url[next + 1]];
  }
  return last;
}

// Compares the documents of a collection, each within the budget of a check of its record.
class CollectionComparison {
 public:
  CollectionComparison(std::span<const Features> documents, const Parameters& parameters, uint64_t secret)
      : documents_(documents),
        parameters_(parameters),
        sites_(secret, parameters.sites),
        verifier_(secret),
        best_(documents.size()),
        refused_(documents.size()),
        limited_(documents.size(), false),
        counted_for_(last_of_each_url(documents)) {
    for (size_t i = 0; i < documents.size(); ++i) {
      if (counted_for_[i] == i)
        sites_.learn(site_key_of(documents[i].url(), documents[i].site()), documents[i]);
    }
  }

  // A document, before it is compared with so many representatives.
  void begin(uint32_t page, size_t representatives) {
    budget_.start(parameters_.budget, documents_[page].bytes().size());
    left_ = representatives;
    if (representatives == 0) return;
    verifier_.set_page(documents_[page]);
    take_contribution(page, of_page_);
    counted_.clear();
  }
  // How well it fits one of them; see lcs::Similarity.
  double similarity(uint32_t representative, uint32_t page);

  Answer answer(uint32_t page, const lcs::Partition& partition) const;

 private:
  struct Refused {
    double probability = 0;
    uint32_t representative = 0;
    uint32_t part = 0;  // kContains, kContained or 0
  };

  // What the site of a document was told by it, or by the later document with its URL.
  void take_contribution(uint32_t document, Contribution& out) const {
    const uint32_t learned = counted_for_[document];
    out.clear();
    if (!documents_[learned].has_text()) return;
    if (learned == document) {
      out.take(documents_[learned]);
    } else {
      out.take_earlier(documents_[learned]);
    }
  }
  Verification compare(uint32_t representative_number, uint32_t page_number);

  std::span<const Features> documents_;
  const Parameters& parameters_;
  SiteKnowledge sites_;
  Verifier verifier_;
  WorkBudget budget_;
  uint64_t left_ = 0;  // representatives that the document is still to be compared with
  CountedPair counted_;
  Contribution of_representative_, of_page_;
  Vector<Verification> best_;
  Vector<Refused> refused_;       // by document, the likeliest one
  Vector<bool> limited_;          // by document: its budget cut a comparison
  Vector<uint32_t> counted_for_;  // by document, see last_of_each_url()
};

// As in a check, equal texts are recognised whatever is left of the budget.
Verification CollectionComparison::compare(uint32_t representative_number, uint32_t page_number) {
  --left_;
  const Features& representative = documents_[representative_number];
  const Features& page = documents_[page_number];
  if (have_equal_text(representative, page, parameters_.decision)) return exact_match(page);
  if (budget_.left() < least_steps(representative.header(), page.header())) {
    Verification left_out;
    left_out.limited = true;
    return left_out;
  }
  take_contribution(representative_number, of_representative_);
  const PairCounts counts = sites_.count_pair(representative, of_representative_, page, of_page_, counted_);
  budget_.spend(kStepsPerBlock * (representative.blocks().size() + page.blocks().size()));
  const uint64_t before = verifier_.work();
  const Verification verification =
      verifier_.verify(representative, counts, parameters_, budget_.share(left_, steps_of_near_equal(page)));
  budget_.spend(verifier_.work() - before);
  return verification;
}

double CollectionComparison::similarity(uint32_t representative, uint32_t page) {
  const Verification verification = compare(representative, page);
  if (verification.limited) limited_[page] = true;
  if (!verification.similar) {
    if (verification.probability > refused_[page].probability)
      refused_[page] = {verification.probability, representative,
                        containment_flags(verification, parameters_.decision)};
    return 0.0;
  }
  // The partition takes the first of the best, and so does this: the figures are those of the pair that it
  // has chosen.
  if (!best_[page].similar || verification.merit() > best_[page].merit()) best_[page] = verification;
  return verification.merit();
}

Answer CollectionComparison::answer(uint32_t page, const lcs::Partition& partition) const {
  const bool founds = partition.representatives[page] == page;
  Answer answer =
      answer_of_pair(founds ? Verification{} : best_[page], documents_[page], parameters_.decision);
  answer.page_id = uint64_t{page} + 1;
  answer.group_id = uint64_t{partition.representatives[page]} + 1;
  if (!founds) answer.matched_page_id = answer.group_id;
  if (answer.verdict == kNew && refused_[page].probability > 0) {
    answer.probability = refused_[page].probability;
    answer.related_group_id = uint64_t{refused_[page].representative} + 1;
    answer.flags |= refused_[page].part;
  }
  if (limited_[page] || (founds && partition.limited[page] != 0)) answer.flags |= kLimit;
  return answer;
}

}  // namespace

Result<Vector<Answer>> partition_documents(std::span<const Features> documents,
                                           const Parameters& parameters) {
  if (!parameters.detector.is_lcs()) {
    return error(Status::kInvalidArgument,
                 "a whole collection is partitioned by the LCS only: option detector must be lcs");
  }
  Result<uint64_t> secret = random_secret();
  if (!secret) return std::move(secret).failure();
  Vector<lcs::PartitionDocument> keyed;
  Vector<Vector<uint64_t>> keys_with_digest(documents.size());
  keyed.reserve(documents.size());
  for (size_t i = 0; i < documents.size(); ++i) {
    const Features& document = documents[i];
    if (document.has_text()) {
      keys_with_digest[i].assign(document.keys().begin(), document.keys().end());
      // Equal texts are paired even if they are too short for a key.
      if (can_be_exact(document, parameters.decision))
        keys_with_digest[i].push_back(mix(document.digest().low));
    }
    keyed.push_back({keys_with_digest[i], stable_hash(document.site()), document.header().fingerprint_count});
  }
  CollectionComparison comparison(documents, parameters, *secret);
  lcs::PartitionParameters partition_parameters;
  partition_parameters.fingerprint_limit = parameters.index.hot_groups;
  partition_parameters.site_fingerprint_limit = parameters.index.hot_site_groups;
  partition_parameters.few_sites = parameters.index.hot_sites;
  partition_parameters.comparisons = parameters.verifications;
  partition_parameters.postings = parameters.index.postings;
  partition_parameters.first_similar = parameters.index.first_similar;
  const lcs::Partition partition = lcs::partition(
      keyed, partition_parameters,
      [&](uint32_t representative, uint32_t page) { return comparison.similarity(representative, page); },
      [&](uint32_t page, size_t representatives) { comparison.begin(page, representatives); });
  Vector<Answer> answers;
  answers.reserve(documents.size());
  for (uint32_t i = 0; i < documents.size(); ++i)
    answers.push_back(comparison.answer(i, partition));
  return answers;
}

Result<Answer> decide_pair(const Features& a, const Features& b, const Parameters& parameters) {
  Result<uint64_t> secret = random_secret();
  if (!secret) return std::move(secret).failure();
  if (Result<void> possible = check_parameters(parameters); !possible) return std::move(possible).failure();
  const MethodParameters& detector = parameters.detector;
  if (detector.method_decides() && (a.method() != detector.kind() || b.method() != detector.kind())) {
    const std::string_view name = detectors::info_of(detector.kind()).name;
    return error(Status::kInvalidArgument, "features that were not made for detector ", name,
                 "; compute both with option detector=", name);
  }
  if (detector.method_decides() && !describes_alike(a.header(), b.header())) return described_otherwise();
  if (!a.has_text() || !b.has_text()) return answer_of_pair(Verification{}, b, parameters.decision);
  if (detector.method_decides()) {
    const MethodSource method(*secret, parameters);
    return answer_of_pair(method.verify(a, b, parameters.decision), b, parameters.decision);
  }
  RecordCounts counts;
  Verifier verifier(*secret);
  return answer_of_pair(verifier.verify(a, b, counts.of(a, b), parameters), b, parameters.decision);
}

}  // namespace nd::engine

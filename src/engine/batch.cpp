#include "engine/batch.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/method_source.hpp"
#include "engine/record_counts.hpp"
#include "engine/store_identity.hpp"
#include "lcs/partition.hpp"

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
      if (document.header().width >= parameters.decision.exact_width)
        keys_with_digest[i].push_back(mix(document.digest().low));
    }
    keyed.push_back({keys_with_digest[i], stable_hash(document.site()), document.header().fingerprint_count});
  }
  SiteKnowledge sites(*secret, parameters.sites);
  const Vector<uint32_t> counted_of = last_of_each_url(documents);
  for (size_t i = 0; i < documents.size(); ++i) {
    if (counted_of[i] == i) sites.learn(site_key_of(documents[i].url(), documents[i].site()), documents[i]);
  }
  const auto take_learned_parts = [&](uint32_t document, Vector<uint64_t>& parts) {
    const Features& counted = documents[counted_of[document]];
    parts.clear();
    if (counted.has_text()) take_counted_parts(counted, parts);
  };
  CountedPair counted;
  Vector<uint64_t> parts_of_representative;
  Vector<uint64_t> parts_of_page;
  Verifier verifier(*secret);
  Vector<Verification> best(documents.size());
  struct Refused {
    double probability = 0;
    uint32_t representative = 0;
  };
  Vector<Refused> refused(documents.size());  // the likeliest one of each document
  const lcs::Similarity similarity = [&](uint32_t representative, uint32_t page) {
    take_learned_parts(representative, parts_of_representative);
    take_learned_parts(page, parts_of_page);
    const PairCounts counts = sites.count_pair(documents[representative], parts_of_representative,
                                               documents[page], parts_of_page, counted);
    const Verification verification =
        verifier.verify(documents[representative], documents[page], counts, parameters);
    if (!verification.similar) {
      if (verification.probability > refused[page].probability)
        refused[page] = {verification.probability, representative};
      return 0.0;
    }
    // The partition takes the first of the best, and so does this: the figures are those of the pair that it
    // has chosen.
    if (!best[page].similar || verification.merit() > best[page].merit()) best[page] = verification;
    return verification.merit();
  };
  lcs::PartitionParameters partition_parameters;
  partition_parameters.fingerprint_limit = parameters.index.hot_groups;
  partition_parameters.site_fingerprint_limit = parameters.index.hot_site_groups;
  partition_parameters.few_sites = parameters.index.hot_sites;
  partition_parameters.comparisons = parameters.index.verifications;
  partition_parameters.postings = parameters.index.postings;
  const lcs::Partition partition = lcs::partition(keyed, partition_parameters, similarity);
  Vector<Answer> answers;
  answers.reserve(documents.size());
  for (uint32_t i = 0; i < documents.size(); ++i) {
    const bool founds = partition.representatives[i] == i;
    Answer answer = answer_of_pair(founds ? Verification{} : best[i], documents[i], parameters.decision);
    answer.page_id = uint64_t{i} + 1;
    answer.group_id = uint64_t{partition.representatives[i]} + 1;
    if (!founds) answer.matched_page_id = answer.group_id;
    if (answer.verdict == kNew && refused[i].probability > 0) {
      answer.probability = refused[i].probability;
      answer.related_group_id = uint64_t{refused[i].representative} + 1;
    }
    if (founds && partition.limited[i] != 0) answer.flags |= kLimit;
    answers.push_back(answer);
  }
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

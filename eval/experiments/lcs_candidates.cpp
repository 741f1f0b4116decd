// Makes candidate sets with the library's own partition and draws pairs from them by a seed.
#include "lcs_candidates.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "collection.hpp"

namespace nd::eval::partition {

namespace {

constexpr lcs::FingerprintParameters kOneRotation = {.rotations = 1};

}  // namespace

std::vector<PageKeys> fingerprint_pages(std::span<const text::Document> documents, Extent extent) {
  lcs::Fingerprinter fingerprinter;
  std::vector<PageKeys> pages(documents.size());
  Vector<lcs::Fingerprint> fingerprints;
  for (size_t i = 0; i < documents.size(); ++i) {
    std::vector<lcs::SentenceDigest> sentences = sentences_of(documents[i], extent);
    PageKeys& page = pages[i];
    for (uint32_t& count : page.counts) {
      fingerprints.clear();
      fingerprinter.append_fingerprints(sentences, kOneRotation, fingerprints);
      for (const lcs::Fingerprint& fingerprint : fingerprints) {
        const uint64_t key = lcs::key_of(fingerprint);
        if (std::find(page.keys.begin(), page.keys.end(), key) == page.keys.end()) page.keys.push_back(key);
      }
      count = static_cast<uint32_t>(page.keys.size());
      // The fingerprinter starts with the digests as they are: what it would do next is done here, so that it
      // is known where the fingerprints of a rotation end.
      for (lcs::SentenceDigest& sentence : sentences)
        std::rotate(sentence.digest.begin(), sentence.digest.begin() + 1, sentence.digest.end());
    }
  }
  return pages;
}

lcs::PartitionParameters TemplateRule::parameters() const {
  lcs::PartitionParameters parameters;
  parameters.site_fingerprint_limit = pages;
  parameters.few_sites = sites;
  return parameters;
}

std::string about(const TemplateRule& rule) {
  return "a fingerprint on more than " + std::to_string(rule.pages) + " pages, of at most " +
         std::to_string(rule.sites) + (rule.sites == 1 ? " site" : " sites") +
         ", is deleted as boilerplate; the report deletes those on more than " +
         std::to_string(kReportedRule.pages) +
         " pages of few sites, which deletes hardly any where a site has some tens of pages (table "
         "lcs_templates); this rule was chosen on such collections";
}

std::vector<uint32_t> candidate_sets(std::span<const PageKeys> pages, std::span<const uint32_t> sites,
                                     uint32_t rotations, const TemplateRule& rule) {
  std::vector<lcs::PartitionDocument> documents;
  for (size_t i = 0; i < pages.size(); ++i) {
    const std::span<const uint64_t> keys = pages[i].of_rotations(rotations);
    documents.push_back({keys, sites[i], static_cast<uint32_t>(keys.size())});
  }
  // If everything is similar, the groups are the sets.
  const lcs::Partition sets =
      lcs::partition(documents, rule.parameters(), [](uint32_t, uint32_t) { return 1.0; });
  return {sets.representatives.begin(), sets.representatives.end()};
}

std::vector<uint32_t> draw(std::span<const uint32_t> items, size_t wanted, uint64_t seed) {
  std::vector<uint32_t> drawn(items.begin(), items.end());
  std::mt19937_64 random(seed);
  wanted = std::min(wanted, drawn.size());
  for (size_t i = 0; i < wanted; ++i)
    std::swap(drawn[i], drawn[i + random() % (drawn.size() - i)]);
  drawn.resize(wanted);
  return drawn;
}

std::vector<CandidatePair> pairs_within(std::span<const uint32_t> sets, std::span<const uint32_t> labels,
                                        std::span<const uint32_t> chosen) {
  std::vector<CandidatePair> pairs;
  for (const uint32_t a : chosen) {
    if (labels[a] == kNoLabel) continue;
    for (uint32_t b = 0; b < sets.size(); ++b)
      if (b != a && sets[b] == sets[a] && labels[b] != kNoLabel)
        pairs.push_back({a, b, labels[a] == labels[b]});
  }
  return pairs;
}

std::vector<CandidatePair> draw_pairs(std::span<const CandidatePair> pairs, size_t wanted, uint64_t seed) {
  std::vector<uint32_t> places(pairs.size());
  std::iota(places.begin(), places.end(), 0U);
  std::vector<CandidatePair> drawn;
  for (const uint32_t place : draw(places, wanted, seed))
    drawn.push_back(pairs[place]);
  return drawn;
}

std::vector<CandidatePair> draw_pairs_by_page(std::span<const CandidatePair> pairs, size_t wanted,
                                              uint64_t seed) {
  std::vector<CandidatePair> drawn;
  for (size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    while (end < pairs.size() && pairs[end].a == pairs[begin].a)
      ++end;
    const std::vector<CandidatePair> of_page = draw_pairs(pairs.subspan(begin, end - begin), wanted, seed);
    drawn.insert(drawn.end(), of_page.begin(), of_page.end());
  }
  return drawn;
}

std::vector<CandidatePair> pairs_that_are(bool same, std::span<const CandidatePair> pairs) {
  std::vector<CandidatePair> wanted;
  for (const CandidatePair& pair : pairs)
    if (pair.same == same) wanted.push_back(pair);
  return wanted;
}

}  // namespace nd::eval::partition

// One class a method that can be joined completely; what it finds is put in order, so that no result depends
// on threads.
#include "joins/description_join.hpp"

#include <algorithm>
#include <cstring>

#include "detectors/description_rows.hpp"
#include "detectors/mwo_terms.hpp"
#include "method/detector.hpp"
#include "mwo/mwo_index.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::detectors {
namespace {

void sort_by_document(Vector<JoinMatch>& matches) {
  std::sort(matches.begin(), matches.end(),
            [](const JoinMatch& a, const JoinMatch& b) { return a.document < b.document; });
}

class SpotsJoin final : public DescriptionJoin {
 public:
  SpotsJoin(uint32_t threshold, uint64_t secret) : join_(secret, threshold) {}

  void add(Description description) override {
    read_row(description, spots_);
    join_.add(spots_);
  }
  void index() override { join_.index(); }
  void find(Description description, uint32_t before, JoinScratch& scratch,
            Vector<JoinMatch>& out) const override {
    search(row_of<spotsigs::PackedSpot>(description), before, scratch, out);
  }
  void find_earlier(uint32_t document, JoinScratch& scratch, Vector<JoinMatch>& out) const override {
    search(join_.spots_of(document), document, scratch, out);
  }
  uint32_t size() const noexcept override { return join_.size(); }
  uint64_t content_bytes() const noexcept override { return join_.content_bytes(); }

 private:
  void search(spotsigs::PackedSpots spots, uint32_t before, JoinScratch& scratch,
              Vector<JoinMatch>& out) const {
    join_.find(spots, before, scratch.spots, scratch.spot_matches);
    out.clear();
    for (const spotsigs::SpotJoinMatch& match : scratch.spot_matches)
      out.push_back({match.document,
                     static_cast<double>(match.overlap.shared) / static_cast<double>(match.overlap.united)});
  }

  spotsigs::SpotJoin join_;
  Vector<spotsigs::PackedSpot> spots_;  // of the document that is being added
};

// Finds every pair twice, once from each page: the index has no order that would make one search enough.
class MwoJoin final : public DescriptionJoin {
 public:
  MwoJoin(uint32_t threshold, uint64_t secret) : index_(secret, parameters_of(threshold)) {}

  void add(Description description) override {
    const Vector<mwo::Term> terms = mwo_terms_of(description);
    terms_.resize(begins_.back());  // drops what an addition left behind that ran out of memory
    terms_.insert(terms_.end(), terms.begin(), terms.end());
    begins_.push_back(terms_.size());
    try {
      index_.insert(size() - 1, terms);
    } catch (...) {
      begins_.pop_back();
      throw;
    }
  }
  // Orders the terms by their frequencies in the whole collection.
  void index() override { index_.start_epoch(); }
  void find(Description description, uint32_t before, JoinScratch& scratch,
            Vector<JoinMatch>& out) const override {
    search(mwo_terms_of(description), before, scratch, out);
  }
  void find_earlier(uint32_t document, JoinScratch& scratch, Vector<JoinMatch>& out) const override {
    const std::span<const mwo::Term> all = terms_;
    search(all.subspan(begins_[document], begins_[document + 1] - begins_[document]), document, scratch, out);
  }
  uint32_t size() const noexcept override { return static_cast<uint32_t>(begins_.size() - 1); }
  uint64_t content_bytes() const noexcept override {
    return index_.content_bytes() + terms_.size() * sizeof(mwo::Term);
  }

 private:
  static mwo::MwoParameters parameters_of(uint32_t threshold) noexcept {
    mwo::MwoParameters parameters;
    parameters.threshold = threshold;
    parameters.postings = parameters.steps = 0;
    parameters.matches = 0;
    return parameters;
  }
  void search(mwo::ShareVector terms, uint32_t before, JoinScratch& scratch, Vector<JoinMatch>& out) const {
    out.clear();
    for (const mwo::MwoMatch& match : index_.find(terms, scratch.mwo).matches) {
      if (match.id < before) out.push_back({static_cast<uint32_t>(match.id), mwo_score(match.overlap)});
    }
    sort_by_document(out);
  }

  mwo::MwoIndex index_;
  Vector<mwo::Term> terms_;   // of all documents, consecutively
  Vector<size_t> begins_{0};  // by document; the last is the end
};

// Finds every pair twice, as MwoJoin.
template <typename Hash>
class SimhashJoin final : public DescriptionJoin {
 public:
  SimhashJoin(uint32_t threshold, uint64_t secret) : index_(secret, parameters_of(threshold)) {}

  void add(Description description) override {
    Entry entry;
    entry.is_empty = description.empty();
    if (!entry.is_empty) entry.hash = hash_of(description);
    entries_.push_back(entry);
    if (entry.is_empty) return;
    try {
      index_.insert(size() - 1, entry.hash);
    } catch (...) {
      entries_.pop_back();
      throw;
    }
  }
  void index() override {}
  void find(Description description, uint32_t before, JoinScratch& scratch,
            Vector<JoinMatch>& out) const override {
    out.clear();
    if (!description.empty()) search(hash_of(description), before, scratch, out);
  }
  void find_earlier(uint32_t document, JoinScratch& scratch, Vector<JoinMatch>& out) const override {
    out.clear();
    if (!entries_[document].is_empty) search(entries_[document].hash, document, scratch, out);
  }
  uint32_t size() const noexcept override { return static_cast<uint32_t>(entries_.size()); }
  uint64_t content_bytes() const noexcept override {
    return index_.content_bytes() + entries_.size() * sizeof(Entry);
  }

 private:
  static constexpr uint32_t kBits = sizeof(Hash) * 8;
  struct Entry {
    Hash hash{};
    bool is_empty = true;
  };

  // The greatest distance of a pair that scores the threshold; a pair whose bits all differ scores 0 and is
  // no match.
  static uint32_t greatest_distance(uint32_t threshold) noexcept {
    return std::min(kBits - 1, kBits * (kJoinThresholdUnit - threshold) / kJoinThresholdUnit);
  }
  static moz::HammingParameters parameters_of(uint32_t threshold) noexcept {
    moz::HammingParameters parameters;
    parameters.distance = greatest_distance(threshold);
    parameters.matches = 0;
    return parameters;
  }
  static Hash hash_of(Description description) noexcept {
    Hash hash;
    std::memcpy(&hash, description.data(), sizeof hash);
    return hash;
  }
  void search(const Hash& hash, uint32_t before, JoinScratch& scratch, Vector<JoinMatch>& out) const {
    // The index returns only matches up to the distance that it was made with.
    for (const moz::HammingMatch& match : index_.find(hash, kBits, scratch.hamming).matches) {
      if (match.id < before)
        out.push_back({static_cast<uint32_t>(match.id), 1 - static_cast<double>(match.distance) / kBits});
    }
    sort_by_document(out);
  }

  moz::HammingIndex<Hash> index_;
  Vector<Entry> entries_;  // by document
};

// Of the other methods: scores every pair, without the document frequencies of an epoch.
class ScoredJoin final : public DescriptionJoin {
 public:
  ScoredJoin(Method method, uint32_t threshold, uint64_t secret)
      : detector_(make_detector({.method = method}, secret)),
        least_(static_cast<double>(threshold) / kJoinThresholdUnit) {}

  void add(Description description) override {
    bytes_.resize(begins_.back());  // as in MwoJoin
    bytes_.insert(bytes_.end(), description.begin(), description.end());
    begins_.push_back(bytes_.size());
  }
  void index() override {}
  void find(Description description, uint32_t before, JoinScratch&, Vector<JoinMatch>& out) const override {
    out.clear();
    for (uint32_t document = 0; document < before; ++document) {
      const double score = detector_->score(of(document), description);
      if (score > 0 && score >= least_) out.push_back({document, score});
    }
  }
  void find_earlier(uint32_t document, JoinScratch& scratch, Vector<JoinMatch>& out) const override {
    find(of(document), document, scratch, out);
  }
  uint32_t size() const noexcept override { return static_cast<uint32_t>(begins_.size() - 1); }
  uint64_t content_bytes() const noexcept override { return bytes_.size() + begins_.size() * sizeof(size_t); }

 private:
  Description of(uint32_t document) const noexcept {
    return Description(bytes_).subspan(begins_[document], begins_[document + 1] - begins_[document]);
  }

  Owned<Detector> detector_;
  double least_;
  Vector<uint8_t> bytes_;     // of all descriptions, consecutively
  Vector<size_t> begins_{0};  // by document; the last is the end
};

}  // namespace

Owned<DescriptionJoin> make_description_join(Method method, uint32_t threshold, uint64_t secret) {
  switch (method) {
    case Method::kSpotSigs:
      return make_owned<SpotsJoin>(threshold, secret);
    case Method::kMwo:
      return make_owned<MwoJoin>(threshold, secret);
    case Method::kSimhash64:
      return make_owned<SimhashJoin<uint64_t>>(threshold, secret);
    case Method::kSimhash128:
      return make_owned<SimhashJoin<Hash128>>(threshold, secret);
    default:
      return make_owned<ScoredJoin>(method, threshold, secret);
  }
}

}  // namespace nd::detectors

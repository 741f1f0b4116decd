// Sorts signatures into partitions of length and walks the inverted lists with the paper's pruning; the
// oracle of the joins.
#include "joins/batch_join.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {
namespace {

// Path halving. The root is always the smallest member of its set, so the result needs no renumbering.
uint32_t root(Vector<uint32_t>& parents, uint32_t document) noexcept {
  while (parents[document] != document) {
    parents[document] = parents[parents[document]];
    document = parents[document];
  }
  return document;
}

}  // namespace

Vector<uint32_t> pair_groups(size_t documents, std::span<const SimilarPair> pairs) {
  Vector<uint32_t> parents(documents);
  std::iota(parents.begin(), parents.end(), 0U);
  for (const SimilarPair& pair : pairs) {
    const uint32_t a = root(parents, pair.first);
    const uint32_t b = root(parents, pair.second);
    parents[std::max(a, b)] = std::min(a, b);
  }
  for (uint32_t document = 0; document < documents; ++document)
    parents[document] = root(parents, document);
  return parents;
}

uint64_t next_bound(uint64_t bound, uint32_t tau) noexcept {
  // p' - p > (1 - tau) p' is equivalent to tau p' > p.
  const Wide next = Wide{bound} * kThresholdUnit / tau + 1;
  return next > UINT64_MAX ? UINT64_MAX : static_cast<uint64_t>(next);
}

Partitions::Partitions(uint32_t tau, uint64_t greatest_length) {
  if (tau == kThresholdUnit) return;
  for (uint64_t bound = 1; bound <= greatest_length && bound != UINT64_MAX; bound = next_bound(bound, tau))
    bounds_.push_back(bound);
}

uint64_t Partitions::of(uint64_t length) const noexcept {
  if (bounds_.empty()) return length - 1;
  const auto above = std::upper_bound(bounds_.begin(), bounds_.end(), length);
  return static_cast<uint64_t>(above - bounds_.begin()) - 1;
}

namespace {

struct JoinSpot {
  uint32_t signature;  // numbered in ascending order of the hash
  uint32_t count;
};

// A partition that has documents: its number and its places.
struct Run {
  uint64_t number;
  uint32_t begin;
  uint32_t end;
};

// The collection in the order of the join. A place is a document's number in it.
struct Collection {
  Vector<uint32_t> inputs;     // by place: the document's position in the input
  Vector<uint64_t> lengths;    // by place, ascending
  Vector<size_t> spot_begins;  // by place; the last is the end
  Vector<JoinSpot> spots;      // of each document, by ascending document frequency
  Vector<Run> partitions;
  uint32_t signatures = 0;

  std::span<const JoinSpot> spots_of(uint32_t place) const {
    return std::span(spots).subspan(spot_begins[place], spot_begins[place + 1] - spot_begins[place]);
  }
};

// Numbers the signatures and sorts each document's by their frequency.
void take_spots(std::span<const SpotVector> documents, Collection& out) {
  Vector<uint64_t> hashes;
  for (const uint32_t input : out.inputs) {
    for (const Spot& spot : documents[input])
      hashes.push_back(spot.hash);
  }
  std::sort(hashes.begin(), hashes.end());
  Vector<uint32_t> frequencies;
  size_t kept = 0;
  for (size_t i = 0; i < hashes.size(); ++i) {
    if (kept == 0 || hashes[i] != hashes[kept - 1]) {
      hashes[kept++] = hashes[i];
      frequencies.push_back(0);
    }
    ++frequencies.back();
  }
  hashes.resize(kept);
  out.signatures = static_cast<uint32_t>(kept);
  out.spot_begins.push_back(0);
  for (const uint32_t input : out.inputs) {
    auto at = hashes.begin();
    for (const Spot& spot : documents[input]) {
      at = std::lower_bound(at, hashes.end(), spot.hash);
      out.spots.push_back({static_cast<uint32_t>(at - hashes.begin()), spot.count});
    }
    const auto begin = out.spots.begin() + static_cast<std::ptrdiff_t>(out.spot_begins.back());
    std::sort(begin, out.spots.end(), [&](const JoinSpot& a, const JoinSpot& b) {
      const uint32_t left = frequencies[a.signature];
      const uint32_t right = frequencies[b.signature];
      return left != right ? left < right : a.signature < b.signature;
    });
    out.spot_begins.push_back(out.spots.size());
  }
}

Vector<Run> runs(const Vector<uint64_t>& lengths, const JoinOptions& options) {
  Vector<Run> found;
  if (lengths.empty()) return found;
  const auto count = static_cast<uint32_t>(lengths.size());
  if (!options.use_partitions) {
    found.push_back({0, 0, count});
    return found;
  }
  const Partitions partitions(options.tau, lengths.back());
  for (uint32_t place = 0; place < count; ++place) {
    const uint64_t number = partitions.of(lengths[place]);
    if (found.empty() || found.back().number != number) found.push_back({number, place, place});
    found.back().end = place + 1;
  }
  return found;
}

Collection collect(std::span<const SpotVector> documents, const JoinOptions& options) {
  Collection collection;
  Vector<uint64_t> lengths(documents.size());
  for (uint32_t i = 0; i < documents.size(); ++i) {
    lengths[i] = length(documents[i]);
    if (lengths[i] > 0) collection.inputs.push_back(i);
  }
  std::sort(collection.inputs.begin(), collection.inputs.end(), [&](uint32_t a, uint32_t b) {
    return lengths[a] != lengths[b] ? lengths[a] < lengths[b] : a < b;
  });
  for (const uint32_t input : collection.inputs)
    collection.lengths.push_back(lengths[input]);
  collection.partitions = runs(collection.lengths, options);
  take_spots(documents, collection);
  return collection;
}

// The inverted lists of one partition, the longest document first.
class InvertedIndex {
 public:
  explicit InvertedIndex(uint32_t signatures) : begins_(signatures), ends_(signatures) {}

  void build(const Collection& collection, Run run) {
    for (const uint32_t signature : present_)
      begins_[signature] = ends_[signature] = 0;
    present_.clear();
    const auto each_spot = [&](auto&& visit) {
      for (uint32_t place = run.end; place-- > run.begin;) {
        for (const JoinSpot& spot : collection.spots_of(place))
          visit(spot.signature, place);
      }
    };
    each_spot([&](uint32_t signature, uint32_t) {
      if (ends_[signature]++ == 0) present_.push_back(signature);
    });
    size_t total = 0;
    for (const uint32_t signature : present_) {
      begins_[signature] = total;
      total += ends_[signature];
      ends_[signature] = begins_[signature];
    }
    postings_.resize(total);
    each_spot([&](uint32_t signature, uint32_t place) { postings_[ends_[signature]++] = place; });
  }
  std::span<const uint32_t> list(uint32_t signature) const {
    return std::span(postings_).subspan(begins_[signature], ends_[signature] - begins_[signature]);
  }

 private:
  Vector<size_t> begins_, ends_;  // by signature
  Vector<uint32_t> present_;      // the signatures that have a list
  Vector<uint32_t> postings_;
};

class Join {
 public:
  Join(std::span<const SpotVector> documents, const JoinOptions& options)
      : documents_(documents),
        options_(options),
        collection_(collect(documents, options)),
        met_by_(collection_.inputs.size(), UINT32_MAX) {}

  JoinResult run() {
    InvertedIndex own(collection_.signatures), right(collection_.signatures);
    const Vector<Run>& partitions = collection_.partitions;
    for (size_t i = 0; i < partitions.size(); ++i) {
      const bool has_right =
          i + 1 < partitions.size() && partitions[i + 1].number == partitions[i].number + 1;
      if (i == 0 || partitions[i].number != partitions[i - 1].number + 1)
        own.build(collection_, partitions[i]);
      if (has_right) right.build(collection_, partitions[i + 1]);
      for (uint32_t place = partitions[i].begin; place < partitions[i].end; ++place) {
        search(place, own);
        if (has_right) search(place, right);
      }
      std::swap(own, right);
    }
    result_.counts.documents = collection_.inputs.size();
    result_.counts.partitions = partitions.size();
    result_.counts.pairs = result_.pairs.size();
    std::sort(result_.pairs.begin(), result_.pairs.end(), [](const SimilarPair& a, const SimilarPair& b) {
      return a.first != b.first ? a.first < b.first : a.second < b.second;
    });
    return std::move(result_);
  }

 private:
  // A document that lacks signatures of mass `missing` cannot reach tau with one of length `other` or more.
  bool out_of_reach(uint32_t place, uint64_t missing, uint64_t other) const {
    return Wide{collection_.lengths[place] - missing} * kThresholdUnit < Wide{other} * options_.tau;
  }

  void search(uint32_t place, const InvertedIndex& index) {
    uint64_t missing = 0;  // delta1
    const std::span<const JoinSpot> spots = collection_.spots_of(place);
    for (size_t i = 0; i < spots.size(); ++i) {
      if (options_.use_pruning && out_of_reach(place, missing, collection_.lengths[place])) {
        result_.counts.lists_stopped += spots.size() - i;
        return;
      }
      for (const uint32_t other : index.list(spots[i].signature)) {
        if (other <= place) break;  // the others were compared with this document in their own turn
        ++result_.counts.postings_touched;
        if (options_.use_pruning && out_of_reach(place, missing, collection_.lengths[other])) {
          ++result_.counts.postings_skipped;
        } else if (met_by_[other] != place) {
          met_by_[other] = place;
          compare(place, other);
        }
      }
      missing += spots[i].count;
    }
  }

  void compare(uint32_t place, uint32_t other) {
    ++result_.counts.computations;
    const uint32_t a = collection_.inputs[place];
    const uint32_t b = collection_.inputs[other];
    const Overlap both = overlap(documents_[a], documents_[b]);
    if (similar(both, options_.tau)) result_.pairs.push_back({std::min(a, b), std::max(a, b), both});
  }

  std::span<const SpotVector> documents_;
  JoinOptions options_;
  Collection collection_;
  Vector<uint32_t> met_by_;  // by place: the last document that was compared with it
  JoinResult result_;
};

}  // namespace

JoinResult batch_join(std::span<const SpotVector> documents, const JoinOptions& options) {
  return Join(documents, options).run();
}

uint32_t SpotDetector::add(SpotVector spots) {
  documents_.emplace_back(spots.begin(), spots.end());
  try {
    frequencies_.add(spots);
  } catch (...) {
    documents_.pop_back();
    throw;
  }
  return static_cast<uint32_t>(documents_.size() - 1);
}

SpotDetection SpotDetector::detect() const {
  const Epoch epoch = frequencies_.freeze(band_);
  Vector<Vector<Spot>> filtered(documents_.size());
  Vector<SpotVector> views;
  views.reserve(documents_.size());
  for (size_t i = 0; i < documents_.size(); ++i) {
    epoch.filter(documents_[i], filtered[i]);
    views.emplace_back(filtered[i]);
  }
  JoinResult joined = batch_join(views, options_);
  Vector<uint32_t> groups = pair_groups(documents_.size(), joined.pairs);
  return {std::move(joined.pairs), std::move(groups), joined.counts};
}

}  // namespace nd::spotsigs

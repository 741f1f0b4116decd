// Indexes the documents, then searches each one's partners and stops a comparison once tau is out of reach.
#include "joins/spot_join.hpp"

#include <algorithm>
#include <numeric>

#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {
namespace {

// The size of a document in the tables and lists; of a signature of a document: itself, its posting, and its
// part of the table of lists (most signatures are in few documents).
constexpr uint64_t kJoinDocumentBytes = 8 + 4 + 8;
constexpr uint64_t kJoinSignatureBytes = 8 + 4 + 32;

// Stops when tau is out of reach; the fraction is then below tau whatever follows.
Overlap overlap_within(PackedSpots a, PackedSpots b, uint64_t length_a, uint64_t tau) noexcept {
  const uint64_t margin = length_a * (kThresholdUnit - tau);
  uint64_t a_lacked = 0;  // of a, not in b
  uint64_t b_lacked = 0;
  const auto is_open = [&] { return a_lacked * kThresholdUnit + b_lacked * tau <= margin; };
  size_t i = 0;
  size_t k = 0;
  while (i < a.size() && k < b.size() && is_open()) {
    const Spot left = spot_of(a[i]);
    const Spot right = spot_of(b[k]);
    // No branch on which of the two comes first: it would be mispredicted half of the time.
    const uint64_t takes_a = left.hash <= right.hash;
    const uint64_t takes_b = right.hash <= left.hash;
    i += takes_a;
    k += takes_b;
    const uint64_t count_a = left.count * takes_a;
    const uint64_t count_b = right.count * takes_b;
    const uint64_t shared = std::min(count_a, count_b);
    a_lacked += count_a - shared;
    b_lacked += count_b - shared;
  }
  for (; i < a.size() && is_open(); ++i)
    a_lacked += spot_of(a[i]).count;
  for (; k < b.size() && is_open(); ++k)
    b_lacked += spot_of(b[k]).count;
  return {length_a - a_lacked, length_a + b_lacked};
}

}  // namespace

void SpotJoin::add(PackedSpots spots) {
  spots_.resize(begins_.back());  // drops what an addition left behind that ran out of memory
  spots_.insert(spots_.end(), spots.begin(), spots.end());
  begins_.push_back(spots_.size());
}

uint64_t SpotJoin::content_bytes() const noexcept {
  return size() * kJoinDocumentBytes + spots_.size() * kJoinSignatureBytes;
}

void SpotJoin::index() {
  documents_.resize(size());
  std::iota(documents_.begin(), documents_.end(), 0U);
  Vector<uint64_t> lengths(size());
  for (uint32_t document = 0; document < size(); ++document)
    lengths[document] = length(spots_of(document));
  std::sort(documents_.begin(), documents_.end(), [&](uint32_t a, uint32_t b) {
    return lengths[a] != lengths[b] ? lengths[a] < lengths[b] : a < b;
  });
  lengths_.resize(size());
  for (size_t place = 0; place < lengths_.size(); ++place)
    lengths_[place] = lengths[documents_[place]];

  // Lists are numbered in the order in which their signatures are first met. First their sizes, then their
  // places.
  HashMap<uint64_t> lists(secret_);
  list_begins_.assign(1, 0);
  for (const PackedSpot spot : spots_) {
    const uint64_t hash = spot_of(spot).hash;
    uint64_t list = lists.find(hash);
    if (list == 0) {
      list = list_begins_.size();
      lists.put(hash, list);
      list_begins_.push_back(0);
    }
    ++list_begins_[list];
  }
  std::partial_sum(list_begins_.begin(), list_begins_.end(), list_begins_.begin());
  places_.resize(spots_.size());
  Vector<size_t> next(list_begins_.begin(), list_begins_.end() - 1);
  for (uint32_t place = 0; place < documents_.size(); ++place) {
    for (const PackedSpot spot : spots_of(documents_[place]))
      places_[next[lists.find(spot_of(spot).hash) - 1]++] = place;
  }
  lists_.swap(lists);
}

class SpotJoin::Search {
 public:
  Search(const SpotJoin& join, PackedSpots spots, uint32_t before, SpotJoinScratch& scratch,
         Vector<SpotJoinMatch>& out)
      : join_(join), spots_(spots), length_(length(spots)), before_(before), scratch_(scratch), out_(out) {}

  void run() {
    out_.clear();
    take_signatures();
    start();
    const uint32_t first = place_from(least_length(length_, join_.tau_));
    uint64_t left = length_;  // the most that a document first met from here on can share
    for (const SpotJoinScratch::Signature& signature : scratch_.signatures) {
      const uint32_t end = end_in_reach(left);
      if (first >= end) break;  // and so for all that follow, with even less left
      visit(signature.places, first, end);
      left -= signature.count;
    }
    std::sort(out_.begin(), out_.end(),
              [](const SpotJoinMatch& a, const SpotJoinMatch& b) { return a.document < b.document; });
  }

 private:
  // Subtracts signatures that no document has, since all other documents lack them.
  void take_signatures() {
    scratch_.signatures.clear();
    for (const PackedSpot packed : spots_) {
      const Spot spot = spot_of(packed);
      std::span<const uint32_t> places;
      if (const uint64_t list = join_.lists_.find(spot.hash); list != 0) {
        places = std::span(join_.places_)
                     .subspan(join_.list_begins_[list - 1],
                              join_.list_begins_[list] - join_.list_begins_[list - 1]);
      }
      scratch_.signatures.push_back({places, spot.count, spot.hash});
    }
    std::sort(scratch_.signatures.begin(), scratch_.signatures.end(),
              [](const SpotJoinScratch::Signature& a, const SpotJoinScratch::Signature& b) {
                return a.places.size() != b.places.size() ? a.places.size() < b.places.size()
                                                          : a.hash < b.hash;
              });
  }

  void start() {
    if (scratch_.met.size() < join_.size() || scratch_.search == UINT32_MAX) {
      scratch_.met.assign(join_.size(), 0);
      scratch_.search = 0;
    }
    ++scratch_.search;
  }

  // The first place of a document of at least this length.
  uint32_t place_from(uint64_t least) const noexcept {
    const auto at = std::lower_bound(join_.lengths_.begin(), join_.lengths_.end(), least);
    return static_cast<uint32_t>(at - join_.lengths_.begin());
  }

  // A document that shares at most `left` reaches tau only with left >= tau (|di| + |dj| - left).
  uint32_t end_in_reach(uint64_t left) const noexcept {
    if (join_.tau_ == 0) return join_.size();
    const Wide together = Wide{left} * (kThresholdUnit + join_.tau_) / join_.tau_;
    if (together < length_) return 0;
    const Wide longest = together - length_;
    return longest >= UINT64_MAX ? join_.size() : place_from(static_cast<uint64_t>(longest) + 1);
  }

  void visit(std::span<const uint32_t> places, uint32_t first, uint32_t end) {
    for (auto at = std::lower_bound(places.begin(), places.end(), first); at != places.end() && *at < end;
         ++at) {
      ++scratch_.work.postings;
      const uint32_t document = join_.documents_[*at];
      if (document >= before_ || scratch_.met[*at] == scratch_.search) continue;
      scratch_.met[*at] = scratch_.search;
      ++scratch_.work.computations;
      const Overlap both = overlap_within(spots_, join_.spots_of(document), length_, join_.tau_);
      if (similar(both, join_.tau_)) out_.push_back({document, both});
    }
  }

  const SpotJoin& join_;
  const PackedSpots spots_;
  const uint64_t length_;
  const uint32_t before_;
  SpotJoinScratch& scratch_;
  Vector<SpotJoinMatch>& out_;
};

void SpotJoin::find(PackedSpots spots, uint32_t before, SpotJoinScratch& scratch,
                    Vector<SpotJoinMatch>& out) const {
  Search(*this, spots, before, scratch, out).run();
}

}  // namespace nd::spotsigs

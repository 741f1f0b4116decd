// The incremental index of spot signatures beside brute force over all its documents: whatever is inserted,
// driven out, removed, left out by an epoch or carried through snapshots, both find the same.
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "core/hash.hpp"
#include "fuzz/expectation.hpp"
#include "fuzz/input_reader.hpp"
#include "unit/spotsigs/spot_index_sample.hpp"
#include "unit/spotsigs/spot_sample.hpp"

namespace nd::spotsigs {
namespace {

using fuzz::expect;
using fuzz::InputReader;
using Matches = std::vector<oracle::SpotIndexOracle::Match>;
using Counts = std::map<uint64_t, uint32_t>;

// An input takes some hundredths of a second at most.
constexpr int kCallsLimit = 300;
constexpr size_t kDocumentsLimit = 120;

uint64_t hash_of(uint64_t number) {
  constexpr uint64_t kGreatest = (uint64_t{1} << kSpotHashBits) - 1;
  return number == 0 ? 0 : number == 1 ? kGreatest : mix(number) >> (64 - kSpotHashBits);
}

Counts read_document(InputReader& input) {
  Counts counts;
  const uint64_t size = input.take_number(0, 31);
  if (size == 31) {
    // As long as the lengths that lists no longer tell apart.
    const uint64_t first = input.take_byte();
    const uint64_t count = 200 + input.take_number(0, 127);
    const auto times = static_cast<uint32_t>(input.take_number(1, 255));
    for (uint64_t number = first; number < first + count; ++number)
      counts[hash_of(number)] = times;
    return counts;
  }
  for (uint64_t i = 0; i < size; ++i) {
    const uint8_t number = input.take_byte();
    // Mostly once, as in texts.
    const uint8_t times = number % 4 == 3 ? input.take_byte() : 1;
    counts[hash_of(number)] += times == 0 ? 1U : times;
  }
  return counts;
}

void change_document(InputReader& input, Counts& counts) {
  for (uint64_t left = input.take_number(0, 7); left > 0; --left) {
    const uint64_t hash = hash_of(input.take_byte());
    if (counts.erase(hash) == 0) counts[hash] = 1;
  }
}

SpotIndexParameters read_parameters(InputReader& input) {
  SpotIndexParameters parameters;
  parameters.tau = static_cast<uint32_t>(input.take_number(1, 1000));
  const IdfBand bands[] = {{0, 1000}, {200, 1000}, kGoldSetBand, kWebBand, {900, 1000}, {0, 500}};
  parameters.band = bands[input.take_number(0, std::size(bands) - 1)];
  parameters.frequent_documents = input.take_number(1, 9);
  parameters.epoch_documents = input.take_number(1, 20);
  const uint8_t limits = input.take_byte();
  parameters.bytes = (limits & 1) != 0 ? input.take_number(1, 20000) : 0;
  parameters.postings = (limits & 2) != 0 ? input.take_number(1, 40) : 0;
  parameters.candidates = (limits & 4) != 0 ? static_cast<uint32_t>(input.take_number(1, 5)) : 0;
  parameters.steps = (limits & 8) != 0 ? input.take_number(1, 1000) : 0;
  return parameters;
}

// What content_bytes() charges for documents and for their signatures.
struct ContentBytes {
  uint64_t document;
  uint64_t signature;

  ContentBytes() {
    SpotIndex index(1, {});
    index.insert(1, sample::packed({{1, 1}}));
    const uint64_t one = index.content_bytes();
    index.insert(2, sample::packed({{1, 1}, {2, 1}}));
    signature = index.content_bytes() - 2 * one;
    document = one - signature;
  }
};

class Comparison {
 public:
  Comparison(uint64_t seed, const SpotIndexParameters& parameters)
      : parameters_(parameters),
        index_(seed, parameters),
        oracle_(parameters.tau, parameters.band, parameters.frequent_documents) {}

  bool is_full() const { return documents_.size() >= kDocumentsLimit; }

  // One of those inserted before, or none.
  Counts earlier(InputReader& input) const {
    const uint8_t number = input.take_byte();
    if (documents_.empty()) return {};
    return std::next(documents_.begin(), static_cast<std::ptrdiff_t>(number % documents_.size()))->second;
  }

  void insert(uint64_t id, const Counts& counts) {
    const Vector<PackedSpot> spots = sample::packed(counts);
    const uint64_t its_bytes = bytes_of(1, spots.size());
    const bool fits = parameters_.bytes == 0 || its_bytes <= parameters_.bytes / 8;
    const bool taken = fits && !spots.empty() && !documents_.contains(id);
    const SpotIndex::Inserted inserted = index_->insert(id, spots);
    expect(inserted.indexed == taken, "a document was wrongly taken or refused");
    if (!taken) {
      ++refused_;
      expect(inserted.evicted == 0, "a refused document drove others out");
      return;
    }
    uint64_t evicted = 0;
    while (parameters_.bytes != 0 && content_bytes() + its_bytes > parameters_.bytes) {
      forget(oracle_.order().front());
      ++evicted;
    }
    expect(inserted.evicted == evicted, "another number of documents was driven out");
    evicted_ += evicted;
    documents_[id] = counts;
    signature_count_ += counts.size();
    ++inserted_since_epoch_;
    oracle_.insert(id, spots);
  }

  void remove(uint64_t id, bool prepared) {
    const bool known = documents_.contains(id);
    expect(index_->contains(id) == known, "a document is known, or not, wrongly");
    if (prepared) index_->prepare_removal(id);
    expect(index_->remove(id) == known, "a document was removed, or not, wrongly");
    if (known) forget(id);
  }

  void probe(const Counts& counts) {
    const Vector<PackedSpot> spots = sample::packed(counts);
    const SpotMatches answer = index_->probe(spots, scratch_);
    const Matches found = sample::matches_of(answer);
    Matches expected = oracle_.probe(spots);
    check_work(answer, spots.size());
    if (answer.limited) {
      expect(parameters_.postings != 0 || parameters_.steps != 0, "a search without limits was cut");
      expect_among(found, expected);
      return;
    }
    const size_t limit = parameters_.candidates == 0 ? SIZE_MAX : parameters_.candidates;
    expect(answer.more == (expected.size() > limit),
           "what the limit of candidates left out is reported wrongly");
    if (expected.size() > limit) expected.resize(limit);
    expect(found == expected, "the index finds other documents than brute force");
  }

  void start_epoch() {
    index_->start_epoch();
    oracle_.start_epoch();
    ++epoch_;
    epoch_documents_ = documents_.size();
    inserted_since_epoch_ = 0;
  }
  void step() { expect(index_.step(), "a snapshot did not do as it should"); }
  void reopen() { expect(index_.reopen(), "the index could not be opened again"); }

  void check_counts() {
    const SpotIndexCounts counts = index_->counts();
    expect(counts.documents == documents_.size(), "the number of documents is wrong");
    expect(counts.evicted == evicted_ && counts.refused == refused_, "a count of events is wrong");
    expect(counts.dropped == oracle_.dropped(), "the epoch leaves other signatures out");
    expect(counts.epoch == epoch_ && counts.epoch_documents == epoch_documents_,
           "the epoch is reported wrongly");
    expect(index_->content_bytes() == content_bytes(), "the content has another size");
    const uint64_t due = std::max(parameters_.epoch_documents, epoch_documents_);
    expect(index_->epoch_due() == (inserted_since_epoch_ >= due), "the next epoch is due at another time");
  }
  // Takes too long to be checked after each call.
  void check_signatures() {
    Counts all;
    for (const auto& [id, counts] : documents_) {
      for (const auto& [hash, count] : counts)
        ++all[hash];
    }
    expect(index_->counts().signatures == all.size(), "the number of signatures is wrong");
  }

 private:
  static uint64_t bytes_of(uint64_t documents, uint64_t signatures) {
    static const ContentBytes bytes;
    return documents * bytes.document + signatures * bytes.signature;
  }
  uint64_t content_bytes() const { return bytes_of(documents_.size(), signature_count_); }

  void forget(uint64_t id) {
    const auto found = documents_.find(id);
    signature_count_ -= found->second.size();
    documents_.erase(found);
    oracle_.remove(id);
  }

  void check_work(const SpotMatches& answer, size_t asked) const {
    expect(answer.work.touched >= answer.work.computed && answer.work.computed >= answer.matches.size(),
           "the work is reported wrongly");
    const uint64_t postings = parameters_.postings;
    expect(postings == 0 || (answer.work.touched <= postings && answer.work.skipped <= 64 * postings),
           "a search looked at more lists than it may");
    size_t longest = 0;
    for (const auto& [id, counts] : documents_)
      longest = std::max(longest, counts.size());
    expect(parameters_.steps == 0 || answer.work.steps < parameters_.steps + asked + longest,
           "a search read more signatures than it may");
  }

  // The order of both, and the numbers, are the same.
  static void expect_among(const Matches& found, const Matches& expected) {
    auto from = expected.begin();
    for (const auto& match : found) {
      from = std::find(from, expected.end(), match);
      expect(from != expected.end(), "a search that was cut found what is not there");
      ++from;
    }
  }

  SpotIndexParameters parameters_;
  sample::StoredSpotIndex index_;
  oracle::SpotIndexOracle oracle_;
  SpotProbeScratch scratch_{1};
  std::map<uint64_t, Counts> documents_;
  uint64_t signature_count_ = 0;
  uint64_t evicted_ = 0, refused_ = 0, epoch_ = 0, epoch_documents_ = 0, inserted_since_epoch_ = 0;
};

uint64_t read_id(InputReader& input) {
  const uint8_t number = input.take_byte();
  return number == 255 ? UINT64_MAX : number;
}

void make_call(InputReader& input, Comparison& comparison) {
  const uint8_t call = input.take_byte() % 16;
  switch (call) {
    case 0:
    case 1:
    case 2: {
      const uint64_t id = read_id(input);
      const Counts counts = read_document(input);
      if (!comparison.is_full()) comparison.insert(id, counts);
      break;
    }
    case 3:
    case 4:
    case 5: {
      const uint64_t id = read_id(input);
      Counts counts = comparison.earlier(input);
      change_document(input, counts);
      if (!comparison.is_full()) comparison.insert(id, counts);
      break;
    }
    case 6:
    case 7:
      comparison.remove(read_id(input), call == 7);
      break;
    case 8:
    case 9:
      comparison.probe(read_document(input));
      break;
    case 10:
    case 11:
    case 12: {
      Counts counts = comparison.earlier(input);
      change_document(input, counts);
      comparison.probe(counts);
      break;
    }
    case 13:
      comparison.start_epoch();
      break;
    case 14:
      comparison.step();
      break;
    default:
      comparison.reopen();
  }
}

}  // namespace
}  // namespace nd::spotsigs

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  nd::fuzz::InputReader input(data, size);
  const nd::spotsigs::SpotIndexParameters parameters = nd::spotsigs::read_parameters(input);
  nd::spotsigs::Comparison comparison(input.take_byte(), parameters);
  for (int calls = 0; calls < nd::spotsigs::kCallsLimit && !input.at_end(); ++calls) {
    make_call(input, comparison);
    comparison.check_counts();
  }
  comparison.check_signatures();
  return 0;
}

// Makes the one hash of a page from its words inside the band, with the frequencies of the last epoch.
#include "baselines/i_match.hpp"

#include <cmath>
#include <utility>

namespace nd::baselines {
namespace {

// N^(1 - idf). The tolerance makes exact powers exact, whatever the last bit of the library's pow().
constexpr double kRounding = 1e-14;

double frequency_at(uint64_t documents, uint32_t idf) noexcept {
  return std::pow(static_cast<double>(documents), (1000.0 - idf) / 1000.0);
}

}  // namespace

std::optional<Hash128> IMatchIndex::hash_by(const EpochFrequencies& epoch, TermVector terms) const {
  const bool all = epoch.documents() < 2;  // too few to tell words apart
  const double least = frequency_at(epoch.documents(), parameters_.high) * (1 - kRounding);
  const double greatest = frequency_at(epoch.documents(), parameters_.low) * (1 + kRounding);
  String bytes;  // little-endian, so that all machines hash the same
  for (const TermCount& term : terms) {
    const auto frequency = static_cast<double>(epoch.frequency(term.hash));
    if (!all && (frequency < least || frequency > greatest)) continue;
    for (int shift = 0; shift < 32; shift += 8)
      bytes.push_back(static_cast<char>(term.hash >> shift));
  }
  if (bytes.empty()) return std::nullopt;
  return stable_hash_128(bytes);
}

std::optional<Hash128> IMatchIndex::hash(TermVector terms) const {
  return hash_by(epoch_, terms);
}

double IMatchIndex::score(TermVector a, TermVector b) const {
  const std::optional<Hash128> hash_a = hash(a);
  return hash_a && hash_a == hash(b) ? 1 : 0;
}

bool IMatchIndex::insert(uint64_t id, TermVector terms) {
  if (terms.empty()) return records_.refuse();
  const std::optional<Hash128> found = hash(terms);
  Vector<uint64_t> keys;
  if (found) keys.push_back(found->low);
  const bool inserted =
      records_.insert(id, {{terms.begin(), terms.end()}, found ? found->high : 0}, std::move(keys));
  inserted_since_epoch_ += inserted;
  return inserted;
}

Matches IMatchIndex::find(TermVector terms) const {
  const std::optional<Hash128> asked = hash(terms);
  if (!asked) return {};
  const uint64_t key = asked->low;
  return records_.find({&key, 1}, 0,
                       [&](const Record& record) { return record.high == asked->high ? 1.0 : -1.0; });
}

void IMatchIndex::start_epoch() {
  EpochFrequencies epoch(secret_);
  records_.for_each([&](const Record& record) { epoch.count(record.terms); });
  records_.remake([&](const Record& record) {
    const std::optional<Hash128> made = hash_by(epoch, record.terms);
    Vector<uint64_t> keys;
    if (made) keys.push_back(made->low);
    return std::pair(Record{record.terms, made ? made->high : 0}, std::move(keys));
  });
  epoch_ = std::move(epoch);
  inserted_since_epoch_ = 0;
}

}  // namespace nd::baselines

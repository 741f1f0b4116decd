// Numbers the ways in which records were made; entries are only ever appended, so readers take no lock.
#include "page/record_provenances.hpp"

#include <cstring>
#include <span>

namespace nd::engine {

FeatureHeader provenance_of(const FeatureHeader& header) noexcept {
  FeatureHeader provenance{};
  provenance.magic = header.magic;
  provenance.version = header.version;
  provenance.method = header.method;
  provenance.pipeline = header.pipeline;
  provenance.key_parameters = header.key_parameters;
  provenance.description_shingle = header.description_shingle;
  provenance.spot_parameters = header.spot_parameters;
  return provenance;
}

uint8_t RecordProvenances::number_of(const FeatureHeader& header) noexcept {
  const FeatureHeader provenance = provenance_of(header);
  const auto find = [&](uint8_t from) {
    const uint8_t count = count_.load(std::memory_order_acquire);
    while (from < count && std::memcmp(&provenances_[from], &provenance, sizeof provenance) != 0)
      ++from;
    return from;
  };
  const uint8_t known = count_.load(std::memory_order_acquire);
  if (const uint8_t found = find(0); found < known) return found;
  const std::lock_guard lock(new_);
  const uint8_t count = count_.load(std::memory_order_relaxed);
  if (const uint8_t found = find(known); found < count) return found;
  if (count == kMost) return kNone;
  provenances_[count] = provenance;
  count_.store(count + 1, std::memory_order_release);
  return count;
}

void RecordProvenances::write_state(ByteWriter& out) const {
  const std::lock_guard lock(new_);
  const uint64_t count = count_.load(std::memory_order_relaxed);
  out.number(count);
  for (const FeatureHeader& provenance : std::span(provenances_).first(count))
    out.raw(&provenance, sizeof provenance);
}

bool RecordProvenances::restore(ByteReader& in) {
  const uint64_t count = in.number<uint64_t>();
  if (count > kMost) return false;
  for (FeatureHeader& provenance : std::span(provenances_).first(count)) {
    const std::span<const uint8_t> bytes = in.raw(sizeof provenance);
    if (!in.ok()) return false;
    FeatureHeader header;
    std::memcpy(&header, bytes.data(), sizeof header);
    provenance = provenance_of(header);
  }
  count_.store(static_cast<uint8_t>(count), std::memory_order_release);
  return true;
}

}  // namespace nd::engine

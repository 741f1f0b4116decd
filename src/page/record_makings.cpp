// Numbers the ways in which records were made; entries are only ever appended, so readers take no lock.
#include "page/record_makings.hpp"

#include <cstring>
#include <span>

namespace nd::engine {
namespace {

FeatureHeader making_part(const FeatureHeader& header) noexcept {
  FeatureHeader making{};
  making.magic = header.magic;
  making.version = header.version;
  making.method = header.method;
  making.pipeline = header.pipeline;
  making.key_parameters = header.key_parameters;
  making.description_shingle = header.description_shingle;
  making.spot_parameters = header.spot_parameters;
  return making;
}

}  // namespace

uint8_t RecordMakings::number_of(const FeatureHeader& header) noexcept {
  const FeatureHeader making = making_part(header);
  const auto find = [&](uint8_t from) {
    const uint8_t count = count_.load(std::memory_order_acquire);
    while (from < count && std::memcmp(&makings_[from], &making, sizeof making) != 0)
      ++from;
    return from;
  };
  const uint8_t known = count_.load(std::memory_order_acquire);
  if (const uint8_t found = find(0); found < known) return found;
  const std::lock_guard lock(new_);
  const uint8_t count = count_.load(std::memory_order_relaxed);
  if (const uint8_t found = find(known); found < count) return found;
  if (count == kMost) return kNone;
  makings_[count] = making;
  count_.store(count + 1, std::memory_order_release);
  return count;
}

void RecordMakings::write_state(ByteWriter& out) const {
  const std::lock_guard lock(new_);
  const uint64_t count = count_.load(std::memory_order_relaxed);
  out.number(count);
  for (const FeatureHeader& making : std::span(makings_).first(count))
    out.raw(&making, sizeof making);
}

bool RecordMakings::restore(ByteReader& in) {
  const uint64_t count = in.number<uint64_t>();
  if (count > kMost) return false;
  for (FeatureHeader& making : std::span(makings_).first(count)) {
    const std::span<const uint8_t> bytes = in.raw(sizeof making);
    if (!in.ok()) return false;
    FeatureHeader header;
    std::memcpy(&header, bytes.data(), sizeof header);
    making = making_part(header);
  }
  count_.store(static_cast<uint8_t>(count), std::memory_order_release);
  return true;
}

}  // namespace nd::engine

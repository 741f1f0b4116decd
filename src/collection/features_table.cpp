// Packs texts that are inserted and unpacks those that are found, in memory or in a run.
#include "collection/features_table.hpp"

#include <cstring>
#include <utility>

namespace nd::engine {

// Required by LayeredRecords, which never calls it: texts are not changed.
TextRecord TextRecord::copy(const View&) {
  return {};
}

std::optional<FeatureHeader> FeaturesTable::header_of(uint64_t text) const noexcept {
  const std::optional<TextRecord::View> found = records_.find(text);
  if (!found) return std::nullopt;
  if (found->packed != nullptr) return packer_.header_of(*found->packed);
  if (TextPacker::is_packed(found->bytes)) return packer_.header_of(found->bytes);
  FeatureHeader header;
  if (found->bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, found->bytes.data(), sizeof header);
  return header;
}

SharedFeatures FeaturesTable::find(uint64_t text) const {
  const std::optional<TextRecord::View> found = records_.find(text);
  if (!found) return nullptr;
  if (found->packed != nullptr) return make_shared<const Features>(packer_.unpack(*found->packed));
  return view(found->bytes);
}

SharedFeatures FeaturesTable::find(uint64_t text, UnpackedTexts& unpacked) const {
  const std::optional<TextRecord::View> found = records_.find(text);
  if (!found) return nullptr;
  if (found->packed != nullptr) return packer_.unpack(text, *found->packed, unpacked);
  if (TextPacker::is_packed(found->bytes)) return packer_.unpack_stored(text, found->bytes, unpacked);
  return view(found->bytes);
}

// The text of a record in a run. Null if it is damaged.
SharedFeatures FeaturesTable::view(store::Bytes bytes) const {
  if (TextPacker::is_packed(bytes)) return packer_.unpack_stored(bytes);
  Result<Features> features = Features::view(bytes, owner_);
  if (!features) return nullptr;
  return make_shared<const Features>(*std::move(features));
}

const spotsigs::SharedSpots* FeaturesTable::spots_here(uint64_t text) const noexcept {
  const std::optional<TextRecord::View> found = records_.find(text);
  return found && found->packed != nullptr ? &found->packed->spots : nullptr;
}

void FeaturesTable::insert(uint64_t text, PackedText packed) {
  records_.insert(text, TextRecord{std::move(packed), &packer_});
}

void FeaturesTable::prepare_attach(size_t run_count) {
  next_owner_ = make_shared<store::Runs>();
  next_owner_->reserve(run_count);
}

void FeaturesTable::own(const store::Runs& runs) noexcept {
  next_owner_->assign(runs.begin(), runs.end());
  owner_ = std::exchange(next_owner_, nullptr);
}

void FeaturesTable::attach(store::Runs runs, uint64_t size) noexcept {
  own(runs);
  records_.attach(std::move(runs), size);
}

void FeaturesTable::prepare_freeze() {
  records_.prepare_freeze();
  prepare_attach((owner_ == nullptr ? 0 : owner_->size()) +
                 1);  // a snapshot adds one run, merges take some away
}

void FeaturesTable::install(store::Runs runs) noexcept {
  own(runs);
  records_.install(std::move(runs));
}

}  // namespace nd::engine

// Walks manifests, journals and runs as the document describes them and writes each checksum anew.
#include "fuzz/store_checksums.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "core/hash.hpp"
#include "fuzz/expectation.hpp"

namespace nd::fuzz {
namespace {

constexpr size_t kBlockBytes = 16384;
constexpr size_t kTrailerBytes = 128;
constexpr size_t kJournalHeadBytes = 64;
constexpr size_t kRecordHeadBytes = 32;
constexpr size_t kFeaturesHeadBytes = 152;
constexpr std::string_view kFeaturesMagic = "NDF1";

template <typename T>
T number_at(const std::string& content, size_t place) {
  T number = 0;
  std::memcpy(&number, content.data() + place, sizeof number);
  return number;
}

void put(std::string& content, size_t place, uint64_t number) {
  std::memcpy(content.data() + place, &number, sizeof number);
}

uint64_t hash_of(const std::string& content, size_t begin, size_t end) {
  return stable_hash(std::string_view(content).substr(begin, end - begin));
}

size_t padded(size_t size) {
  return (size + 7) / 8 * 8;
}

// A features record in [begin, end) of a file.
void repair_features(std::string& content, size_t begin, size_t end) {
  if (end - begin < kFeaturesHeadBytes || content.compare(begin, kFeaturesMagic.size(), kFeaturesMagic) != 0)
    return;
  const auto method = number_at<uint16_t>(content, begin + 6);
  put(content, begin + 8,
      stable_hash(std::string_view(content).substr(begin + 16, end - begin - 16), method));
}

void repair_values(std::string& content, size_t end) {
  for (size_t place = 16; place + 8 <= end;) {
    const size_t size = number_at<uint32_t>(content, place);
    if (size > end - place - 8) return;
    repair_features(content, place + 8, place + 8 + size);
    place += padded(8 + size);
  }
}

void repair_run(std::string& content, bool features) {
  if (content.size() < kTrailerBytes) return;
  const size_t trailer = content.size() - kTrailerBytes;
  put(content, trailer + 16, content.size());
  const auto entries = number_at<uint64_t>(content, trailer + 56);
  if (features && entries <= trailer) repair_values(content, entries);
  const auto checksums = number_at<uint64_t>(content, trailer + 72);
  if (checksums <= trailer) {
    size_t place = checksums;
    for (size_t block = 0; block < checksums && place + 8 <= trailer; block += kBlockBytes, place += 8)
      put(content, place, hash_of(content, block, std::min<size_t>(block + kBlockBytes, checksums)));
    put(content, trailer + 112, hash_of(content, checksums, trailer));
  }
  put(content, trailer + 120, hash_of(content, trailer, trailer + 120));
}

// Goes along a manifest, whose parts begin where those before them end.
class ManifestWalk {
 public:
  ManifestWalk(std::string& content, const StoreFiles& files) : content_(content), files_(files) {}

  void repair_runs() {
    if (!take(72)) return;
    const auto options = number_at<uint32_t>(content_, 64);
    const auto tables = number_at<uint32_t>(content_, 68);
    for (uint32_t i = 0; i < options; ++i) {
      if (!take_text()) return;
    }
    for (uint32_t i = 0; i < tables; ++i) {
      const size_t table = place_;
      if (!take(16)) return;
      for (auto runs = number_at<uint32_t>(content_, table + 4); runs > 0; --runs) {
        if (!repair_run_of_table()) return;
      }
    }
  }

 private:
  bool take(size_t size) {
    if (size > content_.size() - place_) return false;
    place_ += size;
    return true;
  }
  bool take_text() {
    const size_t begin = place_;
    if (!take(4)) return false;
    const auto size = number_at<uint32_t>(content_, begin);
    text_ = std::string_view(content_).substr(place_, size);
    return take(std::min<size_t>(padded(place_ + size) - place_, content_.size() - place_)) &&
           text_.size() == size;
  }
  bool repair_run_of_table() {
    const size_t numbers = place_;
    if (!take(48) || !take_text()) return false;
    const auto file = files_.find(std::string(text_));
    if (file == files_.end() || file->second.size() < kTrailerBytes) return true;
    // Five numbers in the trailer's order, and its checksum.
    const std::string& run = file->second;
    const size_t trailer = run.size() - kTrailerBytes;
    content_.replace(numbers, 40, run, trailer + 16, 40);
    put(content_, numbers + 40, number_at<uint64_t>(run, trailer + 120));
    return true;
  }

  std::string& content_;
  const StoreFiles& files_;
  size_t place_ = 0;
  std::string_view text_;
};

void repair_manifest(std::string& content, const StoreFiles& files) {
  if (content.size() < 72) return;
  put(content, 24, content.size());
  ManifestWalk(content, files).repair_runs();
  put(content, 8, hash_of(content, 16, content.size()));
}

void repair_journal(std::string& content, bool features) {
  if (content.size() < kJournalHeadBytes) return;
  put(content, 8, hash_of(content, 16, kJournalHeadBytes));
  const auto secret = number_at<uint64_t>(content, 32);
  for (size_t place = kJournalHeadBytes; place + kRecordHeadBytes <= content.size();) {
    const size_t size = number_at<uint32_t>(content, place + 24);
    const size_t begin = place + kRecordHeadBytes;
    if (size > content.size() - begin || padded(size) > content.size() - begin) return;
    const size_t record = features ? content.find(kFeaturesMagic, begin) : std::string::npos;
    if (record != std::string::npos && record < begin + size) repair_features(content, record, begin + size);
    const size_t end = begin + padded(size);
    put(content, place,
        stable_hash(std::string_view(content).substr(place + 8, end - place - 8), secret + place));
    place = end;
  }
}

}  // namespace

void repair_checksums(StoreFiles& files, bool features) {
  for (auto& [name, content] : files) {
    if (name.starts_with("run-")) repair_run(content, features);
    if (name.starts_with("journal-")) repair_journal(content, features);
  }
  for (auto& [name, content] : files) {
    if (name.starts_with("manifest-")) repair_manifest(content, files);
  }
}

void expect_checksums_known(const StoreFiles& whole) {
  constexpr size_t kStep = 61;           // one byte in so many
  constexpr size_t kUncoveredBytes = 8;  // the magic of manifests and journals
  const auto repaired = [](StoreFiles files, bool features) {
    repair_checksums(files, features);
    return files;
  };
  expect(repaired(whole, true) == whole && repaired(whole, false) == whole,
         "a right checksum was repaired: the format has changed, see store_checksums.cpp");
  bool in_run = false, in_journal = false, has_plain_texts = false;
  for (const auto& [name, content] : whole) {
    // Those of packed texts are not checked by anyone who reads a run.
    has_plain_texts |= name.starts_with("run-") && content.find(kFeaturesMagic) != std::string::npos;
    // All else stays as it is, whatever becomes of this file.
    StoreFiles concerned{{name, content}};
    for (const auto& [other, text] : whole) {
      if (other.starts_with("manifest-")) concerned.emplace(other, text);
    }
    size_t tried = 0, left = 0;
    for (size_t place = kUncoveredBytes; place < content.size(); place += kStep) {
      StoreFiles changed = concerned;
      changed[name][place] ^= 1;
      const StoreFiles all = repaired(changed, true);
      ++tried;
      left += all == changed;
      const bool of_features = all != repaired(changed, false);
      in_run |= of_features && name.starts_with("run-");
      in_journal |= of_features && name.starts_with("journal-");
    }
    // The size of a record may lead out of the journal.
    expect(left <= tried / 16,
           "bytes that no checksum covers: the format has changed, see store_checksums.cpp");
  }
  expect(in_run == has_plain_texts && in_journal,
         "no checksum of features was repaired: see store_checksums.cpp");
}

}  // namespace nd::fuzz

// Runs of version 2 whose directory is damaged: it says of which bucket an entry is, and so what its key is.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "store/layered_table.hpp"
#include "unit/store/memory_run.hpp"
#include "unit/store/run_sample.hpp"

namespace nd::store {
namespace {

class DirectoryDamage : public testing::Test {
 protected:
  // With a directory of some blocks.
  static constexpr size_t kEntries = 80000;

  void make(int shape) {
    table_ = random_sample(random_, kEntries, shape);
    // Values in the entries, so that their own blocks are of no concern.
    for (auto& [key, value] : table_) {
      if (value) value->resize(std::min<size_t>(value->size(), kInlineBytes));
    }
    std::filesystem::remove(directory_ / "r");
    const auto written = write_sample(system_files(), directory_.path(), "r", table_, RunFormat::kPlain);
    ASSERT_TRUE(written);
    content_ = file_content(directory_ / "r");
    trailer_ = trailer_of(content_);
    keys_.clear();
    for (const auto& [key, value] : table_)
      keys_.push_back(key);
    first_block_ = trailer_.directory_offset / kBlockBytes;
    last_block_ = (trailer_.checksums_offset - 1) / kBlockBytes;
    ASSERT_GE(last_block_ - first_block_, 3u);
  }

  std::shared_ptr<const store::Run> open_damaged(const std::set<uint64_t>& blocks, const ReadMode& mode) {
    std::string changed = content_;
    for (const uint64_t block : blocks)
      changed[block * kBlockBytes] ^= 1;
    write_content(directory_ / "r", changed);
    damage_ = std::make_shared<DamageReport>();
    const auto run =
        open_run(system_files(), directory_.path(), description_of(content_, "r"), mode, damage_);
    return run ? *run : nullptr;
  }

  // What is left by the description: an entry needs its own block, and the two numbers of its bucket, of
  // which the first and the last of all are known.
  bool is_left(const std::set<uint64_t>& blocks, uint64_t position) const {
    const uint64_t entry = entry_offset(trailer_, position);
    const uint64_t bucket = bucket_of(trailer_, keys_[position]);
    const auto is_sound = [&](uint64_t offset) { return !blocks.contains(offset / kBlockBytes); };
    const auto is_known = [&](uint64_t number) {
      return number == 0 || number == trailer_.bucket_count ||
             is_sound(trailer_.directory_offset + number * trailer_.position_bytes);
    };
    return is_sound(entry) && is_sound(entry_offset(trailer_, position + 1) - 1) && is_known(bucket) &&
           is_known(bucket + 1);
  }

  void expect_what_is_left(const std::set<uint64_t>& blocks, const ReadMode& mode) {
    const auto run = open_damaged(blocks, mode);
    ASSERT_TRUE(run);
    std::vector<uint64_t> left;
    RunHint hint;
    RunHint jumping;
    for (uint64_t position = 0; position < kEntries; ++position) {
      const bool is_here = is_left(blocks, position);
      if (is_here) left.push_back(keys_[position]);
      const std::optional<RunEntry> entry = run->at(position, hint);
      ASSERT_EQ(entry.has_value(), is_here) << position;
      ASSERT_TRUE(!entry || entry->key == keys_[position]);
      if (position % 64 != 0) continue;
      const uint64_t other = random_() % kEntries;
      for (const auto& found : {run->at(other), run->at(other, jumping)}) {
        ASSERT_EQ(found.has_value(), is_left(blocks, other)) << other;
        ASSERT_TRUE(!found || found->key == keys_[other]);
      }
    }
    for (int i = 0; i < 2000; ++i)
      expect_key_is_found_or_missed(blocks, *run, random_() % kEntries);
    for (uint64_t position = kEntries - 20; position < kEntries; ++position)
      expect_key_is_found_or_missed(blocks, *run, position);
    for (const uint64_t least : {uint64_t{0}, keys_[1], keys_[random_() % kEntries], keys_.back()})
      expect_walk({run}, left, least);
    EXPECT_EQ(bool(damage_->first()), blocks.empty());
    sample::MemorySink sink;
    const Result<void> merged = merge_runs({run}, 0, false, sink);
    EXPECT_EQ(bool(merged), blocks.empty());
    EXPECT_TRUE(merged || merged.failure().status == Status::kCorrupt);
  }

  void expect_key_is_found_or_missed(const std::set<uint64_t>& blocks, const store::Run& run,
                                     uint64_t position) {
    const uint64_t key = keys_[position];
    const bool is_found = run.find(key).has_value();
    // In the block where the entries end, the search may meet another one.
    EXPECT_TRUE(is_found == is_left(blocks, position) || (!is_found && blocks.contains(first_block_)));
    EXPECT_TRUE(is_found || !damage_->first());
    const uint64_t bound = run.lower_bound(key);
    if (bound == position) return;
    ASSERT_LT(bound, kEntries);
    EXPECT_FALSE(run.at(bound));
    EXPECT_FALSE(damage_->first());
  }

  static void expect_walk(const Runs& runs, const std::vector<uint64_t>& keys, uint64_t least) {
    std::vector<uint64_t> walked;
    for (LayerMerge walk({}, {}, runs, least); walk.next();)
      walked.push_back(walk.key());
    ASSERT_TRUE(std::is_sorted(walked.begin(), walked.end()));
    const auto begin = std::lower_bound(keys.begin(), keys.end(), least);
    EXPECT_TRUE(walked.empty() || walked.front() >= least);
    EXPECT_TRUE(std::vector<uint64_t>(begin, keys.end()) == walked) << least;
  }

  TemporaryDirectory directory_;
  std::mt19937_64 random_{51};
  SampleTable table_;
  std::vector<uint64_t> keys_;
  std::string content_;
  RunTrailer trailer_;
  uint64_t first_block_ = 0;
  uint64_t last_block_ = 0;
  std::shared_ptr<DamageReport> damage_;
};

TEST_F(DirectoryDamage, LeavesTheEntriesOfAllOtherBuckets) {
  for (const int shape : {0, 1, 2, 3}) {
    make(shape);
    std::set<uint64_t> all;
    for (uint64_t block = first_block_; block <= last_block_; ++block)
      all.insert(block);
    std::set<uint64_t> all_but_one = all;
    all_but_one.erase(first_block_ + 2);
    for (const bool mmap : {true, false}) {
      const ReadMode mode{mmap, true};
      expect_what_is_left({}, mode);
      expect_what_is_left({first_block_}, mode);
      expect_what_is_left({first_block_ + 1}, mode);
      expect_what_is_left({last_block_}, mode);
      expect_what_is_left({first_block_ + 1, first_block_ + 2}, mode);
      expect_what_is_left({first_block_, last_block_}, mode);
      expect_what_is_left({first_block_ + 1, last_block_}, mode);
      expect_what_is_left(all_but_one, mode);
      expect_what_is_left(all, mode);
    }
  }
}

TEST_F(DirectoryDamage, WithRightChecksumsIsHarmlessAndFoundByVerifying) {
  make(0);
  for (int round = 0; round < 12; ++round) {
    std::string changed = content_;
    const uint64_t size = (trailer_.bucket_count + 1) * 4;
    for (uint64_t at = 0; at < size; at += 4) {
      uint32_t number = 0;
      std::memcpy(&number, changed.data() + trailer_.directory_offset + at, 4);
      const std::array<uint32_t, 6> numbers = {0,
                                               static_cast<uint32_t>(kEntries),
                                               static_cast<uint32_t>(random_()),
                                               static_cast<uint32_t>(random_() % kEntries),
                                               static_cast<uint32_t>(kEntries - number),
                                               number + static_cast<uint32_t>(random_() % 3)};
      if (round < 6 || random_() % 1000 == 0) number = numbers[static_cast<size_t>(round % 6)];
      std::memcpy(changed.data() + trailer_.directory_offset + at, &number, 4);
    }
    repair_checksums(changed);
    const RunDescription description = description_of(changed, "r");
    write_content(directory_ / "r", changed);
    const auto damage = std::make_shared<DamageReport>();
    const auto run = open_run(system_files(), directory_.path(), description, {}, damage);
    ASSERT_TRUE(run);
    RunHint hint;
    for (int i = 0; i < 20000; ++i) {
      const uint64_t key = keys_[random_() % kEntries];
      const std::optional<RunEntry> entry = (*run)->find(key);
      EXPECT_TRUE(!entry || entry->key == key);
      EXPECT_LE((*run)->lower_bound(key), kEntries);
      static_cast<void>((*run)->at(random_() % kEntries, hint));
    }
    uint64_t last = 0;
    for (LayerMerge walk({}, {}, {*run}, 0); walk.next(); last = walk.key())
      EXPECT_TRUE(walk.key() > last || last == 0);
    sample::MemorySink sink;
    EXPECT_FALSE(merge_runs({*run}, 0, false, sink) && sink.take().size() != kEntries);
    uint64_t fault = 0;
    const Result<void> verified = verify_run(system_files(), directory_.path(), description, fault);
    ASSERT_FALSE(verified);
    EXPECT_GE(fault, trailer_.entries_offset);
  }
}

TEST_F(DirectoryDamage, ARestThatNoKeyOfTheBucketHasIsReported) {
  make(0);
  ASSERT_NE(trailer_.bucket_shift % 8, 0u) << "all rests would be possible";
  for (const uint64_t position : {uint64_t{0}, uint64_t{30000}, uint64_t{kEntries - 1}}) {
    std::string changed = content_;
    changed[entry_offset(trailer_, position) + trailer_.key_bytes - 1] = '\xff';
    repair_checksums(changed);
    write_content(directory_ / "r", changed);
    const RunDescription description = description_of(changed, "r");
    const auto damage = std::make_shared<DamageReport>();
    const auto run = open_run(system_files(), directory_.path(), description, {}, damage);
    ASSERT_TRUE(run);
    EXPECT_FALSE((*run)->find(keys_[position]));
    EXPECT_FALSE((*run)->at(position));
    EXPECT_FALSE(damage->first());
    uint64_t fault = 0;
    const Result<void> verified = verify_run(system_files(), directory_.path(), description, fault);
    ASSERT_FALSE(verified);
    EXPECT_EQ(verified.failure().message, "an entry of the run has a key of another bucket");
    EXPECT_EQ(fault, entry_offset(trailer_, position));
  }
}

}  // namespace
}  // namespace nd::store

// Journals cut at every byte and damaged at every place.
#include "store/journal_file.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "unit/store/temporary_directory.hpp"

namespace nd::store {
namespace {

constexpr JournalHeader kHeader{3, 0x1234567887654321, 640, true};

Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// A journal in the making.
class Sample {
 public:
  explicit Sample(const JournalHeader& header = kHeader) : header_(header) {
    const Vector<uint8_t> head = encode_journal_header(header);
    content_.assign(head.begin(), head.end());
  }
  // With `settled` negative: everything before it.
  void add(const std::string& text, int64_t settled = -1) {
    starts_.push_back(content_.size());
    Vector<uint8_t> out;
    begin_record(header_, settled < 0 ? content_.size() : static_cast<uint64_t>(settled), bytes_of(text),
                 out);
    seal_record(header_, content_.size(), out);
    EXPECT_EQ(out.size(), record_file_bytes(text.size()));
    content_.append(out.begin(), out.end());
    records_.push_back(text);
  }
  const std::string& content() const { return content_; }
  const std::vector<std::string>& records() const { return records_; }
  uint64_t start(size_t record) const { return starts_[record]; }

 private:
  JournalHeader header_;
  std::string content_;
  std::vector<std::string> records_;
  std::vector<uint64_t> starts_;
};

struct Reading {
  Status status = Status::kOk;
  uint64_t fault_offset = 0;
  JournalEnd end;
  std::vector<std::string> records;
};

class JournalFileTest : public ::testing::Test {
 protected:
  Owned<File> file_with(const std::string& content) {
    const std::string path = directory_ / "journal";
    static_cast<void>(system_files().remove(path));
    Result<Owned<File>> file = system_files().open(path, FileSystem::Access::kCreateNew);
    EXPECT_TRUE(file);
    EXPECT_TRUE((*file)->append(bytes_of(content)));
    return *std::move(file);
  }
  Reading read(const std::string& content, const JournalHeader& header = kHeader) {
    Reading reading;
    const Owned<File> file = file_with(content);
    const auto apply = [&](Bytes record) {
      reading.records.emplace_back(record.begin(), record.end());
      return Result<void>();
    };
    const Result<JournalEnd> end = read_journal(*file, header, apply, reading.fault_offset);
    if (end) {
      reading.end = *end;
      if (end->tail == JournalTail::kDamaged) reading.status = Status::kCorrupt;
    } else {
      reading.status = end.failure().status;
    }
    return reading;
  }
  // The first `count` records and a tail behind them.
  void expect_cut(const Sample& sample, const std::string& content, size_t count, JournalTail tail) {
    const Reading reading = read(content);
    EXPECT_EQ(reading.end.tail, content.size() == reading.end.bytes ? JournalTail::kNone : tail);
    EXPECT_EQ(reading.status, Status::kOk);
    EXPECT_EQ(reading.records,
              std::vector<std::string>(sample.records().begin(),
                                       sample.records().begin() + static_cast<ptrdiff_t>(count)));
    EXPECT_EQ(reading.end.bytes + reading.end.left_bytes, content.size());
  }

  TemporaryDirectory directory_;
};

TEST_F(JournalFileTest, WorkedExample) {
  Sample sample;
  sample.add("abc");
  sample.add("12345678");
  const std::string& content = sample.content();
  EXPECT_EQ(content.size(), 64U + 32 + 8 + 32 + 8);
  EXPECT_EQ(content.substr(0, 8), "NDCJOURN");
  EXPECT_EQ(content.substr(64 + 8, 8), std::string("\3\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(content.substr(64 + 16, 8), std::string("\x40\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(content.substr(64 + 24, 16), std::string("\3\0\0\0\0\0\0\0abc\0\0\0\0\0", 16));
  const Reading reading = read(content);
  EXPECT_EQ(reading.records, sample.records());
  EXPECT_EQ(reading.end.bytes, content.size());
  EXPECT_EQ(reading.end.left_bytes, 0U);
  EXPECT_EQ(reading.end.record_count, 2U);
}

TEST_F(JournalFileTest, HeadersAreReadAsTheyAreWritten) {
  const Vector<uint8_t> bytes = encode_journal_header(kHeader);
  const std::string content(bytes.begin(), bytes.end());
  uint64_t offset = 0;
  const Result<JournalHeader> header = read_journal_header(*file_with(content), offset);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->generation, 3U);
  EXPECT_EQ(header->secret, kHeader.secret);
  EXPECT_EQ(header->previous_bytes, 640U);
  EXPECT_TRUE(header->previous_incomplete);
  for (size_t i = 0; i < content.size(); ++i) {
    std::string damaged = content;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    const Result<JournalHeader> read = read_journal_header(*file_with(damaged), offset);
    ASSERT_FALSE(read) << i;
    EXPECT_EQ(read.failure().status, Status::kCorrupt);
    EXPECT_FALSE(read_journal_header(*file_with(content.substr(0, i)), offset));
  }
}

TEST_F(JournalFileTest, RecordsOfAllSizesComeBack) {
  std::mt19937_64 random(1);
  Sample sample;
  for (int i = 0; i < 200; ++i) {
    std::string text(1 + random() % (i % 40 == 0 ? 2500000 : 3000), '\0');
    for (size_t j = 0; j < text.size(); j += 1 + random() % 50)
      text[j] = static_cast<char>(random());
    sample.add(text);
  }
  const Reading reading = read(sample.content());
  EXPECT_EQ(reading.records, sample.records());
  EXPECT_EQ(record_file_bytes(0), 0U);
  EXPECT_EQ(record_file_bytes(kRecordBytesLimit), kRecordBytesLimit + 32);
  EXPECT_EQ(record_file_bytes(kRecordBytesLimit + 1), 0U);
}

TEST_F(JournalFileTest, EveryCutGivesTheWholeRecordsBeforeIt) {
  Sample sample;
  for (const char* text : {"one", "two, longer than eight", "three"})
    sample.add(text);
  for (size_t size = 64; size < sample.content().size(); ++size) {
    SCOPED_TRACE(size);
    const auto count = [&](uint64_t padding) {
      size_t whole = 0;
      while (whole < 3 &&
             size + padding >= sample.start(whole) + record_file_bytes(sample.records()[whole].size()))
        ++whole;
      return whole;
    };
    expect_cut(sample, sample.content().substr(0, size), count(0), JournalTail::kUnfinished);
    // A file system that had noted the size and not written the bytes; those of the padding were right.
    const size_t next = count(0);
    const uint64_t padding = 7 - (sample.records()[next].size() + 7) % 8;
    expect_cut(sample, sample.content().substr(0, size) + std::string(300, '\0'), count(padding),
               JournalTail::kUnreadable);
  }
}

TEST_F(JournalFileTest, DamageBeforeTheLastRecordIsTold) {
  Sample sample;
  for (const char* text : {"one", "two, longer than eight", "three"})
    sample.add(text);
  for (size_t i = 64; i < sample.content().size(); ++i) {
    std::string damaged = sample.content();
    damaged[i] = static_cast<char>(damaged[i] ^ 16);
    SCOPED_TRACE(i);
    if (i >= sample.start(2)) {
      expect_cut(sample, damaged, 2, JournalTail::kUnreadable);
      continue;
    }
    const Reading reading = read(damaged);
    EXPECT_EQ(reading.status, Status::kCorrupt);
    EXPECT_EQ(reading.fault_offset, i >= sample.start(1) ? sample.start(1) : sample.start(0));
  }
}

// Two threads appended and neither record was acknowledged: the first may be lost alone.
TEST_F(JournalFileTest, AHoleInWhatWasNotSettledIsUnreadable) {
  Sample sample;
  sample.add("one");
  sample.add("two", static_cast<int64_t>(sample.content().size()));
  sample.add("three", static_cast<int64_t>(sample.start(1)));
  std::string damaged = sample.content();
  std::memset(damaged.data() + sample.start(1), 0, 40);
  JournalHeader synced = kHeader;
  synced.synced = true;
  Reading reading = read(damaged, synced);
  EXPECT_EQ(reading.status, Status::kOk);
  EXPECT_EQ(reading.records.size(), 1U);
  // Without fsync there are no such marks: only a hole of a whole sector is not damage.
  EXPECT_EQ(read(damaged).status, Status::kCorrupt);
  Sample large;
  large.add("one");
  large.add(std::string(2000, 'x'), static_cast<int64_t>(large.content().size()));
  large.add("three", static_cast<int64_t>(large.start(1)));
  std::string holed = large.content();
  std::memset(holed.data() + 1024, 0, 512);
  reading = read(holed);
  EXPECT_EQ(reading.status, Status::kOk);
  EXPECT_EQ(reading.records.size(), 1U);
  EXPECT_EQ(reading.end.bytes + reading.end.left_bytes, holed.size());
  EXPECT_EQ(reading.end.tail, JournalTail::kUnreadable);
  EXPECT_EQ(reading.end.left_record_count, 1U);
  holed[1100] = 1;
  EXPECT_EQ(read(holed).status, Status::kCorrupt);
  sample.add("four", static_cast<int64_t>(sample.start(2)));
  damaged += sample.content().substr(sample.start(3));
  EXPECT_EQ(read(damaged).status, Status::kCorrupt);
}

TEST_F(JournalFileTest, ARecordHoldsOnlyAtItsPlaceInItsJournal) {
  Sample sample;
  sample.add("abcdefgh");
  sample.add("ijklmnop");
  const std::string first = sample.content().substr(64, 40);
  expect_cut(sample, sample.content() + first, 2, JournalTail::kUnreadable);
  JournalHeader other = kHeader;
  other.generation = 4;
  EXPECT_TRUE(read(sample.content(), other).records.empty());
  other = kHeader;
  other.secret ^= 1;
  EXPECT_TRUE(read(sample.content(), other).records.empty());
}

// A size that has become greater makes a whole record look unfinished.
TEST_F(JournalFileTest, AWholeRecordWhoseSizeIsDamagedIsNotUnfinished) {
  for (size_t size = 1; size < 40; ++size) {
    Sample sample;
    sample.add("one");
    sample.add(std::string(size, 'x'));
    for (int byte = 24; byte < 28; ++byte) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string damaged = sample.content();
        char& changed = damaged[sample.start(1) + static_cast<size_t>(byte)];
        changed = static_cast<char>(changed ^ (1 << bit));
        expect_cut(sample, damaged, 1, JournalTail::kUnreadable);
      }
    }
  }
}

TEST_F(JournalFileTest, AnUnfinishedRecordBehindADamagedOneIsNotAlone) {
  Sample sample;
  for (const char* text : {"one", "two", "three"})
    sample.add(text);
  std::string damaged = sample.content();
  damaged[sample.start(1)] = static_cast<char>(damaged[sample.start(1)] ^ 1);
  damaged.resize(damaged.size() - 1);
  expect_cut(sample, damaged, 1, JournalTail::kUnreadable);
}

// Heads of long records at every place, with sizes that fit: their checksums must not all be computed.
TEST_F(JournalFileTest, BytesMadeToCostAreNotPaidFor) {
  std::string content = Sample().content();
  constexpr uint64_t kBytes = uint64_t{3} << 20;
  const uint64_t head[4] = {0, kHeader.generation, 0, 0};
  while (content.size() < kBytes) {
    uint64_t fake[4];
    std::memcpy(fake, head, sizeof fake);
    fake[3] = kBytes - content.size() - 40;
    content.append(reinterpret_cast<const char*>(fake), sizeof fake);
  }
  EXPECT_EQ(read(content).status, Status::kCorrupt);
}

TEST_F(JournalFileTest, AnErrorOfTheReaderEndsTheReading) {
  Sample sample;
  sample.add("one");
  sample.add("two");
  uint64_t offset = 0;
  const auto refuse = [](Bytes record) -> Result<void> {
    if (record.size() == 3 && record[0] == 't') return error(Status::kInternal, "no");
    return {};
  };
  const Result<JournalEnd> end = read_journal(*file_with(sample.content()), kHeader, refuse, offset);
  ASSERT_FALSE(end);
  EXPECT_EQ(end.failure().status, Status::kInternal);
  EXPECT_EQ(offset, sample.start(1));
}

TEST_F(JournalFileTest, RandomBytesAreNeverRecords) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 2000; ++round) {
    std::string content = Sample().content();
    const size_t size = random() % 400;
    for (size_t i = 0; i < size; ++i)
      content.push_back(static_cast<char>(random() % 3 == 0 ? random() : 3 * (random() % 2)));
    EXPECT_TRUE(read(content).records.empty());
  }
}

}  // namespace
}  // namespace nd::store

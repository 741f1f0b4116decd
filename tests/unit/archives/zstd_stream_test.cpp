// WARC files in zstd frames, with dictionaries and damage.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "archive_builder.hpp"
#include "archives/content_decoding.hpp"
#include "archives/input_stream.hpp"
#include "archives/zstd_inflater.hpp"
#include "input_builder.hpp"

namespace ndc::test {
namespace {

constexpr unsigned kDictionary = 13;
constexpr unsigned kExtension = 3;

std::string random_bytes(size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string bytes(size, '\0');
  for (char& byte : bytes)
    byte = static_cast<char>(random());
  return bytes;
}

std::string dictionary_text() {
  std::string text;
  for (int i = 0; i < 200; ++i)
    text += "WARC/1.0\r\nWARC-Type: response\r\nsentence number " + std::to_string(i * 7919) +
            " of the dictionary\r\n";
  return text;
}

std::vector<std::string> records() {
  std::vector<std::string> all;
  for (int i = 0; i < 5; ++i)
    all.push_back(page_record("http://a/" + std::to_string(i), "<p>" + random_bytes(3000, unsigned(i + 1))));
  return all;
}

TEST(ZstdStream, ReadsAFrameARecord) {
  std::string bytes;
  for (const std::string& record : records())
    bytes += zstd(record);
  const ReadAll read = read_all(bytes);
  EXPECT_EQ(read.uris(),
            (std::vector<std::string>{"http://a/0", "http://a/1", "http://a/2", "http://a/3", "http://a/4"}));
  EXPECT_TRUE(read.damages.empty());
  ASSERT_EQ(read.records.size(), 5u);
  EXPECT_EQ(read.records[1].position.file_offset, zstd(records()[0]).size());
  EXPECT_EQ(read.records[1].position.member_offset, 0u);
}

TEST(ZstdStream, TakesTheDictionaryPlainAndCompressed) {
  const std::string dictionary = dictionary_text();
  for (const std::string& stored : {dictionary, zstd(dictionary)}) {
    std::string bytes = skippable_frame(kDictionary, stored);
    for (const std::string& record : records())
      bytes += zstd(record, dictionary) + skippable_frame(kExtension, "to be skipped");
    const ReadAll read = read_all(bytes);
    EXPECT_EQ(read.records.size(), 5u);
    EXPECT_TRUE(read.damages.empty());
    MemorySource in_pieces(bytes, 7);
    EXPECT_EQ(read_all(in_pieces).uris(), read.uris());
  }
}

TEST(ZstdStream, AHugeDictionaryIsDamage) {
  const std::string huge((size_t{4} << 20) + 1, 'x');
  for (const std::string& stored : {huge, zstd(huge)}) {
    const ReadAll read = read_all(skippable_frame(kDictionary, stored) + zstd(records()[0]));
    ASSERT_EQ(read.damages.size(), 1u);
    EXPECT_EQ(read.damages[0].reason, "the zstd dictionary cannot be read");
    EXPECT_EQ(read.records.size(), 1u);
  }
}

TEST(ZstdStream, GoesOnInTheMiddleWithTheDictionary) {
  const std::string dictionary = dictionary_text();
  std::string bytes = skippable_frame(kDictionary, dictionary);
  for (const std::string& record : records())
    bytes += zstd(record, dictionary);
  for (const WarcRecord& record : read_all(bytes).records) {
    MemorySource whole(bytes);
    InputStream beginning(whole);
    ASSERT_TRUE(beginning.fill());
    const uint64_t offset = record.position.file_offset;
    MemorySource rest(bytes.substr(static_cast<size_t>(offset)));
    InputStream stream(rest, offset, beginning.dictionary());
    WarcReader reader(stream, size_t{1} << 20);
    WarcRecord again;
    RecordDamage damage;
    ASSERT_EQ(reader.next(again, damage), WarcReader::Outcome::kRecord) << damage.reason;
    EXPECT_EQ(again.target_uri, record.target_uri);
    EXPECT_EQ(again.block, record.block);
  }
}

TEST(ZstdStream, AFrameThatIsLongerThanTheBuffersIsWhole) {
  const std::string body = random_bytes(size_t{3} << 20, 9) + std::string(size_t{5} << 20, 'x');
  const ReadAll read = read_all(zstd(page_record("http://a/", body)), size_t{16} << 20);
  ASSERT_EQ(read.records.size(), 1u);
  EXPECT_TRUE(read.records[0].block.ends_with(body));
}

TEST(ZstdStream, ADamagedFrameCostsItsRecord) {
  const std::vector<std::string> all = records();
  for (size_t hit = 0; hit < all.size(); ++hit) {
    std::string bytes;
    for (size_t i = 0; i < all.size(); ++i) {
      std::string frame = zstd(all[i]);
      if (i == hit) frame[frame.size() / 2] = static_cast<char>(frame[frame.size() / 2] ^ 0x55);
      bytes += frame;
    }
    const ReadAll read = read_all(bytes);
    EXPECT_EQ(read.records.size(), 4u) << hit;
    ASSERT_EQ(read.damages.size(), 1u) << hit;
    EXPECT_NE(read.damages[0].reason.find("zstd frame"), std::string::npos) << read.damages[0].reason;
  }
  std::string cut = zstd(all[0]) + zstd(all[1]);
  cut.resize(cut.size() - 5);
  const ReadAll read = read_all(cut);
  EXPECT_EQ(read.records.size(), 1u);
  EXPECT_EQ(read.damages.size(), 1u);
}

TEST(ZstdStream, AMissingOrBrokenDictionaryIsDamage) {
  const std::string dictionary = dictionary_text();
  const std::string frame = zstd(records()[0], dictionary);
  EXPECT_FALSE(
      read_all(skippable_frame(kDictionary, zstd(dictionary).substr(0, 50)) + frame).damages.empty());
  EXPECT_FALSE(read_all(skippable_frame(kDictionary, dictionary).substr(0, 100)).damages.empty());
}

// Each once, also where not even the frame's size is there any more.
TEST(ZstdStream, AnExtensionFrameThatIsCutIsReportedOnce) {
  const std::string record = zstd(records()[0]);
  const std::string extension = skippable_frame(kExtension, "to be skipped");
  for (size_t size = 1; size < extension.size(); ++size) {
    const std::string cut = extension.substr(0, size);
    for (const std::string& before : {std::string(), record}) {
      const ReadAll read = read_all(before + cut);
      EXPECT_EQ(read.records.size(), before.empty() ? 0u : 1u) << size;
      EXPECT_EQ(read.damages.size(), 1u) << size;
    }
  }
}

// 256 MB of nothing in some KB.
TEST(ZstdStream, StopsWhereTheDataExpandsTooMuch) {
  const std::string bomb = zstd(warc_record("response", "http://a/", std::string(size_t{256} << 20, '\0')));
  const ReadAll read = read_all(bomb + zstd(page_record("http://a/2", "x")));
  EXPECT_TRUE(read.records.empty());
  ASSERT_FALSE(read.damages.empty());
  std::string reasons;
  for (const RecordDamage& damage : read.damages)
    reasons += damage.reason + "\n";
  EXPECT_NE(reasons.find("expands"), std::string::npos) << reasons;
}

// Each looks like the beginning of a frame with a block of 128 KiB.
TEST(ZstdStream, TheSearchForFramesIsBounded) {
  const std::string first = "\x28\xb5\x2f\xfd\x04\x50";
  std::string bytes = zstd(records()[0]) + "junk";
  for (int i = 0; i < 200000; ++i)
    bytes += first + std::string("\x04\x00\x01", 3) + "x";
  bytes += zstd(records()[1]);
  const ReadAll read = read_all(bytes);
  EXPECT_EQ(read.records.size(), 1u);
  ASSERT_FALSE(read.damages.empty());
  EXPECT_NE(read.damages.back().reason.find("too much looks like"), std::string::npos)
      << read.damages.back().reason;
}

TEST(ZstdStream, KnowsTheFirstBlock) {
  const std::string text = dictionary_text();
  for (const std::string& frame :
       {zstd(text), zstd(random_bytes(100000, 1)), zstd(std::string(1000000, 'x'))}) {
    const std::optional<ZstdBlock> block = first_zstd_block(frame);
    ASSERT_TRUE(block);
    EXPECT_LE(block->end, frame.size());
    EXPECT_LE(block->most_given, size_t{128} << 10);
    EXPECT_FALSE(first_zstd_block(frame.substr(0, block->end - 1)));
  }
  EXPECT_FALSE(first_zstd_block("\x28\xb5\x2f\xfd"));
  EXPECT_FALSE(first_zstd_block("\x28\xb5\x2f\xfd\x08\x50\x01\x01\x01\x01\x01")) << "a reserved bit";
}

TEST(ZstdStream, UndoesTheContentCoding) {
  const std::string text = dictionary_text();
  std::string out;
  EXPECT_EQ(decode_zstd(zstd(text) + zstd("more"), 1 << 20, out), Decoding::kComplete);
  EXPECT_EQ(out, text + "more");
  EXPECT_EQ(decode_zstd(zstd(text), 100, out), Decoding::kOverLimit);
  EXPECT_EQ(out, text.substr(0, 100));
  EXPECT_EQ(decode_zstd(zstd(random_bytes(100000, 1)).substr(0, 90000), 1 << 20, out), Decoding::kCut);
  EXPECT_EQ(decode_zstd("\x28\xb5\x2f\xfdgarbage of all kinds", 1 << 20, out), Decoding::kDamaged);
}

}  // namespace
}  // namespace ndc::test

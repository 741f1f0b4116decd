// Damage at every byte: the records before it must be given, those behind it too where they can be found.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "archive_builder.hpp"

namespace ndc::test {
namespace {

using Uris = std::vector<std::string>;

// Five records; big enough that damaged members are not all alike.
std::vector<std::string> five_records() {
  std::vector<std::string> records;
  std::mt19937 random(7);
  for (int i = 0; i < 5; ++i) {
    std::string body;
    for (int word = 0; word < 60; ++word)
      body += std::to_string(random() % 5000) + " ";
    records.push_back(page_record("http://" + std::to_string(i) + "/", body));
  }
  return records;
}

struct Archive {
  std::string bytes;
  std::vector<size_t> ends;  // of the records
};

Archive plain_archive() {
  Archive archive;
  for (const std::string& record : five_records()) {
    archive.bytes += record;
    archive.ends.push_back(archive.bytes.size());
  }
  return archive;
}

Archive gzip_archive() {
  Archive archive;
  for (const std::string& record : five_records()) {
    archive.bytes += gzip(record);
    archive.ends.push_back(archive.bytes.size());
  }
  return archive;
}

Uris first_uris(size_t count) {
  Uris uris;
  for (size_t i = 0; i < count; ++i)
    uris.push_back("http://" + std::to_string(i) + "/");
  return uris;
}

// How many records end at `offset` or before, and whether one of them ends right there.
std::pair<size_t, bool> records_until(const Archive& archive, size_t offset) {
  const auto end = std::upper_bound(archive.ends.begin(), archive.ends.end(), offset);
  const size_t count = static_cast<size_t>(end - archive.ends.begin());
  return {count, offset == 0 || (count > 0 && archive.ends[count - 1] == offset)};
}

TEST(WarcDamage, APlainFileCutAnywhere) {
  const Archive archive = plain_archive();
  constexpr size_t kEmptyLineBytes = 4;
  for (size_t cut = 0; cut <= archive.bytes.size(); ++cut) {
    // The empty line behind the last record may be missing.
    const auto [count, at_end] = records_until(archive, cut + kEmptyLineBytes);
    const size_t begin = count == 0 ? 0 : archive.ends[count - 1];
    for (const bool size_known : {false, true}) {
      MemorySource source(archive.bytes.substr(0, cut), 1000, size_known);
      const ReadAll all = read_all(source);
      ASSERT_EQ(all.uris(), first_uris(count)) << cut;
      ASSERT_EQ(all.damages.size(), cut > begin ? 1u : 0u) << cut;
      if (cut > begin) {
        ASSERT_EQ(all.damages[0].position.file_offset, begin) << cut;
      }
    }
  }
}

TEST(WarcDamage, AHeaderCutAnywhereByTheNextRecord) {
  for (const std::string version : {"WARC/1.0", "WARC/0.18"}) {
    std::vector<std::string> records = five_records();
    for (std::string& record : records)
      record.replace(0, record.find('\r'), version);
    const size_t header = records[2].find("\r\n\r\n");
    for (size_t cut = 1; cut <= header; ++cut) {
      const ReadAll all =
          read_all(records[0] + records[1] + records[2].substr(0, cut) + records[3] + records[4]);
      ASSERT_EQ(all.uris(), (Uris{"http://0/", "http://1/", "http://3/", "http://4/"})) << version << cut;
      ASSERT_EQ(all.damages.size(), 1u) << version << cut;
    }
  }
}

TEST(WarcDamage, AGzipFileCutAnywhere) {
  const Archive archive = gzip_archive();
  for (size_t cut = 0; cut <= archive.bytes.size(); ++cut) {
    const auto [count, at_end] = records_until(archive, cut);
    const ReadAll all = read_all(archive.bytes.substr(0, cut));
    ASSERT_EQ(all.uris(), first_uris(count)) << cut;
    ASSERT_EQ(all.damages.size(), at_end ? 0u : 1u) << cut;
    if (!at_end) {
      ASSERT_EQ(all.damages[0].position.file_offset, count == 0 ? 0 : archive.ends[count - 1]) << cut;
    }
  }
}

TEST(WarcDamage, OneMemberCutAnywhereGivesWhatCameBefore) {
  std::string plain;
  for (const std::string& record : five_records())
    plain += record;
  const std::string bytes = gzip(plain);
  size_t most = 0;
  for (size_t cut = 1; cut < bytes.size(); ++cut) {
    const ReadAll all = read_all(bytes.substr(0, cut));
    ASSERT_EQ(all.uris(), first_uris(all.records.size())) << cut;
    ASSERT_EQ(all.damages.size(), 1u) << cut;
    ASSERT_GE(all.records.size(), most) << cut;
    most = all.records.size();
  }
  EXPECT_EQ(most, 4u);
}

TEST(WarcDamage, AWrongByteInAGzipFileCostsItsRecord) {
  const Archive archive = gzip_archive();
  for (size_t at = 0; at < archive.bytes.size(); ++at) {
    for (const int change : {0x01, 0xFF}) {
      Archive damaged = archive;
      damaged.bytes[at] = static_cast<char>(damaged.bytes[at] ^ change);
      const size_t hit = records_until(archive, at).first;
      Uris rest = first_uris(5);
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(hit));
      const size_t begin = hit == 0 ? 0 : archive.ends[hit - 1];
      const ReadAll all = read_all(damaged.bytes);
      // Time, flags and system in a member's header are not covered by its checksum.
      if (at - begin >= 3 && at - begin < 10 && all.damages.empty()) {
        ASSERT_EQ(all.uris(), first_uris(5)) << at;
        continue;
      }
      ASSERT_EQ(all.uris(), rest) << at << " in record " << hit;
      ASSERT_EQ(all.damages.size(), 1u) << at;
      ASSERT_EQ(all.damages[0].position.file_offset, begin) << at;
    }
  }
}

TEST(WarcDamage, AWrongByteInAPlainFileCostsItsRecordAtMost) {
  const Archive archive = plain_archive();
  for (size_t at = 0; at < archive.bytes.size(); ++at) {
    Archive damaged = archive;
    damaged.bytes[at] = static_cast<char>(damaged.bytes[at] ^ 0x15);
    const size_t hit = records_until(archive, at).first;
    const Uris uris = read_all(damaged.bytes).uris();
    for (size_t i = 0; i < 5; ++i) {
      if (i == hit) continue;
      ASSERT_NE(std::find(uris.begin(), uris.end(), "http://" + std::to_string(i) + "/"), uris.end())
          << "record " << i << " lost by byte " << at << " of record " << hit;
    }
  }
}

TEST(WarcDamage, LostStretchesOfAGzipFile) {
  const Archive archive = gzip_archive();
  std::mt19937 random(11);
  for (int round = 0; round < 400; ++round) {
    const size_t begin = random() % archive.bytes.size();
    const size_t count = 1 + random() % 600;
    std::string bytes = archive.bytes;
    if (round % 2 == 0) {
      bytes.erase(begin, count);
    } else {
      std::string noise;
      for (size_t i = 0; i < count; ++i)
        noise += static_cast<char>(random());
      bytes.insert(begin, noise);
    }
    const ReadAll all = read_all(bytes);
    const Uris uris = all.uris();
    // What lies wholly outside of the stretch is there, in order.
    Uris expected = first_uris(records_until(archive, begin).first);
    const size_t resume = round % 2 == 0 ? std::min(begin + count, archive.bytes.size()) : begin;
    for (size_t i = expected.size(); i < 5; ++i) {
      const size_t start = i == 0 ? 0 : archive.ends[i - 1];
      if (start >= resume) expected.push_back("http://" + std::to_string(i) + "/");
    }
    ASSERT_EQ(uris, expected) << "round " << round << " at " << begin << " by " << count;
  }
}

TEST(WarcDamage, ThePiecesOfReadingDoNotMatter) {
  const Archive archive = gzip_archive();
  std::mt19937 random(23);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = archive.bytes;
    for (int i = 0; i < 2; ++i)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    MemorySource pieces(bytes, 1 + random() % 9);
    const ReadAll one = read_all(bytes);
    const ReadAll other = read_all(pieces);
    ASSERT_EQ(one.uris(), other.uris()) << round;
    ASSERT_EQ(one.damages.size(), other.damages.size()) << round;
  }
}

// An input that the fuzzer found: how much of a damaged member the inflater gives depends on how many bytes
// it gets together with the damage. Seven bytes of what the target reads stand before the archive.
TEST(WarcDamage, ThePiecesOfReadingDoNotMatterWithinADamagedMember) {
  std::ifstream file(NDC_SOURCE_DIR "/fuzz/corpora/warc/regression-pieces-of-a-damaged-member",
                     std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  ASSERT_GT(bytes.size(), 7U);
  bytes.erase(0, 7);
  const size_t damages = read_all(bytes).damages.size();
  EXPECT_GT(damages, 30U);
  for (size_t piece = 1; piece < 40; ++piece) {
    MemorySource pieces(bytes, piece);
    EXPECT_EQ(read_all(pieces).damages.size(), damages) << piece;
  }
}

TEST(WarcDamage, ThePiecesOfReadingDoNotMatterBehindTheLimitOfABlock) {
  const std::string bytes =
      "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://long/\r\nContent-Length: 300\r\n\r\nx\r\n" +
      page_record("http://within/", "a page") + page_record("http://across/", "a page") +
      page_record("http://behind/", "a page");
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{1} << 20}) {
    MemorySource source(bytes, piece);
    const ReadAll all = read_all(source, 200);
    EXPECT_EQ(all.uris(), Uris{"http://behind/"}) << piece;
    EXPECT_EQ(all.damages.size(), 1U) << piece;
  }
}

// Behind noise one looks ahead for damage, which must not bring the next member into play.
TEST(WarcDamage, ThePiecesOfReadingDoNotMatterAtNoiseWithinAMember) {
  const std::string noise = "no record" + std::string(700, '\0');
  std::string damaged = gzip(page_record("http://c/", "a page") + noise + page_record("http://d/", "a page"));
  damaged[damaged.size() - 8] ^= 1;  // its checksum
  const std::string bytes =
      gzip(page_record("http://a/", "a page") + noise + page_record("http://b/", "a page")) + damaged +
      gzip(page_record("http://e/", "a page"));
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{1} << 20}) {
    MemorySource source(bytes, piece);
    const ReadAll all = read_all(source);
    EXPECT_EQ(all.uris(), (Uris{"http://a/", "http://b/", "http://e/"})) << piece;
    EXPECT_EQ(all.damages.size(), 2U) << piece;
  }
}

// The bytes that a damaged member gives before its damage may look like the line ends behind the record
// before it.
TEST(WarcDamage, AMemberThatGivesOnlyALineEndCostsNoRecord) {
  std::string member = gzip("\r\n");
  member[member.size() - 8] ^= 1;  // its checksum
  const std::string first = gzip(page_record("http://a/", "a page"));
  const std::string last = gzip(page_record("http://b/", "another page"));
  const ReadAll all = read_all(first + member + last);
  EXPECT_EQ(all.uris(), (Uris{"http://a/", "http://b/"}));
  ASSERT_EQ(all.damages.size(), 1u);
  EXPECT_EQ(all.damages[0].position.file_offset, first.size());
}

TEST(WarcDamage, GarbageBehindAMemberAndZeroPadding) {
  const Archive archive = gzip_archive();
  EXPECT_TRUE(read_all(archive.bytes + std::string(5000, '\0')).damages.empty());
  const ReadAll garbage = read_all(archive.bytes + "garbage");
  EXPECT_EQ(garbage.records.size(), 5u);
  ASSERT_EQ(garbage.damages.size(), 1u);
  EXPECT_EQ(garbage.damages[0].position.file_offset, archive.bytes.size());
  EXPECT_EQ(garbage.damages[0].reason, "no gzip member begins here");
  EXPECT_EQ(read_all(archive.bytes + "garbage" + archive.bytes).records.size(), 10u);
}

TEST(WarcDamage, RandomBytesEnd) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = round % 3 == 0 ? "\x1f\x8b\x08" : round % 3 == 1 ? "WARC/1.0\r\n" : "";
    const size_t count = random() % 3000;
    for (size_t i = 0; i < count; ++i)
      bytes += static_cast<char>(random());
    const ReadAll all = read_all(bytes);
    EXPECT_TRUE(all.records.empty());
    EXPECT_LE(all.damages.size(), 1 + count);
  }
}

TEST(WarcDamage, ManyWrongLengthsAreReadInLinearTime) {
  std::string bytes;
  for (int i = 0; i < 40000; ++i) {
    bytes += "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 900030\r\n\r\nx\r\n\r\n";
  }
  const ReadAll all = read_all(bytes);
  EXPECT_TRUE(all.records.empty());
  EXPECT_GE(all.damages.size(), 100u);
}

}  // namespace
}  // namespace ndc::test

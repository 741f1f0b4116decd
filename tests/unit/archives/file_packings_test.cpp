// Files that are packed by bzip2, xz or lz4: one member for all records, or some.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "archive_builder.hpp"
#include "archives/input_stream.hpp"
#include "input_builder.hpp"

namespace ndc {
namespace {

using test::MemorySource;
using test::page_record;
using test::read_all;
using test::ReadAll;

struct Packed {
  const char* member_name;
  std::function<std::string(std::string_view)> pack;
};

const Packed kPacked[] = {{"bzip2 stream", test::bzip2}, {"xz stream", test::xz}, {"lz4 frame", test::lz4}};

std::string random_bytes(size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string bytes(size, '\0');
  for (char& byte : bytes)
    byte = static_cast<char>(random());
  return bytes;
}

std::vector<std::string> records() {
  std::vector<std::string> all;
  for (unsigned i = 0; i < 5; ++i)
    all.push_back(page_record("http://a/" + std::to_string(i), "<p>" + random_bytes(20000, i)));
  return all;
}

TEST(FilePackings, ReadAsOneMemberAndAsMany) {
  for (const Packed& packed : kPacked) {
    std::string whole, members;
    for (const std::string& record : records()) {
      whole += record;
      members += packed.pack(record);
    }
    const std::vector<std::string> uris = read_all(whole).uris();
    ASSERT_EQ(uris.size(), 5u);
    for (const std::string& bytes : {packed.pack(whole), members}) {
      const ReadAll read = read_all(bytes);
      EXPECT_EQ(read.uris(), uris) << packed.member_name;
      EXPECT_TRUE(read.damages.empty()) << packed.member_name;
      MemorySource in_pieces(bytes, 7);
      EXPECT_EQ(read_all(in_pieces).uris(), uris) << packed.member_name;
    }
    EXPECT_EQ(read_all(members).records[1].position.file_offset, packed.pack(records()[0]).size());
  }
}

// The .xz File Format 1.2.0, 2.2.
TEST(FilePackings, StreamsOfXzMayHavePaddingOfFours) {
  const auto read = [](size_t zeros) {
    std::string bytes;
    for (const std::string& record : records())
      bytes += test::xz(record) + std::string(zeros, '\0');
    return read_all(bytes);
  };
  for (const size_t zeros : {size_t{4}, size_t{2} << 20}) {
    EXPECT_EQ(read(zeros).records.size(), 5u) << zeros;
    EXPECT_TRUE(read(zeros).damages.empty()) << zeros;
  }
  EXPECT_EQ(read(3).records.size(), 5u);
  EXPECT_EQ(read(3).damages.size(), 4u);
}

TEST(FilePackings, AMemberThatIsLongerThanTheBuffersIsWhole) {
  const std::string body = random_bytes(size_t{3} << 20, 9) + std::string(size_t{5} << 20, 'x');
  for (const Packed& packed : kPacked) {
    const ReadAll read = read_all(packed.pack(page_record("http://a/", body)), size_t{16} << 20);
    ASSERT_EQ(read.records.size(), 1u) << packed.member_name;
    EXPECT_TRUE(read.records[0].block.ends_with(body));
  }
}

TEST(FilePackings, ADamagedMemberCostsItsRecord) {
  const std::vector<std::string> all = records();
  for (const Packed& packed : kPacked) {
    for (size_t hit = 0; hit < all.size(); ++hit) {
      std::string bytes;
      for (size_t i = 0; i < all.size(); ++i) {
        std::string member = packed.pack(all[i]);
        if (i == hit) member[member.size() / 2] = static_cast<char>(member[member.size() / 2] ^ 0x55);
        bytes += member;
      }
      const ReadAll read = read_all(bytes);
      EXPECT_EQ(read.records.size(), 4u) << packed.member_name << hit;
      ASSERT_EQ(read.damages.size(), 1u) << packed.member_name << hit;
      EXPECT_NE(read.damages[0].reason.find(packed.member_name), std::string::npos) << read.damages[0].reason;
    }
  }
}

TEST(FilePackings, GiveWhatComesBeforeACut) {
  for (const Packed& packed : kPacked) {
    std::string whole;
    for (unsigned i = 0; i < 300; ++i)
      whole += page_record("http://a/" + std::to_string(i), random_bytes(20000, i));
    const std::string bytes = packed.pack(whole);
    const ReadAll read = read_all(bytes.substr(0, bytes.size() / 2));
    // The last block is lost: 900 KB of bzip2 or 4 MB of lz4 at most.
    EXPECT_GT(read.records.size(), packed.member_name[0] == 'l' ? 0u : 90u) << packed.member_name;
    ASSERT_EQ(read.damages.size(), 1u) << packed.member_name;
    EXPECT_NE(read.damages[0].reason.find("cut by the end"), std::string::npos) << read.damages[0].reason;
  }
}

TEST(FilePackings, StopWhereTheDataExpandsTooMuch) {
  const std::string bomb = test::warc_record("response", "http://a/", std::string(size_t{300} << 20, '\0'));
  for (const Packed& packed : {kPacked[0], kPacked[1]}) {
    const ReadAll read = read_all(packed.pack(bomb) + packed.pack(page_record("http://a/2", "x")));
    EXPECT_TRUE(read.records.empty()) << packed.member_name;
    ASSERT_FALSE(read.damages.empty());
    EXPECT_NE(read.damages.back().reason.find("expands"), std::string::npos) << read.damages.back().reason;
  }
}

// Each unpacks a block of 900 KB before it shows that it is no record, and that something else follows it.
TEST(FilePackings, TheSearchForStreamsIsBounded) {
  const std::string stream = test::bzip2(std::string(900000, 'x'));
  std::string bytes = test::bzip2(records()[0]) + "junk";
  for (int i = 0; i < 20000; ++i)
    bytes += stream + "x";
  const ReadAll read = read_all(bytes + test::bzip2(records()[1]));
  EXPECT_EQ(read.records.size(), 1u);
  ASSERT_FALSE(read.damages.empty());
  EXPECT_NE(read.damages.back().reason.find("too much looks like"), std::string::npos)
      << read.damages.back().reason;
}

TEST(FilePackings, ATextMayBeginAsBzip2Does) {
  const std::string text = "BZh9 is how files of bzip2 begin\n";
  MemorySource source(text);
  InputStream stream(source);
  ASSERT_TRUE(stream.fill());
  EXPECT_FALSE(stream.is_packed());
  EXPECT_EQ(stream.ahead(), text);
}

}  // namespace
}  // namespace ndc

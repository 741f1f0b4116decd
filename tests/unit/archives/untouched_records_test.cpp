// Archives of all formats, damaged at every place in many ways: what was not touched is given, and the damage
// is reported.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "archive_builder.hpp"
#include "archives/arc_reader.hpp"
#include "archives/input_kind.hpp"
#include "archives/json_lines_reader.hpp"
#include "input_builder.hpp"

namespace ndc::test {
namespace {

constexpr size_t kRecords = 9;
constexpr size_t kTolerated = 7 + 4;  // line ends, three bytes, and the line ends of what follows
constexpr size_t kMaxBlockBytes = size_t{1} << 20;

enum class Format { kWarc, kArc, kArcWithoutLineEnds, kJsonLines };
enum class Packing { kPlain, kGzip, kZstd };

struct Case {
  Format format;
  Packing packing;
};

std::string name_of(const Case& tried) {
  constexpr const char* kFormats[] = {"Warc", "Arc", "ArcWithoutLineEnds", "JsonLines"};
  constexpr const char* kPackings[] = {"Plain", "Gzip", "Zstd"};
  return std::string(kFormats[static_cast<size_t>(tried.format)]) +
         kPackings[static_cast<size_t>(tried.packing)];
}

std::string url_of(size_t number) {
  return "http://site.example/" + std::to_string(number);
}

std::string body_of(size_t number) {
  std::mt19937 random(static_cast<unsigned>(number + 1));
  std::string body = "<p>";
  for (size_t words = 40 + random() % 40; words > 0; --words)
    body += std::to_string(random() % 5000) + (words % 9 == 0 ? "\n" : " ");
  return body + "</p>";
}

// A record as it stands in a plain file. `length_off`: by how much its length is wrong.
std::string record_of(Format format, size_t number, int length_off = 0) {
  const std::string body = body_of(number);
  if (format == Format::kJsonLines) {
    std::string text = body;
    std::replace(text.begin(), text.end(), '\n', ' ');
    return "{\"url\": \"" + url_of(number) + "\", \"html\": \"" + text + "\"}\n";
  }
  std::string record = format == Format::kWarc ? page_record(url_of(number), body)
                                               : arc_record(url_of(number), "text/html",
                                                            http_response(body, {"Content-Type: text/html"}));
  if (format == Format::kArcWithoutLineEnds) record.pop_back();
  const std::string length = std::to_string(http_response(body, {"Content-Type: text/html"}).size());
  const std::string wrong = std::to_string(std::stoi(length) + length_off);
  return record.replace(record.find(length), length.size(), wrong);
}

std::string packed(Packing packing, const std::string& bytes) {
  return packing == Packing::kPlain ? bytes : packing == Packing::kZstd ? zstd(bytes) : gzip(bytes);
}

using Pieces = std::vector<std::string>;

std::string joined(const Pieces& pieces) {
  std::string bytes;
  for (const std::string& piece : pieces)
    bytes += piece;
  return bytes;
}

// One piece a record; an ARC file has one before, of its own.
Pieces pieces_of(const Case& tried, size_t touched = kRecords, int length_off = 0) {
  Pieces pieces;
  for (size_t number = 0; number < kRecords; ++number)
    pieces.push_back(
        packed(tried.packing, record_of(tried.format, number, number == touched ? length_off : 0)));
  if (tried.format == Format::kArc || tried.format == Format::kArcWithoutLineEnds)
    pieces.front() = packed(tried.packing, arc_start()) + pieces.front();
  return pieces;
}

struct Given {
  std::vector<bool> is_whole = std::vector<bool>(kRecords, false);
  size_t damages = 0;

  bool all() const { return std::find(is_whole.begin(), is_whole.end(), false) == is_whole.end(); }
};

std::unique_ptr<RecordReader> reader_of(InputStream& stream) {
  switch (detect_input(stream).kind) {
    case InputKind::kArc:
      return std::make_unique<ArcReader>(stream, kMaxBlockBytes);
    case InputKind::kJsonLines:
      return std::make_unique<JsonLinesReader>(stream, kMaxBlockBytes);
    case InputKind::kWarc:
    case InputKind::kEmpty:
      return std::make_unique<WarcReader>(stream, kMaxBlockBytes);
    case InputKind::kHtml:
    case InputKind::kText:
    case InputKind::kPacked:
    case InputKind::kOther:
      return nullptr;  // refused with a message
  }
  return nullptr;
}

Given read(const std::string& bytes, const std::vector<std::string>& blocks) {
  MemorySource source(bytes);
  InputStream stream(source);
  Given given;
  const std::unique_ptr<RecordReader> reader = reader_of(stream);
  if (!reader) {
    given.damages = 1;
    return given;
  }
  WarcRecord record;
  RecordDamage damage;
  for (size_t step = 0;; ++step) {
    const RecordReader::Outcome outcome = reader->next(record, damage);
    if (outcome == RecordReader::Outcome::kEnd || outcome == RecordReader::Outcome::kReadError) return given;
    if (step > bytes.size()) {
      ADD_FAILURE() << "no end";
      return given;
    }
    if (outcome == RecordReader::Outcome::kDamaged) ++given.damages;
    if (outcome != RecordReader::Outcome::kRecord) continue;
    for (size_t number = 0; number < kRecords; ++number) {
      if (record.target_uri == url_of(number) && record.block == blocks[number])
        given.is_whole[number] = true;
    }
  }
}

class UntouchedRecords : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const std::string bytes = joined(pieces_of(GetParam()));
    MemorySource source(bytes);
    InputStream stream(source);
    const std::unique_ptr<RecordReader> reader = reader_of(stream);
    ASSERT_TRUE(reader);
    WarcRecord record;
    RecordDamage damage;
    RecordReader::Outcome outcome;
    while ((outcome = reader->next(record, damage)) == RecordReader::Outcome::kRecord) {
      if (record.type != "warcinfo") blocks_.push_back(record.block);
    }
    ASSERT_EQ(outcome, RecordReader::Outcome::kEnd) << damage.reason;
    ASSERT_EQ(blocks_.size(), kRecords);
  }

  bool is_arc() const {
    return GetParam().format == Format::kArc || GetParam().format == Format::kArcWithoutLineEnds;
  }
  bool is_packed() const { return GetParam().packing != Packing::kPlain; }

  // Only `lost` and, if `neighbours`, those beside it may be missing; and if anything is, that is reported.
  void expect_others(const Pieces& pieces, size_t lost, bool neighbours, const std::string& what) {
    const Given given = read(joined(pieces), blocks_);
    for (size_t number = 0; number < kRecords; ++number) {
      const size_t distance = number > lost ? number - lost : lost - number;
      if (distance <= (neighbours ? 1U : 0U)) continue;
      EXPECT_TRUE(given.is_whole[number])
          << what << " of record " << lost << ": record " << number << " is missing";
    }
    if (!given.all() && (is_packed() || !given.is_whole[lost])) is_reported(given, what, lost);
  }

  void is_reported(const Given& given, const std::string& what, size_t lost) {
    // In a plain file nothing tells that a byte of a page is another one, or that the line of an ARC record
    // is cut.
    if (!is_packed() && (what.starts_with("another byte") || is_arc())) return;
    EXPECT_GT(given.damages, 0U) << what << " of record " << lost;
  }

  std::vector<std::string> blocks_;
};

TEST_P(UntouchedRecords, AByteIsAnotherOne) {
  std::mt19937 random(1);
  for (size_t touched = 0; touched < kRecords; ++touched) {
    const Pieces whole = pieces_of(GetParam());
    for (size_t at = 0; at < whole[touched].size(); at += 1 + random() % 5) {
      Pieces pieces = whole;
      char& byte = pieces[touched][at];
      byte = static_cast<char>(byte ^ static_cast<char>(1 + random() % 255));
      expect_others(pieces, touched, true, "another byte, " + std::to_string(at) + ",");
    }
  }
}

TEST_P(UntouchedRecords, ARecordIsCut) {
  for (size_t touched = 0; touched < kRecords; ++touched) {
    const Pieces whole = pieces_of(GetParam());
    for (size_t size = 1; size + kTolerated < whole[touched].size(); size += 7) {
      Pieces pieces = whole;
      pieces[touched].resize(size);
      // What follows without a line end is no line of its own.
      expect_others(pieces, touched, true, "a cut at " + std::to_string(size));
      pieces.resize(touched + 1);
      const Given given = read(joined(pieces), blocks_);
      // Without a line end the one before may as well be longer than its length.
      const bool ends = is_packed() || GetParam().format != Format::kArcWithoutLineEnds;
      for (size_t number = 0; number + (ends ? 0 : 1) < touched; ++number) {
        EXPECT_TRUE(given.is_whole[number]) << "a cut of the file in record " << touched << " at " << size;
      }
    }
  }
}

TEST_P(UntouchedRecords, ALengthIsWrong) {
  if (GetParam().format == Format::kJsonLines) return;
  for (size_t touched = 0; touched < kRecords; ++touched) {
    for (const int off : {-100, -30, -5, -3, -2, -1, 1, 2, 3, 4, 8, 30, 400, 100000}) {
      const Given given = read(joined(pieces_of(GetParam(), touched, off)), blocks_);
      for (size_t number = 0; number < kRecords; ++number) {
        if (number == touched) continue;
        EXPECT_TRUE(given.is_whole[number]) << off << " in " << touched << ": " << number;
      }
      // By as little as line ends come to, and three bytes more.
      const bool is_small = off >= -3 && off <= 7;
      if (!is_small && !given.is_whole[touched]) {
        EXPECT_GT(given.damages, 0U) << off << " in " << touched;
      }
    }
  }
}

TEST_P(UntouchedRecords, SomethingElseStandsBetween) {
  std::mt19937 random(5);
  std::string noise;
  for (int i = 0; i < 3000; ++i)
    noise += static_cast<char>(random());
  for (const std::string& junk :
       {std::string(5000, '\0'), noise, std::string("An error page.\n"), noise + "\n"}) {
    for (size_t place = 0; place <= kRecords; ++place) {
      Pieces pieces = pieces_of(GetParam());
      pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(place), junk);
      const Given given = read(joined(pieces), blocks_);
      for (size_t number = 0; number < kRecords; ++number) {
        // Without a line end it may as well be longer than its length.
        if (GetParam().format == Format::kArcWithoutLineEnds && number + 1 == place) continue;
        EXPECT_TRUE(given.is_whole[number]) << number << ", " << junk.size() << " bytes before " << place;
      }
      EXPECT_GT(given.damages + (place == kRecords && junk.front() == '\0' ? 1 : 0), 0U) << place;
    }
  }
}

TEST_P(UntouchedRecords, AChecksumIsWrong) {
  if (!is_packed()) return;
  const size_t from_end = GetParam().packing == Packing::kZstd ? 2 : 6;
  for (size_t touched = 0; touched < kRecords; ++touched) {
    Pieces pieces = pieces_of(GetParam());
    char& byte = pieces[touched][pieces[touched].size() - from_end];
    byte = static_cast<char>(byte ^ 1);
    const Given given = read(joined(pieces), blocks_);
    for (size_t number = 0; number < kRecords; ++number)
      EXPECT_EQ(given.is_whole[number], number != touched) << touched;
    EXPECT_EQ(given.damages, 1U) << touched;
  }
}

INSTANTIATE_TEST_SUITE_P(
    AllFormats, UntouchedRecords,
    testing::Values(Case{Format::kWarc, Packing::kPlain}, Case{Format::kWarc, Packing::kGzip},
                    Case{Format::kWarc, Packing::kZstd}, Case{Format::kArc, Packing::kPlain},
                    Case{Format::kArc, Packing::kGzip}, Case{Format::kArc, Packing::kZstd},
                    Case{Format::kArcWithoutLineEnds, Packing::kPlain},
                    Case{Format::kArcWithoutLineEnds, Packing::kGzip},
                    Case{Format::kArcWithoutLineEnds, Packing::kZstd},
                    Case{Format::kJsonLines, Packing::kPlain}, Case{Format::kJsonLines, Packing::kGzip},
                    Case{Format::kJsonLines, Packing::kZstd}),
    [](const auto& tried) { return name_of(tried.param); });

// Members of one size, as parallel compressors write them: they begin anywhere in a record.
TEST(UntouchedBlocks, ADamagedOneCostsWhatItHolds) {
  for (const Format format : {Format::kWarc, Format::kArc, Format::kJsonLines}) {
    std::string plain;
    std::vector<size_t> ends;
    std::vector<std::string> blocks;
    for (size_t number = 0; number < 200; ++number) {
      plain += record_of(format, number);
      ends.push_back(plain.size());
    }
    constexpr size_t kBlockBytes = 5000;
    for (const bool is_zstd : {false, true}) {
      const size_t count = plain.size() / kBlockBytes + 1;
      for (size_t touched = 0; touched < count; touched += 3) {
        std::string bytes;
        for (size_t block = 0; block < count; ++block) {
          std::string member = packed(is_zstd ? Packing::kZstd : Packing::kGzip,
                                      plain.substr(block * kBlockBytes, kBlockBytes));
          if (block == touched)
            member[member.size() / 2] = static_cast<char>(member[member.size() / 2] ^ 0x55);
          bytes += member;
        }
        MemorySource source(bytes);
        InputStream stream(source);
        const std::unique_ptr<RecordReader> reader = reader_of(stream);
        ASSERT_TRUE(reader) << touched;
        std::vector<std::string> urls;
        size_t damages = 0;
        WarcRecord record;
        RecordDamage damage;
        for (RecordReader::Outcome outcome;
             (outcome = reader->next(record, damage)) != RecordReader::Outcome::kEnd;) {
          if (outcome == RecordReader::Outcome::kDamaged) ++damages;
          if (outcome == RecordReader::Outcome::kRecord) urls.push_back(record.target_uri);
        }
        EXPECT_GT(damages, 0U);
        for (size_t number = 0; number < ends.size(); ++number) {
          const size_t begin = number == 0 ? 0 : ends[number - 1];
          // What follows the record in its member must be whole too.
          const bool is_before = ends[std::min(number + 1, ends.size() - 1)] <= touched * kBlockBytes;
          const bool is_behind = begin >= (touched + 1) * kBlockBytes;
          if (!is_before && !is_behind) continue;
          EXPECT_GE(std::count(urls.begin(), urls.end(), url_of(number)), 1)
              << static_cast<int>(format) << is_zstd << " block " << touched << " record " << number;
        }
      }
    }
  }
}

}  // namespace
}  // namespace ndc::test

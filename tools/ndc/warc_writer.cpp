// Writes records with ids made of names rather than drawn, plain or one gzip member each.
#include "warc_writer.hpp"

#include <openssl/sha.h>

#include <algorithm>
#include <limits>
#include <new>

#include "output_text.hpp"

namespace ndc {
namespace {

constexpr int kGzipWindowBits = MAX_WBITS + 16;
constexpr int kMemoryLevel = 8;  // zlib's default
constexpr size_t kPieceBytes = size_t{64} << 10;

void append_encoded(unsigned char byte, std::string& out) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  out += '%';
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

bool is_control(unsigned char byte) {
  return byte < 0x20 || byte == 0x7f;
}

// Whether one character of UTF-8 is a control.
bool is_control(std::string_view character) {
  const auto second = static_cast<unsigned char>(character.size() == 2 ? character[1] : 0xFF);
  return is_control(static_cast<unsigned char>(character[0])) || (character[0] == '\xC2' && second < 0xA0);
}

}  // namespace

std::string name_uuid(const UuidBytes& name_space, std::string_view name) {
  std::string hashed(name_space.begin(), name_space.end());
  hashed.append(name);
  std::array<uint8_t, SHA_DIGEST_LENGTH> digest{};
  SHA1(reinterpret_cast<const unsigned char*>(hashed.data()), hashed.size(), digest.data());
  digest[6] = static_cast<uint8_t>((digest[6] & 0x0f) | 0x50);  // the version
  digest[8] = static_cast<uint8_t>((digest[8] & 0x3f) | 0x80);  // the variant
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < UuidBytes().size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

WarcFields& WarcFields::add(std::string_view name, std::string_view value) {
  text_.append(name).append(": ");
  while (!value.empty()) {
    const size_t length = utf8_sequence(value);
    const std::string_view piece = value.substr(0, length == 0 ? 1 : length);
    value.remove_prefix(piece.size());
    if (length != 0 && !is_control(piece)) {
      text_ += piece;
      continue;
    }
    for (const char c : piece)
      append_encoded(static_cast<unsigned char>(c), text_);
  }
  text_.append("\r\n");
  return *this;
}

WarcFields& WarcFields::add_uri(std::string_view name, std::string_view uri) {
  text_.append(name).append(": <");
  for (const char c : uri) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_control(byte) || byte >= 0x80 || c == ' ' || c == '<' || c == '>' || c == '"') {
      append_encoded(byte, text_);
    } else {
      text_ += c;
    }
  }
  text_.append(">\r\n");
  return *this;
}

WarcWriter::WarcWriter(OutputFile& output, bool compressed) : output_(output), compressed_(compressed) {
  if (compressed_ && deflateInit2(&deflater_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindowBits,
                                  kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
}

WarcWriter::~WarcWriter() {
  if (compressed_) deflateEnd(&deflater_);
}

void WarcWriter::write(const WarcFields& header, const WarcFields& block) {
  std::string record = "WARC/1.1\r\n" + header.text();
  record.append("Content-Type: application/warc-fields\r\nContent-Length: ");
  record.append(std::to_string(block.text().size())).append("\r\n\r\n");
  record.append(block.text()).append("\r\n\r\n");
  if (compressed_) {
    compress(record);
    output_.write(member_);
  } else {
    output_.write(record);
  }
}

void WarcWriter::compress(std::string_view record) {
  deflateReset(&deflater_);
  member_.resize(deflateBound(&deflater_, record.size()));
  // zlib does not write to its input, but has no const for it.
  deflater_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(record.data()));
  deflater_.avail_in = static_cast<uInt>(record.size());
  deflater_.next_out = reinterpret_cast<Bytef*>(member_.data());
  deflater_.avail_out = static_cast<uInt>(member_.size());
  // The bound is large enough for all of it at once.
  deflate(&deflater_, Z_FINISH);
  member_.resize(deflater_.total_out);
}

void WarcWriter::begin_record() {
  if (compressed_) deflateReset(&deflater_);
}

void WarcWriter::append(std::string_view piece) {
  while (!piece.empty()) {
    // zlib counts in 32 bits.
    const std::string_view part =
        piece.substr(0, std::min<size_t>(piece.size(), std::numeric_limits<uInt>::max() / 2));
    piece.remove_prefix(part.size());
    compressed_ ? deflate_pieces(part, Z_NO_FLUSH) : output_.write(part);
  }
}

void WarcWriter::end_record() {
  if (compressed_) deflate_pieces({}, Z_FINISH);
}

void WarcWriter::deflate_pieces(std::string_view piece, int flush) {
  deflater_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
  deflater_.avail_in = static_cast<uInt>(piece.size());
  int outcome = Z_OK;
  do {
    member_.resize(kPieceBytes);
    deflater_.next_out = reinterpret_cast<Bytef*>(member_.data());
    deflater_.avail_out = static_cast<uInt>(member_.size());
    outcome = deflate(&deflater_, flush);
    member_.resize(member_.size() - deflater_.avail_out);
    if (!member_.empty()) output_.write(member_);
    // Where the room was enough, zlib has taken all.
  } while (outcome == Z_OK && deflater_.avail_out == 0);
}

}  // namespace ndc

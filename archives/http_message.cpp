// Parses status line and fields as servers send them, and undoes chunks and content codings.
#include "archives/http_message.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "archives/content_decoding.hpp"

namespace ndc {
namespace {

constexpr int kMaxInterimResponses = 8;
// Real responses have one content coding, rarely two.
constexpr size_t kMaxCodings = 5;
constexpr size_t kMaxChunkSizeDigits = 15;
constexpr size_t kMaxProtocolBytes = 16;
constexpr size_t kStatusDigits = 3;

std::string_view leading_digits(std::string_view text) {
  return text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
}

bool is_protocol_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxProtocolBytes &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); });
}

struct StatusLine {
  bool is_one = false;
  int status = 0;  // as HttpHeader has it
};

// "HTTP/1.1 200 OK", or a line of a protocol that is like it: "RTSP/1.0 200", "HTTPX/1.1 200", "ICY 200".
StatusLine parse_status_line(std::string_view line) {
  const std::string_view name = line.substr(0, std::min(line.find_first_of("/ \t"), line.size()));
  const std::string_view behind = line.substr(name.size());
  const std::string_view code =
      leading_digits(trimmed(behind.substr(std::min(behind.find_first_of(" \t"), behind.size()))));
  const bool is_http = equals_ignoring_case(name, "HTTP");
  if (!behind.starts_with('/')) {
    if (code.empty() || (!is_http && !equals_ignoring_case(name, "ICY"))) return {};
  } else if (!is_http && (!is_protocol_name(name) || leading_digits(behind.substr(1)).empty())) {
    return {};
  }
  const bool has_status = is_http && code.size() == kStatusDigits;
  return {true, has_status ? static_cast<int>(parse_decimal(code).value_or(0)) : 0};
}

// The members of a comma-separated list, in order.
std::vector<std::string_view> list_members(std::string_view list) {
  std::vector<std::string_view> members;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    const std::string_view member = trimmed(list.substr(0, comma));
    if (!member.empty()) members.push_back(member);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return members;
}

enum class Coding { kIdentity, kGzip, kDeflate, kBrotli, kZstd, kUnsupported };

Coding coding_of(std::string_view name) {
  using Entry = std::pair<std::string_view, Coding>;
  static constexpr std::array<Entry, 12> kCodings{{
      {"gzip", Coding::kGzip},
      {"x-gzip", Coding::kGzip},
      {"deflate", Coding::kDeflate},
      {"br", Coding::kBrotli},
      {"compress", Coding::kUnsupported},
      {"x-compress", Coding::kUnsupported},
      {"zstd", Coding::kZstd},
      {"sdch", Coding::kUnsupported},
      {"dcb", Coding::kUnsupported},
      {"dcz", Coding::kUnsupported},
      {"bzip2", Coding::kUnsupported},
      {"xz", Coding::kUnsupported},
  }};
  for (const auto& [known, coding] : kCodings) {
    if (equals_ignoring_case(name, known)) return coding;
  }
  // Servers name charsets, "none" and worse here; browsers take the bytes as they are.
  return Coding::kIdentity;
}

// Text, whatever coding its header names.
bool looks_uncoded(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) return true;
  const std::string_view start = trimmed(bytes.substr(0, 64));
  return !start.empty() && (start.front() == '<' || start.front() == '{');
}

bool is_coded(Coding coding, std::string_view bytes) {
  if (coding == Coding::kGzip) return bytes.starts_with("\x1f\x8b");
  if (coding == Coding::kZstd) return bytes.starts_with("\x28\xb5\x2f\xfd");
  return coding == Coding::kDeflate || coding == Coding::kBrotli;
}

Decoding decode(Coding coding, std::string_view bytes, size_t limit, std::string& out) {
  if (coding == Coding::kGzip) return decode_gzip(bytes, limit, out);
  if (coding == Coding::kDeflate) return decode_deflate(bytes, limit, out);
  if (coding == Coding::kZstd) return decode_zstd(bytes, limit, out);
  return decode_brotli(bytes, limit, out);
}

// Undoes the codings of `list`, the last one first. False: `reason` says why nothing could be decoded.
bool undo_codings(const std::string& list, size_t limit, uint64_t& decodable_bytes, HttpPayload& payload,
                  std::string& storage, std::string& reason) {
  std::vector<std::string_view> names = list_members(list);
  if (names.size() > kMaxCodings) {
    reason = "more than " + std::to_string(kMaxCodings) + " codings on one payload";
    return false;
  }
  std::reverse(names.begin(), names.end());
  for (const std::string_view name : names) {
    const Coding coding = coding_of(name);
    if (coding == Coding::kUnsupported && !looks_uncoded(payload.bytes)) {
      reason = "the content coding " + std::string(name) + " is not supported";
      return false;
    }
    if (payload.bytes.empty() || !is_coded(coding, payload.bytes)) continue;
    std::string decoded;
    const auto allowed = static_cast<size_t>(std::min<uint64_t>(limit, decodable_bytes));
    const Decoding outcome = decode(coding, payload.bytes, allowed, decoded);
    decodable_bytes -= decoded.size();
    payload.too_costly = outcome == Decoding::kOverLimit && allowed < limit;
    if (payload.too_costly) {
      payload.bytes = {};
      return true;
    }
    if (outcome == Decoding::kDamaged && looks_uncoded(payload.bytes)) continue;
    if (outcome == Decoding::kDamaged && decoded.empty()) {
      reason = "the payload is no " + std::string(name) + " data";
      return false;
    }
    payload.cut = payload.cut || outcome != Decoding::kComplete;
    storage = std::move(decoded);
    payload.bytes = storage;
  }
  return true;
}

// Reads a chunk's size line and removes it.
std::optional<size_t> read_chunk_size(std::string_view& data) {
  const size_t line_end = data.find('\n');
  if (line_end == std::string_view::npos) return std::nullopt;
  std::string_view line = data.substr(0, line_end);
  line = trimmed(line.substr(0, std::min(line.find(';'), line.size())));
  size_t size = 0;
  const auto [end, failure] = std::from_chars(line.data(), line.data() + line.size(), size, 16);
  const bool whole = failure == std::errc() && end == line.data() + line.size();
  if (!whole || line.size() > kMaxChunkSizeDigits) return std::nullopt;
  data.remove_prefix(line_end + 1);
  return size;
}

}  // namespace

HttpHeader parse_http_header(std::string_view& message) {
  HttpHeader header;
  for (int count = 0; count <= kMaxInterimResponses; ++count) {
    const std::string_view start =
        message.substr(std::min(message.find_first_not_of("\r\n"), message.size()));
    const size_t line_end = std::min(start.find('\n'), start.size());
    const StatusLine line = parse_status_line(start.substr(0, line_end));
    if (!line.is_one) break;
    header.status = line.status;
    size_t end = header_end(start);
    // A message without its empty line still has its page.
    if (end == std::string_view::npos) {
      const size_t markup = start.find("\n<");
      if (markup != std::string_view::npos) end = markup + 1;
    }
    header.ended = end != std::string_view::npos;
    end = std::min(end, start.size());
    header.fields.parse(start.substr(0, end).substr(std::min(line_end + 1, end)));
    message = start.substr(end);
    if (line.status < 100 || line.status >= 200) break;
  }
  return header;
}

std::optional<HttpPayload> decode_payload(const HttpHeader& header, std::string_view message, size_t limit,
                                          uint64_t& decodable_bytes, std::string& storage,
                                          std::string& reason) {
  HttpPayload payload;
  payload.bytes = message;
  const std::string transfer_codings = header.fields.join("Transfer-Encoding");
  const std::vector<std::string_view> transfers = list_members(transfer_codings);
  const bool chunked = std::any_of(transfers.begin(), transfers.end(), [](std::string_view name) {
    return equals_ignoring_case(name, "chunked");
  });
  if (chunked) {
    std::string joined;
    const Dechunking outcome = decode_chunked(message, joined);
    if (outcome != Dechunking::kNotChunked) {
      payload.cut = outcome == Dechunking::kCut;
      storage = std::move(joined);
      payload.bytes = storage;
    }
  } else if (const auto length = parse_decimal(header.fields.find("Content-Length"))) {
    payload.cut = message.size() < *length;
  }
  for (const std::string& codings : {transfer_codings, header.fields.join("Content-Encoding")}) {
    if (!payload.too_costly && !undo_codings(codings, limit, decodable_bytes, payload, storage, reason))
      return std::nullopt;
  }
  if (payload.bytes.size() > limit) {
    payload.bytes = payload.bytes.substr(0, limit);
    payload.cut = true;
  }
  return payload;
}

Dechunking decode_chunked(std::string_view data, std::string& out) {
  out.clear();
  for (bool first = true;; first = false) {
    const std::optional<size_t> size = read_chunk_size(data);
    if (!size) return first ? Dechunking::kNotChunked : Dechunking::kCut;
    if (*size == 0) return Dechunking::kComplete;
    const std::string_view chunk = data.substr(0, *size);
    const std::string_view behind = data.substr(chunk.size());
    // A text that merely begins with a number has no line end there.
    const bool at_end = behind.empty() || behind == "\r";
    const bool ended = at_end || behind.starts_with("\r\n") || behind.starts_with('\n');
    if (first && !ended) return Dechunking::kNotChunked;
    out.append(chunk);
    if (!ended || at_end) return Dechunking::kCut;
    data = behind.substr(behind.find('\n') + 1);
  }
}

}  // namespace ndc

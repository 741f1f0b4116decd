// Makes the same pages again before and after a kill.
#include "page_stream.hpp"

#include <algorithm>

#include "unit/page_sample.hpp"

namespace crash {
namespace {

constexpr uint64_t kSites = 24;
constexpr uint64_t kRecentPages = 60;  // what is fetched again, copied or removed is seldom older

enum Purpose : uint64_t { kKind, kEarlier, kText, kCopied, kAfter };

}  // namespace

// A bijection of 64 bits (the finalizer of splitmix64).
uint64_t PageStream::draw(uint64_t position, uint64_t purpose) const {
  uint64_t value = (number_ << 48) + position * 8 + purpose + 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

std::string PageStream::prefix() const {
  return "https://www.stream" + std::to_string(number_) + "-";
}

std::string PageStream::site_prefix(uint64_t url_number) const {
  return prefix() + std::to_string(url_number % kSites) + ".example/";
}

std::string PageStream::site(uint64_t url_number) const {
  return "stream" + std::to_string(number_) + "-" + std::to_string(url_number % kSites) + ".example";
}

std::string PageStream::url(uint64_t url_number) const {
  return site_prefix(url_number) + std::to_string(url_number);
}

std::string PageStream::bookmark() const {
  return "stream " + std::to_string(number_);
}

// What the page of this position says: something of its own, nearly what an earlier one says, the same, or
// nothing.
std::string PageStream::text(uint64_t position) const {
  const auto own_article = [this](uint64_t place) { return sample::article(number_ * 1'000'000 + place, 4); };
  const uint64_t kind = draw(position, kText) % 20;
  const uint64_t copied = position - std::min(position, draw(position, kCopied) % kRecentPages);
  if (kind < 11) return sample::html(own_article(position));
  if (kind < 16)
    return sample::html(sample::rewritten(own_article(copied), 1, number_ * 1'000'000 + position));
  if (kind < 19) return sample::html(own_article(copied));
  return "<html><body></body></html>";
}

Operation PageStream::at(uint64_t position) const {
  Operation operation;
  operation.fetched_at_ms = 1'700'000'000'000 + static_cast<int64_t>(position) * 1000;
  const uint64_t kind = draw(position, kKind) % 100;
  const uint64_t earlier = position - std::min(position, draw(position, kEarlier) % kRecentPages);
  operation.url = kind < 70 ? position : earlier;
  if (kind < 96) {
    // Again with what it had at first, which it may have still, or with something else.
    operation.body = text(kind >= 70 && kind < 80 ? earlier : position);
  } else {
    operation.kind = kind < 99 ? Operation::Kind::kRemove : Operation::Kind::kRemoveSite;
  }
  const uint64_t after = draw(position, kAfter) % 200;
  operation.snapshot = after < 8;
  operation.compact = after >= 8 && after < 11;
  operation.reopen = after >= 11 && after < 16;
  return operation;
}

}  // namespace crash

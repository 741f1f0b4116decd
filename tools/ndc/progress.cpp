// Rewrites one line of the terminal, seldom enough that the output costs nothing.
#include "progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr std::chrono::milliseconds kInterval{200};
constexpr std::string_view kEraseLine = "\r\x1b[K";

void write_to_terminal(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

// Before that, the speed says nothing about the remaining time.
constexpr double kMinEstimateSeconds = 1.0;
constexpr double kMinSeconds = 1e-6;

std::string clock_text(double seconds) {
  const auto whole = static_cast<uint64_t>(std::llround(seconds));
  const auto two_digits = [](uint64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  if (whole >= 3600) {
    return std::to_string(whole / 3600) + ":" + two_digits(whole / 60 % 60) + ":" + two_digits(whole % 60);
  }
  return std::to_string(whole / 60) + ":" + two_digits(whole % 60);
}

}  // namespace

StatusLine::StatusLine(bool visible) : visible_(visible), start_(Clock::now()), next_(start_ + kInterval) {}

double StatusLine::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

bool StatusLine::is_due() {
  if (!visible_) return false;
  const Clock::time_point now = Clock::now();
  if (now < next_) return false;
  next_ = now + kInterval;
  return true;
}

void StatusLine::show(std::string_view text) {
  shown_ = true;
  write_to_terminal(std::string(kEraseLine).append(text));
}

void StatusLine::clear() {
  if (!shown_) return;
  write_to_terminal(kEraseLine);
  shown_ = false;
}

double megabytes_per_second(uint64_t bytes, double seconds) {
  return static_cast<double>(bytes) / 1e6 / std::max(seconds, kMinSeconds);
}

std::string remaining_time(uint64_t done, uint64_t all, double elapsed) {
  if (done == 0 || elapsed < kMinEstimateSeconds) return "";
  const double rest = static_cast<double>(all - std::min(all, done));
  return "  ETA " + clock_text(elapsed * rest / static_cast<double>(done));
}

std::string Progress::text(const ProgressCounts& counts, double elapsed) const {
  std::string text = stage_ + with_separators(counts.pages) + " pages";
  if (counts.page_bytes != 0)
    text += "  " + fixed(megabytes_per_second(counts.page_bytes, elapsed), 1) + " MB/s";
  if (counts.duplicates) text += "  " + with_separators(*counts.duplicates) + " duplicates";
  if (total_bytes_) text += remaining_time(counts.input_bytes, *total_bytes_, elapsed);
  return text;
}

}  // namespace ndc

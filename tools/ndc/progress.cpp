#include "progress.hpp"

#include <algorithm>
#include <cstdio>

#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr std::chrono::milliseconds kInterval{200};
constexpr std::string_view kEraseLine = "\r\x1b[K";
// Before that, the speed says nothing about the time that is left.
constexpr double kMinEstimateSeconds = 1.0;
constexpr double kMinSeconds = 1e-6;

std::string clock_text(double seconds) {
  const auto whole = static_cast<uint64_t>(seconds + 0.5);
  const auto two_digits = [](uint64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  if (whole >= 3600) {
    return std::to_string(whole / 3600) + ":" + two_digits(whole / 60 % 60) + ":" + two_digits(whole % 60);
  }
  return std::to_string(whole / 60) + ":" + two_digits(whole % 60);
}

void write_to_terminal(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

double megabytes_per_second(uint64_t bytes, double seconds) {
  return static_cast<double>(bytes) / 1e6 / std::max(seconds, kMinSeconds);
}

Progress::Progress(bool visible, std::optional<uint64_t> total_bytes)
    : visible_(visible), total_bytes_(total_bytes), start_(Clock::now()), next_(start_ + kInterval) {}

double Progress::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void Progress::update(const ProgressCounts& counts) {
  if (!visible_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  shown_ = true;
  write_to_terminal(std::string(kEraseLine) + line(counts));
}

void Progress::clear() {
  if (!shown_) return;
  write_to_terminal(kEraseLine);
  shown_ = false;
}

std::string Progress::line(const ProgressCounts& counts) const {
  const double elapsed = seconds();
  std::string text = with_separators(counts.pages) + " pages  " +
                     fixed(megabytes_per_second(counts.page_bytes, elapsed), 1) + " MB/s  " +
                     with_separators(counts.duplicates) + " duplicates";
  if (total_bytes_ && counts.input_bytes > 0 && elapsed >= kMinEstimateSeconds) {
    const double rest = static_cast<double>(*total_bytes_ - std::min(*total_bytes_, counts.input_bytes));
    text += "  ETA " + clock_text(elapsed * rest / static_cast<double>(counts.input_bytes));
  }
  return text;
}

}  // namespace ndc

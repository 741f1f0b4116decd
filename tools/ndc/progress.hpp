// Shows the progress of a command in a line of the terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ndc {

// One line on standard error, rewritten a few times a second.
//
// One thread at a time.
class StatusLine {
 public:
  explicit StatusLine(bool visible);
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // Shows what `make_text(seconds since the beginning)` returns. Cheap: looks at the clock, seldom writes.
  template <typename MakeText>
  void update(MakeText&& make_text) {
    if (is_due()) show(make_text(seconds()));
  }

  // Erases the line, so that something else can be written.
  void clear();

  // Since the beginning.
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  bool is_due();
  void show(std::string_view text);

  const bool visible_;
  const Clock::time_point start_;
  Clock::time_point next_;
  bool shown_ = false;
};

struct ProgressCounts {
  uint64_t pages = 0;
  uint64_t page_bytes = 0;             // decoded; 0: they are not read any more
  std::optional<uint64_t> duplicates;  // nullopt: not looked for yet
  uint64_t input_bytes = 0;            // read so far, as the files have them
};

// One line on standard error, rewritten a few times a second. One thread at a time.
class Progress {
 public:
  // `total_bytes`: of all inputs, for the time that is left; nullopt if that is not known. `stage`: what the
  // line begins with.
  Progress(bool visible, std::optional<uint64_t> total_bytes, std::string stage = {})
      : line_(visible), total_bytes_(total_bytes), stage_(std::move(stage)) {}

  // Cheap: looks at the clock, seldom writes.
  void update(const ProgressCounts& counts) {
    line_.update([&](double elapsed) { return text(counts, elapsed); });
  }

  // Erases the line, so that something else can be written.
  void clear() { line_.clear(); }

  double seconds() const { return line_.seconds(); }

 private:
  std::string text(const ProgressCounts& counts, double elapsed) const;

  StatusLine line_;
  const std::optional<uint64_t> total_bytes_;
  const std::string stage_;
};

// The time that is left when `done` of `all` took so many seconds: " ETA 1:02", or nothing as long as that
// cannot be estimated.
std::string remaining_time(uint64_t done, uint64_t all, double elapsed);

// Decimal megabytes a second.
double megabytes_per_second(uint64_t bytes, double seconds);

}  // namespace ndc

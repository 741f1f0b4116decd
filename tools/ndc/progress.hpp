// What a person at the terminal sees of a long run.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace ndc {

struct ProgressCounts {
  uint64_t pages = 0;
  uint64_t page_bytes = 0;  // decoded
  uint64_t duplicates = 0;
  uint64_t input_bytes = 0;  // read so far, as the files have them
};

// One line on standard error, written anew a few times a second. One thread at a time.
class Progress {
 public:
  // `total_bytes`: of all inputs, for the time that is left; nullopt if that is not known.
  Progress(bool visible, std::optional<uint64_t> total_bytes);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Cheap: looks at the clock, seldom writes.
  void update(const ProgressCounts& counts);

  // Takes the line away, so that something else can be written.
  void clear();

  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  std::string line(const ProgressCounts& counts) const;

  const bool visible_;
  const std::optional<uint64_t> total_bytes_;
  const Clock::time_point start_;
  Clock::time_point next_;
  bool shown_ = false;
};

// Decimal megabytes a second.
double megabytes_per_second(uint64_t bytes, double seconds);

}  // namespace ndc

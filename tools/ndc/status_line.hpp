// One line on standard error, written anew a few times a second.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace ndc {

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

  // Takes the line away, so that something else can be written.
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

}  // namespace ndc

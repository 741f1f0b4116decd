#include "status_line.hpp"

#include <cstdio>

namespace ndc {
namespace {

constexpr std::chrono::milliseconds kInterval{200};
constexpr std::string_view kEraseLine = "\r\x1b[K";

void write_to_terminal(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
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

}  // namespace ndc

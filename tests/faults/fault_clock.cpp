// Counts the allocations and file calls of a call, and strikes the one that is wanted.
#include "faults/fault_clock.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>

namespace faults {
namespace {

bool background_counts = false;

// The test's own thread is identified before there is another.
thread_local bool is_background = true;
[[maybe_unused]] const bool is_told_apart = (is_background = false, true);

// The test's thread is in the library when it has turned there; the library's threads are, until they call
// back.
thread_local bool has_turned = false;

bool is_in_library() noexcept {
  return is_background != has_turned;
}

// Boilerplate of the clock and of what stands in front of malloc or open, then those that tell callers apart.
constexpr int kOwnFrames = 3;
constexpr int kToldFrames = 12;
constexpr int kHashedFrames = 6;

struct Boilerplate {
  std::array<void*, kOwnFrames + kToldFrames> addresses;
  int count = 0;
};

std::map<uint64_t, Boilerplate>& known_sites() {
  static std::map<uint64_t, Boilerplate> sites;
  return sites;
}

uint64_t note_site() {
  Boilerplate boilerplate;
  boilerplate.count = backtrace(boilerplate.addresses.data(), kOwnFrames + kToldFrames);
  uint64_t hash = 0xcbf29ce484222325;
  for (int i = kOwnFrames; i < std::min(boilerplate.count, kOwnFrames + kHashedFrames); ++i)
    hash =
        (hash ^ reinterpret_cast<uintptr_t>(boilerplate.addresses[static_cast<size_t>(i)])) * 0x100000001b3;
  known_sites().emplace(hash, boilerplate);
  return hash;
}

std::string name_of(void* address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "?";
  std::string text = info.dli_fname;
  text = text.substr(text.rfind('/') + 1);
  char offset[32];
  snprintf(offset, sizeof offset, "+0x%zx",
           reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(info.dli_fbase));
  text += offset;
  if (info.dli_sname == nullptr) return text;
  int status = 0;
  char* const readable = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status);
  text += std::string(" ") + (readable != nullptr ? readable : info.dli_sname);
  std::free(readable);
  return text;
}

}  // namespace

FaultClock memory_clock;
FaultClock file_clock;

void count_background(bool background) noexcept {
  background_counts = background;
}

bool is_inside_call() noexcept {
  return is_in_library() && is_background == background_counts;
}

LibraryCall::LibraryCall(bool inside) noexcept : before_(is_in_library()) {
  has_turned = inside != is_background;
}

LibraryCall::~LibraryCall() {
  has_turned = before_ != is_background;
}

void FaultClock::record(std::vector<FaultPoint>* points) noexcept {
  disarm();
  points_ = points;
}

void FaultClock::arm(uint64_t number, Mode mode, uint32_t kind) noexcept {
  points_ = nullptr;
  passed_ = 0;
  number_ = number;
  mode_ = mode;
  armed_kind_ = kind;
  has_struck_ = false;
}

void FaultClock::disarm() noexcept {
  arm(0, Mode::kOnce);
}

bool FaultClock::strikes(uint32_t kind) noexcept {
  if (!is_inside_call()) return false;
  const uint64_t place = ++passed_;
  if (std::vector<FaultPoint>* const points = points_) {
    const LibraryCall outside(false);
    points->push_back({place, note_site(), call_, kind});
    return false;
  }
  const uint64_t number = number_;
  if (number == 0 || place < number) return false;
  if (place > number) return mode_ != Mode::kOnce;
  has_struck_ = true;
  return true;
}

void FaultClock::end_call() noexcept {
  if (has_struck_) number_ = 0;
}

std::vector<FaultPoint> sample_by_site(const std::vector<FaultPoint>& points, size_t limit) {
  if (points.size() <= limit) return points;
  // In the order in which the sites come first: that is the same in every process.
  std::map<uint64_t, size_t> place_of_site;
  std::vector<std::vector<size_t>> sites;
  for (size_t i = 0; i < points.size(); ++i) {
    const auto [place, is_new] = place_of_site.emplace(points[i].site, sites.size());
    if (is_new) sites.emplace_back();
    sites[place->second].push_back(i);
  }
  std::set<size_t> taken;
  for (const std::vector<size_t>& site : sites)
    taken.insert(site.front());
  const auto take = [&](size_t place) {
    if (taken.size() < limit) taken.insert(place);
  };
  for (const std::vector<size_t>& site : sites)
    take(site.back());
  // Then halves, quarters, eighths: spread over the run.
  for (size_t parts = 2; taken.size() < limit && parts <= points.size() * 2; parts *= 2) {
    for (const std::vector<size_t>& site : sites) {
      for (size_t part = 1; part < parts; part += 2)
        take(site[site.size() * part / parts]);
    }
  }
  std::vector<FaultPoint> out;
  for (size_t place : taken)
    out.push_back(points[place]);
  return out;
}

size_t count_sites(const std::vector<FaultPoint>& points) {
  std::set<uint64_t> sites;
  for (const FaultPoint& point : points)
    sites.insert(point.site);
  return sites.size();
}

std::string describe_site(uint64_t site) {
  const auto found = known_sites().find(site);
  if (found == known_sites().end()) return "";
  std::string text;
  for (int i = kOwnFrames - 1; i < found->second.count; ++i)
    text += "    " + name_of(found->second.addresses[static_cast<size_t>(i)]) + "\n";
  return text;
}

}  // namespace faults

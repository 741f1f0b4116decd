// The order in which things were last used, to find the least recently used one.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "core/hash_map.hpp"
#include "core/memory.hpp"
#include "core/recycling_array.hpp"

namespace nd {

// Things are any numbers. Threads: as a standard container.
class UseOrder {
 public:
  // `secret`: see HashMap.
  explicit UseOrder(uint64_t secret) noexcept : places_(secret) {}

  // Makes it the last one used. Throws std::bad_alloc and has changed nothing; never for a known one.
  void use(uint64_t thing) {
    uint64_t place = places_.find(thing);
    if (place == 0) {
      places_.reserve_more(1);
      place = uint64_t{links_.take()} + 1;
      places_.put(thing, place);
      links_[place - 1].thing = thing;
    } else {
      unlink(links_[place - 1]);
    }
    Link& link = links_[place - 1];
    link.before = last_;
    link.after = 0;
    after(last_) = place;
    last_ = place;
  }
  void forget(uint64_t thing) noexcept {
    const uint64_t place = places_.erase(thing);
    if (place == 0) return;
    unlink(links_[place - 1]);
    links_.give_back(static_cast<uint32_t>(place - 1));
  }
  // Nothing if there is none.
  std::optional<uint64_t> oldest() const noexcept {
    return first_ == 0 ? std::nullopt : std::optional(links_[first_ - 1].thing);
  }

  size_t size() const noexcept { return places_.size(); }
  void swap(UseOrder& other) noexcept {
    places_.swap(other.places_);
    links_.swap(other.links_);
    std::swap(first_, other.first_);
    std::swap(last_, other.last_);
  }
  // Exact, without what the allocator adds.
  uint64_t memory_bytes() const noexcept { return places_.memory_bytes() + links_.memory_bytes(); }

 private:
  // Members are places of links, plus one; 0: none.
  struct Link {
    uint64_t thing = 0;
    uint64_t before = 0;
    uint64_t after = 0;
  };

  uint64_t& after(uint64_t place) noexcept { return place == 0 ? first_ : links_[place - 1].after; }
  uint64_t& before(uint64_t place) noexcept { return place == 0 ? last_ : links_[place - 1].before; }
  void unlink(const Link& link) noexcept {
    after(link.before) = link.after;
    before(link.after) = link.before;
  }

  HashMap<uint64_t> places_;  // of the links
  RecyclingArray<Link> links_;
  uint64_t first_ = 0;
  uint64_t last_ = 0;
};

}  // namespace nd

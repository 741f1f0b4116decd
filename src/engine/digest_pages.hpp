// [8] A digest, a list or an index contains the texts of several groups. It is not a copy of any of them, and
// none of them is a copy of it: containment in a page that also contains other groups' texts does not make a
// duplicate.
//
// Examined only if a page is about to join by a match that is most of one text and little of the other. The
// evidence is two different texts that the larger page contains. If the digest came first and only one of its
// sources is known, there is no evidence yet: that source joins, and is decided again each time it is crawled
// again (Collection::template_changed). There is no evidence either if the budget of the call is used up. The
// last of the rounds that other threads' commits force runs under the writer's lock and does not look for
// digests.
#pragma once

#include <cstdint>

#include "core/result.hpp"
#include "engine/collection.hpp"
#include "engine/decision.hpp"
#include "engine/features.hpp"
#include "engine/verification.hpp"

namespace nd::engine {

class Engine;
struct Scratch;

// For one page, whose decision so far is in the scratch. Threads: one; it takes the engine's lock itself,
// alongside other readers.
class DigestSearch {
 public:
  DigestSearch(const Engine& engine, Scratch& scratch, const Features& page) noexcept
      : engine_(engine), scratch_(scratch), page_(page) {}

  // The group that the page is about to join by a partial match, if not yet examined; null: there is none.
  Prospect* next();
  // If one of the two is a digest, the page does not join by this match, nor by others like it.
  Result<void> weigh(Prospect& joined);

 private:
  struct GroupText {
    const Features* text;
    uint64_t group_id;  // whose contribution it is; 0: others contributed too
  };

  Result<bool> holds_several(const Prospect& joined);
  Result<bool> lies_among_others(const Prospect& joined);
  Result<Verification> compare(const GroupText& a, const GroupText& b);
  SharedFeatures other_part(const Prospect& joined) const;
  void find_others_in(const Prospect& joined) const;

  const Engine& engine_;
  Scratch& scratch_;
  const Features& page_;
};

}  // namespace nd::engine

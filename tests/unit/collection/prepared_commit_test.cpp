// Collection::prepare_commit(): what is done of a commit beside readers, and what becomes of it.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "collection/collection.hpp"
#include "unit/page/feature_sample.hpp"
#include "unit/spotsigs/counted_memory.hpp"
#include "unit/store/memory_run.hpp"

namespace nd::engine {
namespace {

using store::sample::MemoryRun;
using store::sample::MemorySink;

// One collection, with the runs of its tables.
class Known {
 public:
  explicit Known(const Parameters& parameters) : collection_(parameters, 77, counters_) {}

  Collection& operator*() noexcept { return collection_; }
  Collection* operator->() noexcept { return &collection_; }

  // Everything that it knows, table by table; afterwards all of it is in runs.
  using Content = std::map<uint32_t, std::map<uint64_t, std::vector<uint8_t>>>;
  Content take_content() {
    const Vector<uint8_t> state = collection_.state();
    Content content;
    content[0][0].assign(state.begin(), state.end());
    collection_.prepare_freeze();
    collection_.freeze();
    for (const store::TableKind& kind : Collection::table_kinds()) {
      MemorySink sink;
      EXPECT_TRUE(collection_.table(kind.number).write_frozen(sink));
      MemoryRun::Entries entries = sink.take();
      for (const auto& [key, entry] : entries) {
        std::vector<uint8_t>& bytes = content[kind.number][key];
        bytes.assign(entry.bytes().begin(), entry.bytes().end());
        bytes.push_back(entry.erased);
      }
      store::Runs& runs = runs_[kind.number];
      runs.push_back(store::sample::make_run(std::move(entries)));
      collection_.table(kind.number).install(runs);
    }
    collection_.discard();
    return content;
  }

 private:
  Counters counters_;
  Collection collection_;
  std::map<uint32_t, store::Runs> runs_;
};

// With a few keys and signatures that many pages have, and many of its own.
class Pages {
 public:
  explicit Pages(uint64_t seed) : random_(seed) {}

  Features next() {
    ++number_;
    FeatureSample sample;
    sample.url = "https://a" + std::to_string(number_ % 3) + ".example/" + std::to_string(number_);
    sample.site = "a" + std::to_string(number_ % 3) + ".example";
    sample.blocks.push_back({words(static_cast<uint32_t>(number_ * 40), 30)});
    for (uint64_t i = random_() % 60; i > 0; --i)
      sample.keys.push_back(some(300));
    std::set<uint64_t> hashes;
    for (uint64_t i = random_() % 80; i > 0; --i)
      hashes.insert(some(200) >> 16);
    for (const uint64_t hash : hashes)
      sample.spots.push_back(spotsigs::make_packed_spot({hash, 1 + static_cast<uint32_t>(random_() % 3)}));
    return sample.features();
  }
  uint64_t choose(uint64_t count) { return random_() % count; }

 private:
  uint64_t some(uint64_t shared) { return random_() % 3 == 0 ? mix(1 + random_() % shared) : random_(); }

  std::mt19937_64 random_;
  uint64_t number_ = 0;
};

Parameters few_of_a_key() {
  Parameters parameters;
  parameters.index.hot_groups = 12;
  parameters.index.hot_site_groups = 4;
  parameters.index.hot_sites = 2;
  return parameters;
}

// New pages found groups or join one of some that keep being joined.
Outcome some_outcome(Pages& pages, const std::vector<uint64_t>& groups) {
  Outcome outcome;
  outcome.kept = pages.choose(20) != 0;
  outcome.answer.verdict = kNew;
  if (!groups.empty() && pages.choose(2) == 0) {
    outcome.joined = groups[pages.choose(std::min<size_t>(groups.size(), 8))];
    outcome.answer.verdict = kNearDuplicate;
  }
  return outcome;
}

void commit_the_same(const Parameters& parameters, uint64_t seed) {
  Pages pages(seed);
  Known alone(parameters);
  Known prepared(parameters);
  Known hesitant(parameters);
  std::vector<uint64_t> groups;
  for (int step = 1; step <= 600; ++step) {
    const Features page = pages.next();
    const Outcome outcome = some_outcome(pages, groups);
    const Result<Answer> answer = alone->commit(page, outcome);
    ASSERT_TRUE(answer);
    if (outcome.joined == 0 && outcome.kept) groups.push_back(answer->group_id);

    const Vector<uint64_t> parts = counted_parts(page);
    prepared->prepare_commit(page, outcome, parts);
    const Result<Answer> same = prepared->commit(page, outcome, {}, parts);
    prepared->release_replaced();
    ASSERT_TRUE(same);
    ASSERT_EQ(same->group_id, answer->group_id);
    ASSERT_EQ(same->flags, answer->flags);

    for (uint64_t times = pages.choose(3); times > 0; --times) {
      hesitant->prepare_commit(page, outcome, {});
      hesitant->cancel_commit();
      hesitant->release_replaced();
    }
    ASSERT_TRUE(hesitant->commit(page, outcome));
    if (step % 200 == 0) {
      const Known::Content content = alone.take_content();
      ASSERT_EQ(prepared.take_content(), content) << step;
      ASSERT_EQ(hesitant.take_content(), content) << step;
    }
  }
  EXPECT_EQ(prepared->index.hot_count(), alone->index.hot_count());
  EXPECT_EQ(prepared->spots.content_bytes(), alone->spots.content_bytes());
}

TEST(PreparedCommitTest, AddsWhatACommitAloneDoesAndIsTakenBackWithoutATrace) {
  commit_the_same({}, 1);
  commit_the_same(few_of_a_key(), 2);
}

TEST(PreparedCommitTest, DoesTheSameWithoutRoom) {
  Parameters parameters = few_of_a_key();
  parameters.index.bytes = 60'000;
  parameters.spot_source.bytes = 200'000;
  commit_the_same(parameters, 3);
}

TEST(PreparedCommitTest, FailedAllocationsLeaveTheRestToTheCommit) {
  spotsigs::sample::CountedMemory memory;
  {
    const Parameters parameters = few_of_a_key();
    Pages pages(4);
    Known alone(parameters);
    Known prepared(parameters);
    std::vector<uint64_t> groups;
    for (int step = 1; step <= 300; ++step) {
      const Features page = pages.next();
      const Outcome outcome = some_outcome(pages, groups);
      const Result<Answer> answer = alone->commit(page, outcome);
      ASSERT_TRUE(answer);
      if (outcome.joined == 0 && outcome.kept) groups.push_back(answer->group_id);
      memory.fail_after(pages.choose(12), pages.choose(2) == 0);
      bool is_prepared = true;
      try {
        prepared->prepare_commit(page, outcome, {});
      } catch (const std::bad_alloc&) {
        is_prepared = false;
      }
      memory.stop_failing();
      if (!is_prepared) prepared->cancel_commit();
      ASSERT_TRUE(prepared->commit(page, outcome));
      prepared->release_replaced();
      if (step % 100 == 0) {
        ASSERT_EQ(prepared.take_content(), alone.take_content()) << step;
      }
    }
  }
}

}  // namespace
}  // namespace nd::engine

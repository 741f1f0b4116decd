// The table that the baselines' indexes share: budgets, floods and limits under random changes.
#include "baselines/keyed_records.hpp"

#include <gtest/gtest.h>

#include <new>
#include <string>
#include <thread>

#include "baselines/cosine.hpp"
#include "baselines/exact_hash.hpp"
#include "baselines/i_match.hpp"
#include "baselines/shingles.hpp"
#include "unit/baselines/brute_force.hpp"
#include "unit/spotsigs/counted_memory.hpp"

namespace nd::baselines {
namespace {

using sample::Words;
using spotsigs::sample::CountedMemory;

struct Exact {
  ExactHashIndex index;
  explicit Exact(uint64_t secret) : index(secret, sample::kUnlimited) {}
  static std::string text(const Words& words) {
    return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint32_t)};
  }
  bool insert(uint64_t id, const Words& words) { return index.insert(id, text(words)); }
  bool remove(uint64_t id) { return index.remove(id); }
  void start_epoch() {}
  Matches find(const Words& words) const { return index.find(text(words)); }
  Counts counts() const { return index.counts(); }
  double score(const Words& asked, const Words& kept) const {
    return exact_score(text(asked), text(kept)) == 1 ? 1 : -1;
  }
};

TEST(ExactHashTest, EqualsBruteForceUnderRandomChanges) {
  for (uint64_t seed = 1; seed < 4; ++seed) {
    Exact baseline(seed);
    EXPECT_GT(sample::compare_with_brute_force(baseline, seed, 5), 5U);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(ExactHashTest, TheEmptyTextIsAText) {
  ExactHashIndex index(1, {});
  EXPECT_TRUE(index.insert(1, ""));
  EXPECT_EQ(index.find("").matches.size(), 1U);
  EXPECT_TRUE(index.find(std::string_view("\0", 1)).matches.empty());
}

TEST(KeyedRecordsTest, TheOldestMakeRoomWithinTheBudget) {
  ShingleIndex index(1, {}, {20000, 0, 0});
  uint64_t inserted = 0;
  for (uint64_t id = 1; id <= 400; ++id) {
    inserted += index.insert(id, ShingleSet{id, id + 1000, id + 2000});
    ASSERT_LE(index.content_bytes(), 20000U);
  }
  EXPECT_EQ(inserted, 400U);
  EXPECT_GT(index.counts().evicted, 200U);
  EXPECT_EQ(index.counts().documents + index.counts().evicted, 400U);
  EXPECT_TRUE(index.find(ShingleSet{1, 1001, 2001}).matches.empty());
  EXPECT_EQ(index.find(ShingleSet{400, 1400, 2400}).matches.size(), 1U);
  EXPECT_FALSE(index.insert(500, ShingleSet(1000, 7)));
  EXPECT_FALSE(index.insert(400, ShingleSet{1}));
  EXPECT_FALSE(index.insert(501, ShingleSet{}));
  EXPECT_EQ(index.counts().refused, 3U);
}

TEST(KeyedRecordsTest, LimitsCutAFloodAndTellIt) {
  ExactHashIndex index(1, {0, 100, 10});
  for (uint64_t id = 1; id <= 500; ++id)
    index.insert(id, "page");
  const Matches answer = index.find("page");
  EXPECT_TRUE(answer.limited);
  EXPECT_TRUE(answer.more);
  EXPECT_EQ(answer.postings, 100U);
  EXPECT_EQ(answer.compared, 100U);
  ASSERT_EQ(answer.matches.size(), 10U);
  EXPECT_EQ(answer.matches[0].id, 401U);  // of the newest hundred the oldest
  ExactHashIndex open(1, {0, 500, 500});
  for (uint64_t id = 1; id <= 500; ++id)
    open.insert(id, "page");
  EXPECT_FALSE(open.find("page").limited);
  EXPECT_FALSE(open.find("page").more);
}

// A shingle of boilerplate may be before all others in the order of hashes.
TEST(KeyedRecordsTest, AKeyThatManyHaveDoesNotHideTheOthers) {
  ShingleIndex index(1, {.threshold = 500}, {0, 100, 10});
  const auto page = [](uint64_t id) { return ShingleSet{1, 1000 * id, 1000 * id + 1, 1000 * id + 2}; };
  for (uint64_t id = 1; id <= 500; ++id)
    index.insert(id, page(id));
  const Matches answer = index.find(page(7));
  EXPECT_TRUE(answer.limited);
  EXPECT_EQ(answer.postings, 100U);
  EXPECT_EQ(sample::answers(answer), (std::vector<sample::Answer>{{7, 1}}));
}

// Many long documents that share a key with the one that asks, and little else.
TEST(KeyedRecordsTest, ASearchReadsNoMoreThanItsLimit) {
  constexpr uint64_t kLength = 1000;
  ShingleIndex index(1, {.threshold = 500}, {0, 0, 0, 100 * 2 * kLength * sizeof(uint64_t)});
  const auto page = [](uint64_t id) {
    ShingleSet set = {1};
    while (set.size() < kLength)
      set.push_back(id * kLength + set.size());
    return set;
  };
  for (uint64_t id = 1; id <= 300; ++id)
    index.insert(id, page(id));
  const Matches answer = index.find(page(3));
  EXPECT_TRUE(answer.limited);
  EXPECT_EQ(answer.compared, 100U);
  EXPECT_EQ(sample::answers(answer), (std::vector<sample::Answer>{{3, 1}})) << "it shares most keys";
  ShingleIndex free(1, {.threshold = 500}, {0, 0, 0, 0});
  for (uint64_t id = 1; id <= 300; ++id)
    free.insert(id, page(id));
  EXPECT_FALSE(free.find(page(3)).limited);
  EXPECT_EQ(free.find(page(3)).compared, 300U);
}

TEST(KeyedRecordsTest, AnswersDoNotDependOnTheSecret) {
  const auto run = [](uint64_t secret) {
    sample::Random random(7);
    CosineIndex index(secret, {300, 50}, {30000, 200, 5});
    std::vector<Words> texts;
    std::vector<sample::Answer> all;
    for (uint64_t id = 0; id < 400; ++id) {
      texts.push_back(random.next(texts, 100, 60));
      Vector<TermCount> terms;
      count_terms(texts.back(), 100, terms);
      for (const sample::Answer& answer : sample::answers(index.find(terms)))
        all.push_back(answer);
      index.insert(id, terms);
      if (index.epoch_due()) index.start_epoch();
      if (id % 5 == 0) index.remove(id / 2);
    }
    EXPECT_GT(index.counts().evicted, 0U);
    return all;
  };
  const std::vector<sample::Answer> first = run(1);
  EXPECT_GT(first.size(), 50U);
  EXPECT_EQ(first, run(0x9e3779b97f4a7c15ULL));
}

// Every index in turn: what it says it holds is what it holds, and a failed call has changed nothing.
template <typename Index, typename Insert>
void check_memory(CountedMemory& memory, const Index& index, const Insert& insert) {
  sample::Random random(1);
  std::vector<Words> texts;
  uint64_t failures = 0;
  for (uint64_t id = 1; id <= 60; ++id) {
    texts.push_back(random.next(texts, 300, 80));
    Words words = texts.back();
    const uint64_t documents = index.counts().documents;
    for (uint64_t left = 0;; ++left) {
      memory.fail_after(left, true);
      try {
        insert(id, words);
        memory.stop_failing();
        break;
      } catch (const std::bad_alloc&) {
        EXPECT_TRUE(memory.stop_failing());
        ++failures;
        ASSERT_EQ(index.counts().documents, documents);
      }
    }
    ASSERT_EQ(index.memory_bytes(), memory.held_bytes()) << id;
  }
  EXPECT_GT(failures, 50U);
}

TEST(KeyedRecordsTest, MemoryBytesIsWhatIsHeldAndFailuresChangeNothing) {
  const auto counted = [](const Words& words) {
    Vector<TermCount> terms;
    count_terms(words, 4096, terms);
    return terms;
  };
  CountedMemory memory;
  {
    ShingleIndex index(1, {}, {});
    check_memory(memory, index, [&](uint64_t id, const Words& words) {
      ShingleSet set;
      make_shingles(words, {}, set);
      index.insert(id, set);
    });
  }
  {
    MinHashIndex index(1, {}, {});
    check_memory(memory, index, [&](uint64_t id, const Words& words) {
      ShingleSet set;
      make_shingles(words, {}, set);
      MinHashSketch sketch;
      make_sketch(set, {}, sketch);
      index.insert(id, sketch);
    });
  }
  {
    CosineIndex index(1, {}, {});
    check_memory(memory, index, [&](uint64_t id, const Words& words) {
      if (id % 10 == 0) index.start_epoch();
      index.insert(id, counted(words));
    });
  }
  {
    IMatchIndex index(1, {}, {});
    check_memory(memory, index, [&](uint64_t id, const Words& words) {
      if (id % 10 == 0) index.start_epoch();
      index.insert(id, counted(words));
    });
  }
  {
    ExactHashIndex index(1, {});
    check_memory(memory, index,
                 [&](uint64_t id, const Words& words) { index.insert(id, Exact::text(words)); });
  }
  EXPECT_EQ(memory.held_bytes(), 0U);
}

}  // namespace
}  // namespace nd::baselines

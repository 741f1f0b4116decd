// What is known about sites over a store: the layers in which a site is make no difference.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "collection/site_knowledge.hpp"
#include "unit/collection/counted_page_sample.hpp"
#include "unit/store/memory_run.hpp"

namespace nd::engine {
namespace {

constexpr uint64_t kCountedSites = 40;
constexpr uint64_t kCountedHashes = 60;
constexpr SiteKnowledgeLimits kNarrowLimits = {.parts_per_site = 25, .bytes = 20'000};

// The same call on each.
class KnowledgeCall {
 public:
  explicit KnowledgeCall(std::mt19937_64& random)
      : kind_(random() % 8),
        // A few sites are visited often, so that the others are forgotten.
        site_(1 + (random() % 2 == 0 ? random() % 4 : random() % kCountedSites)),
        page_(some_page(random)),
        old_page_(some_page(random)) {}
  void apply(SiteKnowledge& knowledge) const {
    if (kind_ < 5) knowledge.learn(site_, page_);
    if (kind_ == 5) replace(knowledge, site_, old_page_, page_);
    if (kind_ > 5) knowledge.forget(site_, page_);
  }

 private:
  static Features some_page(std::mt19937_64& random) {
    std::vector<uint64_t> hashes(random() % 12);
    for (uint64_t& hash : hashes)
      hash = mix(1 + random() % kCountedHashes);
    return counted_page(hashes, {symbol_of(static_cast<uint32_t>(random() % 9))});
  }

  uint64_t kind_, site_;
  Features page_, old_page_;
};

std::vector<uint64_t> state_of(SiteKnowledge& knowledge) {
  return {knowledge.table().size(), knowledge.state().content_bytes, knowledge.state().clock};
}

// All that is known of a site.
std::vector<uint32_t> counts_of(const SiteKnowledge& knowledge, uint64_t site) {
  std::vector<uint64_t> hashes;
  for (uint64_t hash = 1; hash <= kCountedHashes; ++hash)
    hashes.push_back(mix(hash));
  std::vector<Symbol> title;
  for (uint32_t word = 0; word < 9; ++word)
    title.push_back(symbol_of(word));
  const CountedPage page = counted(knowledge, site, counted_page(hashes, title));
  std::vector<uint32_t> out = {page.pages};
  out.insert(out.end(), page.blocks.begin(), page.blocks.end());
  out.insert(out.end(), page.title.begin(), page.title.end());
  return out;
}

// Frozen, written, installed and reopened as the random numbers say.
class StoredKnowledge {
 public:
  StoredKnowledge() { open({}, 0); }
  SiteKnowledge& knowledge() { return *knowledge_; }

  void disturb(std::mt19937_64& random) {
    if (random() % 8 == 0) {
      ASSERT_TRUE(snapshots_.step(knowledge_->table(), random));
    }
    if (random() % 40 == 0) reopen(random);
  }

 private:
  void reopen(std::mt19937_64& random) {
    ASSERT_TRUE(snapshots_.finish(knowledge_->table(), random));
    open(knowledge_->state(), knowledge_->table().size());
  }
  void open(const SiteKnowledge::State& state, uint64_t record_count) {
    knowledge_ = std::make_unique<SiteKnowledge>(9, kNarrowLimits);
    knowledge_->table().attach(snapshots_.runs(), record_count);
    knowledge_->restore(state);
  }

  store::sample::Snapshots snapshots_;
  std::unique_ptr<SiteKnowledge> knowledge_;
};

TEST(SiteKnowledgeLayers, TheSameCallsGiveTheSameCountsInAllLayers) {
  std::mt19937_64 random(21);
  SiteKnowledge plain(9, kNarrowLimits);
  StoredKnowledge first, second;
  for (int round = 0; round < 3000; ++round) {
    const KnowledgeCall call(random);
    call.apply(plain);
    ASSERT_LE(plain.content_bytes(), kNarrowLimits.bytes);
    for (StoredKnowledge* stored : {&first, &second}) {
      call.apply(stored->knowledge());
      ASSERT_EQ(state_of(stored->knowledge()), state_of(plain)) << round;
      const uint64_t site = 1 + random() % kCountedSites;
      ASSERT_EQ(counts_of(stored->knowledge(), site), counts_of(plain, site)) << round;
      stored->disturb(random);
    }
  }
  for (uint64_t site = 1; site <= kCountedSites; ++site) {
    ASSERT_EQ(counts_of(first.knowledge(), site), counts_of(plain, site)) << site;
    ASSERT_EQ(counts_of(second.knowledge(), site), counts_of(plain, site)) << site;
  }
  EXPECT_GT(plain.dropped_count(), 100U) << "the limits were met";
}

TEST(SiteKnowledgeLayers, ContentIsWhatTheSitesHold) {
  SiteKnowledge knowledge(9, {});
  std::mt19937_64 random(4);
  for (int round = 0; round < 500; ++round)
    KnowledgeCall(random).apply(knowledge);
  knowledge.table().prepare_freeze();
  knowledge.table().freeze();
  store::sample::MemorySink sink;
  ASSERT_TRUE(knowledge.table().write_frozen(sink));
  uint64_t content = 0;
  for (const auto& [key, entry] : sink.take()) {
    const std::optional<SiteModelView> site = SiteModel::parse(entry.bytes());
    ASSERT_TRUE(site);
    content += 64 + site->part_count() * 48;
  }
  EXPECT_EQ(content, knowledge.content_bytes());
}

TEST(SiteKnowledgeLayers, ReadingCopiesNothingIntoMemory) {
  SiteKnowledge knowledge(9, {});
  std::mt19937_64 random(4);
  for (int round = 0; round < 500; ++round)
    KnowledgeCall(random).apply(knowledge);
  store::sample::Snapshots snapshots;
  ASSERT_TRUE(snapshots.finish(knowledge.table(), random));
  const uint64_t before = knowledge.memory_bytes();
  for (uint64_t site = 1; site <= kCountedSites; ++site)
    counts_of(knowledge, site);
  knowledge.forget(1000, counted_page({1}));
  EXPECT_EQ(knowledge.memory_bytes(), before);
}

// Site 1 has this record in a run.
void attach(const SiteModel& record, SiteKnowledge& knowledge) {
  Vector<uint8_t> bytes;
  record.write(bytes);
  store::sample::MemoryRun::Entries entries;
  entries[1] = store::sample::MemoryEntry::of(bytes);
  knowledge.table().attach({store::sample::make_run(std::move(entries))}, 1);
  knowledge.restore({bytes.size(), 1});
}

// A record that claims any number of pages.
TEST(SiteKnowledgeLayers, HugeCountsDoNotOverflow) {
  for (const uint32_t pages : {1U, 4095U, 4096U, UINT32_MAX}) {
    for (const uint32_t seen : {0U, 1U, UINT32_MAX}) {
      for (const uint16_t with : {uint16_t{0}, uint16_t{1}, uint16_t{UINT16_MAX}}) {
        for (const uint32_t first : {0U, 1U, UINT32_MAX}) {
          SiteModel record(3);
          record.header.pages = pages;
          record.header.seen = seen;
          record.parts[10] = {with, with, first};
          SiteKnowledge knowledge(9, {});
          attach(record, knowledge);
          const Features page = counted_page({10, 11});
          const auto expect_possible = [&] {
            const CountedPage found = counted(knowledge, 1, page);
            EXPECT_LE(found.blocks[0], found.pages);
            EXPECT_LE(found.blocks[1], found.pages);
            if (with == UINT16_MAX) {
              EXPECT_GT(found.blocks[0], 0U) << "it did not become nothing";
            }
          };
          expect_possible();
          for (int i = 0; i < 3; ++i) {
            knowledge.learn(1, page);
            expect_possible();
          }
          replace(knowledge, 1, page, counted_page({10}));
          expect_possible();
        }
      }
    }
  }
}

// Sites that lie, and a state that fits none of them: nothing is promised of the counts.
TEST(SiteKnowledgeLayers, ADamagedRunHarmsNothing) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 25; ++round) {
    store::sample::MemoryRun::Entries entries;
    for (uint64_t site = 1; site <= kCountedSites; ++site) {
      std::vector<uint8_t> bytes(random() % 3 == 0 ? random() % 500
                                                   : sizeof(SiteModelHeader) + random() % 40 * 16);
      for (uint8_t& byte : bytes)
        byte = static_cast<uint8_t>(random() % 4 == 0 ? 0xff : random());
      entries[site] = store::sample::MemoryEntry::of(bytes);
    }
    SiteKnowledge knowledge(9, kNarrowLimits);
    knowledge.table().attach({store::sample::make_run(std::move(entries))},
                             round % 2 == 0 ? kCountedSites : 0);
    knowledge.restore({round % 3 == 0 ? 0 : 50'000U, random() % 100});
    for (int i = 0; i < 120; ++i) {
      KnowledgeCall(random).apply(knowledge);
      counts_of(knowledge, 1 + random() % kCountedSites);
    }
    knowledge.table().prepare_freeze();
    knowledge.table().freeze();
    store::sample::MemorySink sink;
    EXPECT_TRUE(knowledge.table().write_frozen(sink));
  }
}

// A store that tells of more content than it has would have its sites forgotten, some with each page.
TEST(SiteKnowledgeLayers, ContentThatIsNotThereForgetsNothing) {
  SiteKnowledge knowledge(7, {});
  for (uint64_t site = 1; site <= 64; ++site)
    knowledge.learn(site, counted_page({1}));
  SiteKnowledge::State state = knowledge.state();
  const uint64_t content_bytes = state.content_bytes;
  state.content_bytes = uint64_t{1} << 60;
  knowledge.restore(state);
  knowledge.learn(1, counted_page({1}));
  EXPECT_EQ(knowledge.table().size(), 64U);
  EXPECT_EQ(knowledge.state().content_bytes, content_bytes);
}

}  // namespace
}  // namespace nd::engine

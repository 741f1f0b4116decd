// The model of sites over a store: the layers in which a site is make no difference.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "engine/site_templates.hpp"
#include "unit/store/memory_run.hpp"

namespace nd::engine {
namespace {

constexpr uint64_t kSites = 40;
constexpr uint64_t kGroups = 12;
constexpr uint64_t kHashes = 60;

std::vector<FeatureBlock> some_blocks(std::mt19937_64& random) {
  std::vector<FeatureBlock> blocks(random() % 12);
  for (FeatureBlock& block : blocks)
    block = {mix(1 + random() % kHashes), 0, 255, 0, {}};
  return blocks;
}

// The same call on every model.
class Call {
 public:
  explicit Call(std::mt19937_64& random)
      : kind_(random() % 8),
        // A few sites are visited often, so that the others are forgotten.
        site_(random() % 2 == 0 ? random() % 4 : random() % kSites),
        group_(1 + random() % kGroups),
        other_group_(1 + random() % kGroups),
        blocks_(some_blocks(random)),
        old_blocks_(some_blocks(random)) {}
  void apply(SiteTemplates& model) const {
    if (kind_ < 4) model.learn({site_}, blocks_, group_, kind_ < 3);
    if (kind_ == 4) model.relearn({site_}, old_blocks_, other_group_, blocks_, group_);
    if (kind_ == 5 || kind_ == 6) model.unlearn({site_}, blocks_, group_);
    if (kind_ == 7) model.note_suspected_copies(site_, group_, other_group_);
  }

 private:
  uint64_t kind_, site_, group_, other_group_;
  std::vector<FeatureBlock> blocks_, old_blocks_;
};

std::vector<uint64_t> state_of(SiteTemplates& model) {
  const SiteTemplates::State state = model.state();
  return {model.site_count(), model.table().size(), state.content_bytes, state.clock, state.last_version};
}

// All that the model answers of a site.
std::vector<uint64_t> answers(const SiteTemplates& model, uint64_t site) {
  std::vector<FeatureBlock> blocks;
  for (uint64_t hash = 1; hash <= kHashes; ++hash)
    blocks.push_back({mix(hash), 0, 255, 0, {}});
  std::vector<uint64_t> out = {model.version(site)};
  std::vector<uint8_t> marks(blocks.size());
  for (uint64_t group = 0; group <= kGroups; ++group) {
    out.push_back(model.is_young(site, group));
    model.mark_boilerplate({site}, blocks, group, marks, group % 3);
    out.insert(out.end(), marks.begin(), marks.end());
  }
  return out;
}

// A model that is frozen, written, installed and reopened as the random numbers say.
class StoredModel {
 public:
  explicit StoredModel(const TemplateParameters& parameters) : parameters_(parameters) { open({}, 0); }
  SiteTemplates& model() { return *model_; }

  void disturb(std::mt19937_64& random) {
    if (random() % 8 == 0) {
      ASSERT_TRUE(snapshots_.step(model_->table(), random));
    }
    if (random() % 40 == 0) reopen(random);
  }

 private:
  void reopen(std::mt19937_64& random) {
    ASSERT_TRUE(snapshots_.finish(model_->table(), random));
    const SiteTemplates::State state = model_->state();
    open(state, model_->table().size());
  }
  void open(const SiteTemplates::State& state, uint64_t record_count) {
    model_ = std::make_unique<SiteTemplates>(9, parameters_);
    model_->table().attach(snapshots_.runs(), record_count);
    model_->restore(state);
  }

  TemplateParameters parameters_;
  store::sample::Snapshots snapshots_;
  std::unique_ptr<SiteTemplates> model_;
};

TEST(SiteLayers, TheSameCallsGiveTheSameAnswersInAllLayers) {
  TemplateParameters parameters;
  parameters.blocks_per_site = 25;
  parameters.bytes = 24'000;  // of about 40'000
  std::mt19937_64 random(21);
  SiteTemplates plain(9, parameters);
  StoredModel first(parameters), second(parameters);
  uint64_t most_content = 0, forgotten = 0, last_count = 0;
  for (int round = 0; round < 2000; ++round) {
    const Call call(random);
    call.apply(plain);
    for (StoredModel* stored : {&first, &second}) {
      call.apply(stored->model());
      ASSERT_EQ(state_of(stored->model()), state_of(plain)) << round;
      const uint64_t site = random() % kSites;
      ASSERT_EQ(answers(stored->model(), site), answers(plain, site)) << round;
      stored->disturb(random);
    }
    most_content = std::max(most_content, plain.content_bytes());
    forgotten += plain.site_count() < last_count;
    last_count = plain.site_count();
  }
  for (uint64_t site = 0; site < kSites; ++site) {
    ASSERT_EQ(answers(first.model(), site), answers(plain, site)) << site;
    ASSERT_EQ(answers(second.model(), site), answers(plain, site)) << site;
  }
  EXPECT_LE(most_content, parameters.bytes);
  EXPECT_GT(forgotten, 20U) << "the limit was met";
}

TEST(SiteLayers, ContentIsWhatTheSitesHold) {
  SiteTemplates model(9, {});
  std::mt19937_64 random(4);
  for (int round = 0; round < 500; ++round)
    Call(random).apply(model);
  model.table().prepare_freeze();
  model.table().freeze();
  store::sample::MemorySink sink;
  ASSERT_TRUE(model.table().write_frozen(sink));
  const store::sample::MemoryRun::Entries entries = sink.take();
  uint64_t content = 0;
  for (const auto& [key, entry] : entries) {
    const std::optional<SiteView> site = SiteRecord::parse(entry.bytes());
    ASSERT_TRUE(site);
    content += sizeof(SiteHeader) + site->block_count() * 80;
  }
  EXPECT_EQ(entries.size(), model.table().size());
  EXPECT_GT(entries.size(), model.site_count()) << "shelves as well";
  EXPECT_EQ(content, model.content_bytes());
}

TEST(SiteLayers, ReadingCopiesNothingIntoMemory) {
  SiteTemplates model(9, {});
  std::mt19937_64 random(4);
  for (int round = 0; round < 500; ++round)
    Call(random).apply(model);
  store::sample::Snapshots snapshots;
  ASSERT_TRUE(snapshots.finish(model.table(), random));
  const uint64_t before = model.memory_bytes();
  for (uint64_t site = 0; site < kSites; ++site)
    answers(model, site);
  model.note_suspected_copies(1000, 1, 2);
  model.unlearn({1000}, some_blocks(random), 1);
  EXPECT_EQ(model.memory_bytes(), before);
}

// Sites that lie, and a state that fits none of them: nothing is promised of the answers.
TEST(SiteLayers, ADamagedRunHarmsNothing) {
  TemplateParameters parameters;
  parameters.blocks_per_site = 25;
  parameters.bytes = 24'000;
  std::mt19937_64 random(8);
  for (int round = 0; round < 25; ++round) {
    store::sample::MemoryRun::Entries entries;
    for (uint64_t site = 0; site < kSites; ++site) {
      std::vector<uint8_t> bytes(random() % 3 == 0 ? random() % 500
                                                   : sizeof(SiteHeader) + random() % 40 * 36);
      for (uint8_t& byte : bytes)
        byte = static_cast<uint8_t>(random() % 4 == 0 ? 0xff : random());
      entries[site] = store::sample::MemoryEntry::of(bytes);
    }
    SiteTemplates model(9, parameters);
    model.table().attach({store::sample::make_run(std::move(entries))}, round % 2 == 0 ? kSites : 0);
    model.restore({round % 3 == 0 ? 0 : 50'000U, random() % 100, random()});
    for (int i = 0; i < 120; ++i) {
      Call(random).apply(model);
      answers(model, random() % kSites);
    }
    model.table().prepare_freeze();
    model.table().freeze();
    store::sample::MemorySink sink;
    EXPECT_TRUE(model.table().write_frozen(sink));
  }
}

// A store that tells of more content than it has would have its sites forgotten, some with each page.
TEST(SiteLayers, ContentThatIsNotThereForgetsNothing) {
  TemplateParameters parameters;
  parameters.shared_blocks = 0;
  SiteTemplates written(7, parameters);
  const std::vector<FeatureBlock> blocks = {{mix(1), 0, 255, 0, {}}};
  for (uint64_t site = 1; site <= 64; ++site)
    written.learn({site}, blocks, 1, true);
  SiteTemplates::State state = written.state();
  const uint64_t content_bytes = state.content_bytes;
  state.content_bytes = uint64_t{1} << 60;
  written.restore(state);
  written.learn({1}, blocks, 2, true);
  const uint64_t passed_before = written.probe_count();
  EXPECT_EQ(written.site_count(), 64u);
  EXPECT_EQ(written.state().content_bytes, content_bytes);
  written.learn({2}, blocks, 2, true);
  EXPECT_EQ(written.probe_count() - passed_before, blocks.size());
}

}  // namespace
}  // namespace nd::engine

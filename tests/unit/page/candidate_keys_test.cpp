// Keys against a plain search: which blocks give some, where shingles begin, what short pages have.
#include "page/candidate_keys.hpp"

#include <gtest/gtest.h>

#include <set>

#include "unit/page/feature_sample.hpp"

namespace nd::engine {
namespace {

uint64_t plain_hash(const Symbol* begin, size_t count) {
  uint64_t hash = 0;
  for (size_t k = 0; k < count; ++k)
    hash = hash * 0x9e3779b97f4a7c15ULL + mix(begin[k]);
  return hash;
}

// The smallest shingle hashes as a plain set would find them. All text of a short page is one run, and a run
// too short for a shingle is one.
std::vector<uint64_t> shingles_of(const Features& features, const KeyParameters& parameters, bool all_text) {
  std::vector<std::vector<Symbol>> texts(1);
  for (size_t i = 0; i < features.blocks().size(); ++i) {
    const FeatureBlock& block = features.blocks()[i];
    if (block.dropped != 0 || (!all_text && block.weight < 102)) continue;
    if (!all_text) texts.emplace_back();
    texts.back().insert(texts.back().end(), features.symbols().begin() + block.token_begin,
                        features.symbols().begin() + token_end(features, i));
  }
  std::set<uint64_t> hashes;
  const auto add = [&](const std::vector<Symbol>& text) {
    for (size_t begin = 0; begin < text.size(); ++begin) {
      const size_t count =
          symbol_width(text[begin]) == 2 ? parameters.wide_shingle_tokens : parameters.shingle_tokens;
      if (begin + count <= text.size()) hashes.insert(plain_hash(&text[begin], count));
    }
  };
  for (const std::vector<Symbol>& text : texts)
    add(text);
  if (!all_text && hashes.empty()) {
    std::vector<Symbol> whole;
    for (size_t i = 0; i < features.blocks().size(); ++i) {
      if (features.blocks()[i].dropped != 0) continue;
      whole.insert(whole.end(), features.symbols().begin() + features.blocks()[i].token_begin,
                   features.symbols().begin() + token_end(features, i));
    }
    add(whole);
  }
  if (all_text && hashes.empty() && !texts.back().empty())
    hashes.insert(plain_hash(texts.back().data(), texts.back().size()));
  std::vector<uint64_t> out(hashes.begin(), hashes.end());
  out.resize(std::min<size_t>(out.size(), parameters.relaxed_keys));
  return out;
}

Vector<uint64_t> keys_of(const Features& features, const KeyParameters& parameters,
                         uint32_t& fingerprint_count) {
  KeyBuilder builder;
  Vector<uint64_t> keys;
  fingerprint_count =
      builder.build(features.blocks(), features.sentences(), features.symbols(), parameters, keys);
  return keys;
}

TEST(CandidateKeysTest, ShinglesEqualAPlainSearch) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    FeatureSample sample;
    for (uint64_t block = 0; block < random() % 6; ++block) {
      BlockSample each;
      for (uint64_t i = random() % 60; i > 0; --i)
        each.words.push_back(static_cast<uint32_t>(random() % 50));  // repeats, so that equal shingles occur
      each.weight = static_cast<uint8_t>(random() % 256);
      each.dropped = random() % 5 == 0;
      sample.blocks.push_back(each);
    }
    const Features features = sample.features();
    KeyParameters parameters = key_parameters_of(Parameters{});
    parameters.relaxed_keys = static_cast<uint16_t>(1 + random() % 40);
    parameters.shingle_tokens = static_cast<uint16_t>(1 + random() % 8);
    const bool all_text = KeyBuilder::uses_all_text(features.blocks(), features.symbols(), parameters);
    uint32_t fingerprint_count = 0;
    const Vector<uint64_t> keys = keys_of(features, parameters, fingerprint_count);
    EXPECT_EQ(fingerprint_count, 0U);
    EXPECT_EQ(std::vector<uint64_t>(keys.begin(), keys.end()), shingles_of(features, parameters, all_text))
        << round;
  }
}

TEST(CandidateKeysTest, AShingleThatStartsWideIsLonger) {
  std::vector<Symbol> symbols;
  for (uint32_t i = 0; i < 75; ++i)
    symbols.push_back(make_symbol(static_cast<uint32_t>(mix(i + 1)), 2));
  KeyParameters parameters = key_parameters_of(Parameters{});
  parameters.relaxed_keys = 100;
  KeyBuilder builder;
  Vector<uint64_t> keys;
  builder.build(std::vector<FeatureBlock>{{1, 0, 255, 0, {}}}, {}, symbols, parameters, keys);
  EXPECT_EQ(keys.size(), 66U);  // 75 - 10 + 1
  // In blocks of 9 no shingle fits: then they run from block to block.
  std::vector<FeatureBlock> blocks;
  for (uint32_t begin = 0; begin < 75; begin += 9)
    blocks.push_back({begin, begin, 255, 0, {}});
  builder.build(blocks, {}, symbols, parameters, keys);
  EXPECT_EQ(keys.size(), 66U);
  // If a shingle fits into a block, shingles do not cross blocks.
  blocks[1].token_begin = 10;
  builder.build(blocks, {}, symbols, parameters, keys);
  EXPECT_EQ(keys.size(), 1U);
}

TEST(CandidateKeysTest, TheTextOfAShortPageIsOneRun) {
  // Ten paragraphs of two words: no paragraph is as long as a shingle.
  FeatureSample sample;
  for (uint32_t i = 0; i < 10; ++i)
    sample.blocks.push_back({words(2 * i, 2)});
  uint32_t fingerprint_count = 0;
  const KeyParameters parameters = key_parameters_of(Parameters{});
  EXPECT_EQ(keys_of(sample.features(), parameters, fingerprint_count).size(), 15U);  // 20 - 6 + 1
  // Five words: less than a shingle, and still a key.
  const Features tiny = one_block(words(0, 5), "");
  const Vector<uint64_t> key = keys_of(tiny, parameters, fingerprint_count);
  ASSERT_EQ(key.size(), 1U);
  EXPECT_EQ(key[0], plain_hash(tiny.symbols().data(), 5));
  EXPECT_TRUE(keys_of(one_block({}, ""), parameters, fingerprint_count).empty());
}

TEST(CandidateKeysTest, LittleContentFallsBackToAllText) {
  FeatureSample sample;
  sample.blocks = {{words(0, 40), 0},
                   {words(100, 27), 255}};  // 27 words: 135 wide, under the 140 of a page that is not short
  uint32_t fingerprint_count = 0;
  const KeyParameters parameters = key_parameters_of(Parameters{});
  const Features little = sample.features();
  EXPECT_TRUE(KeyBuilder::uses_all_text(little.blocks(), little.symbols(), parameters));
  const Vector<uint64_t> all = keys_of(little, parameters, fingerprint_count);
  EXPECT_EQ(std::vector<uint64_t>(all.begin(), all.end()), shingles_of(little, parameters, true));
  sample.blocks[1].words = words(100, 28);
  const Features enough = sample.features();
  EXPECT_FALSE(KeyBuilder::uses_all_text(enough.blocks(), enough.symbols(), parameters));
  const Vector<uint64_t> content = keys_of(enough, parameters, fingerprint_count);
  EXPECT_EQ(std::vector<uint64_t>(content.begin(), content.end()), shingles_of(enough, parameters, false));
}

TEST(CandidateKeysTest, DroppedBlocksGiveNothingEvenToShortPages) {
  FeatureSample sample;
  sample.blocks = {{words(0, 40), 0, 1}, {words(100, 8), 0}};
  uint32_t fingerprint_count = 0;
  const Vector<uint64_t> keys =
      keys_of(sample.features(), key_parameters_of(Parameters{}), fingerprint_count);
  EXPECT_EQ(keys.size(), 3U);  // of the second block alone: it is short, so its weight does not matter
}

TEST(CandidateKeysTest, FingerprintsStandFirstAndAreDistinct) {
  FeatureSample sample;
  sample.blocks = {{words(0, 60)}};
  for (uint8_t i = 0; i < 40; ++i) {
    Md5Digest digest{};
    for (size_t k = 0; k < digest.size(); ++k)
      digest[k] = static_cast<uint8_t>(mix(i * 16U + k + 1));
    sample.sentences.push_back({digest, 50, 0});
  }
  uint32_t fingerprint_count = 0;
  const Vector<uint64_t> keys =
      keys_of(sample.features(), key_parameters_of(Parameters{}), fingerprint_count);
  ASSERT_GT(fingerprint_count, 0U);
  EXPECT_LE(fingerprint_count, 16U);
  EXPECT_EQ(keys.size(), fingerprint_count + 16U);
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.begin() + fingerprint_count));
  EXPECT_TRUE(std::is_sorted(keys.begin() + fingerprint_count, keys.end()));
  EXPECT_EQ(std::set<uint64_t>(keys.begin(), keys.end()).size(), keys.size());
  // Sentences of a block that is not content give none.
  sample.blocks = {{words(0, 60)}, {words(100, 4), 0}};
  for (FeatureSentence& sentence : sample.sentences)
    sentence.block = 1;
  keys_of(sample.features(), key_parameters_of(Parameters{}), fingerprint_count);
  EXPECT_EQ(fingerprint_count, 0U);
}

TEST(CandidateKeysTest, AnEngineHasTheFingerprintsOfOneBucketAndFeaturesForElsewhereThoseOfSeven) {
  Parameters parameters;
  EXPECT_EQ(key_parameters_of(parameters).buckets, 1U);
  EXPECT_EQ(key_parameters_of(parameters, true).buckets, 7U);
  parameters.fingerprints.buckets = 3;
  EXPECT_EQ(key_parameters_of(parameters).buckets, 3U);
  EXPECT_EQ(key_parameters_of(parameters, true).buckets, 3U);
}

TEST(CandidateKeysTest, WithoutTheRelaxedPathThereAreFingerprintsOnly) {
  Parameters parameters;
  parameters.relaxed.enabled = false;
  uint32_t fingerprint_count = 0;
  FeatureSample sample;
  sample.blocks = {{words(0, 60)}};
  EXPECT_TRUE(keys_of(sample.features(), key_parameters_of(parameters), fingerprint_count).empty());
}

}  // namespace
}  // namespace nd::engine

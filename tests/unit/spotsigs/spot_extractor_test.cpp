// Spot signatures against the oracle of strings, on random and real text.
#include "spotsigs/spot_extractor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>

#include "core/hash.hpp"
#include "unit/spotsigs/spot_extractor_oracle.hpp"
#include "words/normalize.hpp"
#include "words/word_segmenter.hpp"

namespace nd::spotsigs {
namespace {

using oracle::Language;
using oracle::Words;

uint32_t hash_of(const std::string& word) {
  return static_cast<uint32_t>(stable_hash(word));
}

Vector<SpotWord> classified(const Words& words, const Language& language) {
  Vector<SpotWord> out;
  for (const std::string& word : words) {
    out.push_back({hash_of(word), language.antecedents.contains(word)  ? WordKind::kAntecedent
                                  : language.stop_words.contains(word) ? WordKind::kStopWord
                                                                       : WordKind::kContent});
  }
  return out;
}

SpotParameters parameters_of(uint32_t distance, uint32_t chain) {
  SpotParameters parameters;
  parameters.distance = distance;
  parameters.chain = chain;
  return parameters;
}

// "antecedent:word:word" by the hash that the signature has.
uint64_t hash_of_signature(const std::string& signature) {
  std::vector<uint32_t> hashes;
  std::istringstream stream(signature);
  for (std::string word; std::getline(stream, word, ':');)
    hashes.push_back(hash_of(word));
  return oracle::signature_hash(hashes);
}

std::map<uint64_t, uint32_t> hashed(const std::map<std::string, uint32_t>& spots) {
  std::map<uint64_t, uint32_t> out;
  for (const auto& [signature, count] : spots)
    out[hash_of_signature(signature)] += count;
  return out;
}

std::map<uint64_t, uint32_t> extracted(std::span<const SpotWord> words, const SpotParameters& parameters) {
  SpotExtractor extractor;
  Vector<Spot> spots;
  extractor.append_spots(words, parameters, spots);
  EXPECT_FALSE(unite(spots, spots.size()));
  EXPECT_TRUE(std::is_sorted(spots.begin(), spots.end(),
                             [](const Spot& a, const Spot& b) { return a.hash < b.hash; }));
  std::map<uint64_t, uint32_t> out;
  for (const Spot& spot : spots) {
    EXPECT_TRUE(out.emplace(spot.hash, spot.count).second);
    EXPECT_EQ(spot.hash >> kSpotHashBits, 0U);
  }
  return out;
}

Words words_of(std::string_view text) {
  auto normalizer = text::Normalizer::create();
  auto dictionary = text::DictionaryWords::create();
  String normal;
  normalizer->append(text, normal);
  Vector<text::Token> tokens;
  text::append_tokens(normal, 0, tokens);
  Vector<text::Word> found;
  dictionary->append(normal, tokens, found);
  Words words;
  for (const text::Word& word : found)
    words.emplace_back(word.text.of(normal));
  return words;
}

constexpr std::string_view kRally =
    "At a rally to kick off a weeklong campaign for the South Carolina primary, Obama tried to set the "
    "record "
    "straight from an attack circulating widely on the Internet that is designed to play into prejudices "
    "against Muslims and fears of terrorism.";

// The slide "Signature Extraction Example".
TEST(SpotExtractorTest, TheExampleOfTheSlides) {
  Language language = oracle::all_languages();
  language.antecedents = {"a", "an", "the", "is"};
  const Words words = words_of(kRally);
  // Every signature that three words of the text could make, by its hash.
  std::map<uint64_t, std::string> names;
  for (const std::string& antecedent : language.antecedents) {
    for (const std::string& first : words) {
      for (const std::string& second : words) {
        const std::string name = antecedent + ":" + first + ":" + second;
        names[hash_of_signature(name)] = name;
      }
    }
  }
  SpotExtractor extractor;
  Vector<Spot> spots;
  extractor.append_spots(classified(words, language), parameters_of(1, 2), spots);
  Words found;
  for (const Spot& spot : spots) {
    EXPECT_EQ(spot.count, 1U);
    found.push_back(names[spot.hash]);
  }
  EXPECT_EQ(found, (Words{"a:rally:kick", "a:weeklong:campaign", "the:south:carolina", "the:record:straight",
                          "an:attack:circulating", "the:internet:designed", "is:designed:play"}));
}

TEST(SpotExtractorTest, DistanceAndChain) {
  const Language language{{"the"}, {"the", "of"}};
  const Words words = {"the", "a1", "b2", "of", "c3", "d4", "e5"};
  const auto only = [&](uint32_t distance, uint32_t chain) {
    const auto spots = extracted(classified(words, language), parameters_of(distance, chain));
    return spots.size() == 1 ? spots.begin()->first : 0;
  };
  EXPECT_EQ(only(1, 1), hash_of_signature("the:a1"));
  EXPECT_EQ(only(1, 3), hash_of_signature("the:a1:b2:c3"));
  EXPECT_EQ(only(2, 2), hash_of_signature("the:b2:c3"));
  EXPECT_EQ(only(3, 2), 0U);
  EXPECT_EQ(only(4, 1), hash_of_signature("the:c3"));
  EXPECT_EQ(only(2, 3), hash_of_signature("the:b2:c3:e5"));
  EXPECT_EQ(only(1, 5), hash_of_signature("the:a1:b2:c3:d4:e5"));
  EXPECT_EQ(only(1, 6), 0U) << "cut short by the end of the text";
  EXPECT_EQ(only(7, 1), 0U);
}

// It begins a signature, and stands in the chains of others: as in the slides' algorithm, which passes over
// stop words alone.
TEST(SpotExtractorTest, AnAntecedentThatIsNoStopWord) {
  const OwnAntecedents own("harbour the");
  Vector<SpotWord> words;
  for (const std::string& word : Words{"the", "old", "harbour", "of", "lisbon", "burns"})
    words.push_back({hash_of(word), own.of(hash_of(word))});
  EXPECT_EQ(extracted(words, parameters_of(1, 2)),
            hashed({{"the:old:harbour", 1}, {"harbour:lisbon:burns", 1}}));
  const Vector<SpotWord> alone(5, {hash_of("harbour"), WordKind::kContentAntecedent});
  EXPECT_EQ(extracted(alone, parameters_of(1, 2)), hashed({{"harbour:harbour:harbour", 3}}));
}

TEST(SpotExtractorTest, TextsWithoutSignatures) {
  const Language language{{"the"}, {"the", "of"}};
  for (const Words& words : {Words{}, Words{"the"}, Words{"the", "of", "the"}, Words{"of", "a1", "b2"},
                             Words{"a1", "b2", "the"}, Words{"a1", "the", "b2"}}) {
    EXPECT_TRUE(extracted(classified(words, language), parameters_of(1, 2)).empty());
  }
}

TEST(SpotExtractorTest, EqualsTheStringOracleOnRandomText) {
  std::mt19937 random(11);
  Language language{{"the", "is"}, {"the", "is", "of", "to", "and"}};
  const Words vocabulary = {"the", "is", "of", "to", "and", "u", "v", "w", "x", "y", "z"};
  size_t repeated = 0;
  for (int round = 0; round < 2000; ++round) {
    Words words;
    const size_t length = random() % 120;
    for (size_t i = 0; i < length; ++i)
      words.push_back(vocabulary[random() % vocabulary.size()]);
    const uint32_t distance = 1 + random() % 4;
    const uint32_t chain = 1 + random() % 4;
    const auto expected = hashed(oracle::spots(words, language, distance, chain));
    EXPECT_EQ(extracted(classified(words, language), parameters_of(distance, chain)), expected);
    for (const auto& [hash, count] : expected)
      repeated += count > 1;
  }
  EXPECT_GT(repeated, 100U);
}

// Our own documents, and a text of each script, with the tables of the library.
TEST(SpotExtractorTest, EqualsTheStringOracleOnRealText) {
  std::vector<std::string> texts;
  for (const char* name : {"decision.md", "impl.md", "guide-c.md", "quality.md", "testing.md"}) {
    std::ifstream file(std::string(NDC_SOURCE_DIR "/docs/") + name);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  texts.emplace_back(
      "市议会决定在春天之前重建港口上方的老灯塔。目前还没有人知道这笔钱由谁来出,但是港务长说灯还可以修好,"
      "住在那里三十年的看守人希望留下来。The harbour master is not sure.");
  texts.emplace_back(
      "市議會決定在春天之前重建港口上方的老燈塔。目前還沒有人知道這筆錢由誰來出,但是港務長說燈還可以修好。");
  texts.emplace_back(
      "市議会は春までに港の上の古い灯台を再建することを決めた。費用を誰が払うのかはまだわからない。");
  texts.emplace_back(
      "Городской совет решил, что старый маяк над гаванью будет восстановлен к весне и что в башне откроется "
      "музей.");
  const Language language = oracle::all_languages();
  for (const std::string& text : texts) {
    const Words words = words_of(text);
    Vector<SpotWord> known;
    for (const std::string& word : words)
      known.push_back({hash_of(word), WordKinds::instance().of(hash_of(word))});
    for (const auto& [distance, chain] : {std::pair{1U, 2U}, {2U, 3U}, {1U, 1U}}) {
      const auto expected = hashed(oracle::spots(words, language, distance, chain));
      EXPECT_EQ(extracted(known, parameters_of(distance, chain)), expected);
      EXPECT_GE(expected.size(), 2U) << text.substr(0, 80);
    }
  }
}

TEST(SpotExtractorTest, AMillionStopWordsAreReadOnce) {
  constexpr size_t kWords = 1'000'000;
  Vector<SpotWord> words(kWords, {1, WordKind::kAntecedent});
  words.push_back({2, WordKind::kContent});
  SpotExtractor extractor;
  for (uint32_t chain : {1U, 2U, 16U}) {
    Vector<Spot> spots;
    const uint64_t steps = extractor.append_spots(words, parameters_of(1, chain), spots);
    EXPECT_LE(steps, words.size() * (chain + 1));
    EXPECT_LE(steps, 3 * words.size()) << "a chain ends where the text does";
    EXPECT_EQ(spots.size(), chain == 1 ? kWords : 0U);
    unite(spots, 1024);
    EXPECT_EQ(spots.size(), chain == 1 ? 1U : 0U);
    EXPECT_TRUE(chain != 1 || spots[0].count == kWords);
  }
}

TEST(SpotExtractorTest, TheSmallestHashesAreKept) {
  std::mt19937_64 random(3);
  std::map<uint64_t, uint32_t> all;
  Vector<Spot> spots;
  for (int i = 0; i < 1000; ++i) {
    const Spot spot{random() % 300, static_cast<uint32_t>(1 + random() % 3)};
    spots.push_back(spot);
    all[spot.hash] += spot.count;
  }
  for (size_t limit : {size_t{0}, size_t{1}, all.size() - 1, all.size(), all.size() + 1}) {
    Vector<Spot> kept = spots;
    EXPECT_EQ(unite(kept, limit), limit < all.size());
    ASSERT_EQ(kept.size(), std::min(limit, all.size()));
    auto expected = all.begin();
    for (const Spot& spot : kept) {
      EXPECT_EQ(spot.hash, expected->first);
      EXPECT_EQ(spot.count, expected->second);
      ++expected;
    }
  }
}

TEST(SpotExtractorTest, CountsDoNotWrap) {
  Vector<Spot> spots = {{5, UINT32_MAX - 1}, {5, 1}, {5, 7}};
  unite(spots, 10);
  ASSERT_EQ(spots.size(), 1U);
  EXPECT_EQ(spots[0].count, UINT32_MAX);
}

// The hash goes into stores: these numbers may never change.
TEST(SpotExtractorTest, HashesAreFrozen) {
  EXPECT_EQ(hash_of_signature("a:rally:kick"), 1549571577483928ULL);
  EXPECT_EQ(hash_of_signature("的:灯塔:修"), 34629779640881809ULL);
  EXPECT_NE(hash_of_signature("a:rally:kick"), hash_of_signature("a:kick:rally"));
  EXPECT_NE(hash_of_signature("a:rally:kick"), hash_of_signature("the:rally:kick"));
}

}  // namespace
}  // namespace nd::spotsigs

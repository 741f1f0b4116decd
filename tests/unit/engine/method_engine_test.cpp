// An engine whose detector is not the LCS partition (docs/detectors.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

#include "page/feature_builder.hpp"
#include "text/page_reader.hpp"
#include "unit/engine/store_sample.hpp"

namespace nd::engine {
namespace {

using detectors::Method;
using sample::article;
using sample::article_html;
using sample::html;
using sample::Paragraphs;

constexpr uint64_t kLongArticle = 14;  // paragraphs

// Edited in one word.
std::string edited_html(uint64_t seed) {
  Paragraphs text = article(seed, kLongArticle);
  text[3] += " Afterword.";
  return html(text);
}

// Finds equal text only, or nearly so.
bool wants_equality(Method method) {
  return method == Method::kIMatch || method == Method::kIMatchS || method == Method::kExact;
}

Parameters parameters_of(Method method, bool method_decides, uint32_t threshold = 0) {
  Parameters parameters;
  parameters.detector.method = static_cast<uint32_t>(method);
  parameters.detector.decide = method_decides;
  parameters.detector.threshold = threshold;
  return parameters;
}

class MethodEngineTest : public EngineTest, public ::testing::WithParamInterface<Method> {
 protected:
  void SetUp() override {}
};

std::string name_of(const ::testing::TestParamInfo<Method>& info) {
  std::string name(detectors::info_of(info.param).name);
  std::erase(name, '-');
  return name;
}

std::vector<Method> methods() {
  std::vector<Method> all;
  for (uint16_t number = 1; number < detectors::kMethods; ++number)
    all.push_back(static_cast<Method>(number));
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, MethodEngineTest, ::testing::ValuesIn(methods()), name_of);

TEST_P(MethodEngineTest, FindsACopyAndAnEditedCopy) {
  for (const bool method_decides : {false, true}) {
    open(parameters_of(GetParam(), method_decides));
    const Answer first = check("http://a.example/", article_html(1, kLongArticle));
    EXPECT_EQ(first.verdict, kNew);
    EXPECT_EQ(check("http://b.example/", article_html(2, kLongArticle)).verdict, kNew);
    const Answer copy = check("http://c.example/", article_html(1, kLongArticle));
    EXPECT_EQ(copy.verdict, kExactDuplicate);
    EXPECT_EQ(copy.group_id, first.group_id);
    EXPECT_EQ(copy.flags & kUnverified, 0U) << "equal text is equal";
    const Answer asked = query("http://d.example/", edited_html(1));
    const Answer edited = check("http://d.example/", edited_html(1));
    EXPECT_EQ(asked.flags, edited.flags);
    EXPECT_EQ(asked.resemblance, edited.resemblance);
    if (wants_equality(GetParam())) continue;
    EXPECT_EQ(edited.verdict, kNearDuplicate);
    EXPECT_EQ(edited.group_id, first.group_id);
    EXPECT_EQ(edited.matched_page_id, first.page_id);
    EXPECT_EQ((edited.flags & kUnverified) != 0, method_decides);
    EXPECT_GT(edited.resemblance, 0.5);
    EXPECT_EQ(edited.containment == 0, method_decides);
    EXPECT_EQ(edited.page_coverage == 0, method_decides);
    EXPECT_EQ(page("http://d.example/").answer.flags, edited.flags);
    const Sizes sizes = engine_->sizes();
    EXPECT_EQ(sizes.keys, 0U) << "the tables of the LCS partition stay empty";
    EXPECT_GT(engine_->counters().candidates, 0U);
    EXPECT_GT(engine_->counters().verifications, 0U);
    expect_consistent();
  }
}

TEST_P(MethodEngineTest, FollowsWhatRepresentsAGroup) {
  for (const bool method_decides : {false, true}) {
    open(parameters_of(GetParam(), method_decides));
    const std::string one = article_html(1, kLongArticle);
    const std::string two = article_html(2, kLongArticle);
    const std::string three = article_html(3, kLongArticle);
    const uint64_t group = check("http://a.example/", one).group_id;
    // A lone founder that changes represents its group by its new text alone.
    EXPECT_EQ(check("http://a.example/", two, 2000).group_id, group);
    EXPECT_EQ(check("http://b.example/", one).verdict, kNew);
    EXPECT_EQ(check("http://c.example/", two).group_id, group);
    // A tombstone continues representing it.
    EXPECT_TRUE(engine_->remove("http://a.example/"));
    EXPECT_EQ(check("http://d.example/", two).group_id, group);
    // An elected member does, once that is purged.
    RemovalFilter filter;
    filter.url_prefix = "http://a.example/";
    filter.purge = true;
    ASSERT_TRUE(engine_->remove_matching(filter));
    EXPECT_EQ(check("http://e.example/", two).group_id, group);
    // And a group whose last member is removed is no longer found.
    check("http://f.example/", three);
    EXPECT_TRUE(engine_->remove("http://f.example/"));
    EXPECT_EQ(check("http://g.example/", three).verdict, kNew);
    expect_consistent();
  }
}

TEST_P(MethodEngineTest, ExplainsByTheMethod) {
  open(parameters_of(GetParam(), true));
  const uint64_t a = check("http://a.example/", article_html(1, kLongArticle)).page_id;
  const uint64_t b = check("http://b.example/", edited_html(1)).page_id;
  String json;
  ASSERT_TRUE(engine_->explain(a, b, json));
  const std::string name(detectors::info_of(GetParam()).name);
  EXPECT_NE(json.find("\"detector\":\"" + name + "\""), String::npos) << json;
  EXPECT_NE(json.find("\"score\":"), String::npos);
  if (!wants_equality(GetParam())) {
    EXPECT_NE(json.find("\"rule\":\"" + name + "\""), String::npos) << json;
  }
  EXPECT_NE(json.find("\"kind\":\"both\""), String::npos) << "the segments are those of the LCS";
}

TEST_P(MethodEngineTest, CutPagesAreNoDuplicates) {
  open(parameters_of(GetParam(), true));
  PageInput page = page_input("http://a.example/", "");
  const std::string body = article_html(1, kLongArticle);
  page.body = {reinterpret_cast<const uint8_t*>(body.data()), body.size()};
  page.truncated = true;
  ASSERT_TRUE(engine_->check(page));
  page.url = "http://b.example/";
  const Result<Answer> answer = engine_->check(page);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->verdict, kNew);
}

// A method that takes everything for similar proposes; the LCS disposes.
TEST_F(EngineTest, TheLcsRefusesWhatAMethodFinds) {
  open(parameters_of(Method::kSimhash64, false, 1));
  for (uint64_t i = 0; i < 6; ++i)
    EXPECT_EQ(check(sample::url(i), article_html(i)).verdict, kNew);
  EXPECT_GT(engine_->counters().verifications, 10U);
  open(parameters_of(Method::kSimhash64, true, 1));
  check(sample::url(0), article_html(0));
  for (uint64_t i = 1; i < 6; ++i) {
    const Answer answer = check(sample::url(i), article_html(i));
    EXPECT_EQ(answer.verdict, kNearDuplicate) << "as asked";
    EXPECT_NE(answer.flags & kUnverified, 0U);
  }
}

// An article and its copies with more and more text of their own: what the LCS partition groups, or less.
TEST_F(EngineTest, NoMethodGroupsMoreThanTheLcsDecides) {
  Owned<Engine> judge = *Engine::open(Parameters{});
  for (uint16_t number = 1; number < detectors::kMethods; ++number) {
    open(parameters_of(static_cast<Method>(number), false));
    for (size_t i = 0; i < 24; ++i) {
      const std::string body = html(sample::rewritten(article(i % 4, 8), i / 4, i));
      const Answer answer = check(sample::url(i), body);
      if (answer.verdict != kNearDuplicate) continue;
      EXPECT_EQ(answer.flags & kUnverified, 0U);
      EXPECT_GE(std::max(answer.resemblance, answer.containment), judge->parameters().decision.resemblance);
    }
  }
}

// Scores change with what is indexed: searches, verdicts and changes by many threads at once.
TEST_P(MethodEngineTest, ThreadsThatCheckTheSamePagesFindOneGroupEach) {
  open(parameters_of(GetParam(), true));
  std::vector<std::string> bodies;
  for (uint64_t i = 0; i < 6; ++i)
    bodies.push_back(article_html(i, 4));
  const auto work = [&](uint64_t thread) {
    for (uint64_t i = 0; i < 24; ++i) {
      const std::string url = "http://site" + std::to_string(thread) + ".example/" + std::to_string(i);
      EXPECT_TRUE(engine_->check(page_input(url, bodies[(i + thread) % bodies.size()])));
      if (i % 8 == 7) {
        EXPECT_TRUE(engine_->remove(url));
      }
    }
  };
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < 4; ++thread)
    threads.emplace_back(work, thread);
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(engine_->sizes().groups, bodies.size());
  expect_consistent();
}

TEST_F(EngineTest, MethodsThatDecideLearnNothingOfSites) {
  const auto page_of = [](uint64_t seed) {
    Paragraphs text = {sample::paragraph(77), sample::paragraph(78)};
    for (const std::string& own : article(seed, 3))
      text.push_back(own);
    return html(text);
  };
  open(parameters_of(Method::kShingles, true));
  for (uint64_t i = 0; i < 12; ++i)
    check("http://www.a.example/" + std::to_string(i), page_of(i));
  EXPECT_EQ(engine_->counters().reverified, 0U);
  const Answer again = check("http://www.a.example/1", page_of(1), 5000);
  EXPECT_EQ(again.verdict, kUnchanged);
  EXPECT_EQ(engine_->counters().reverified, 0U);
}

TEST_F(EngineTest, OptionsOfAMethodAreChecked) {
  const auto failure = [](const Parameters& parameters) {
    const Result<Owned<Engine>> opened = Engine::open(parameters);
    return opened ? std::string() : std::string(opened.failure().message);
  };
  EXPECT_NE(failure(parameters_of(Method::kSimhash64, true, 65)).find("equal bits of 64"), std::string::npos);
  EXPECT_NE(failure(parameters_of(Method::kLcs, false, 5)).find("detector_threshold"), std::string::npos);
  Parameters without_spots = parameters_of(Method::kSpotSigs, false);
  without_spots.spots.enabled = false;
  EXPECT_NE(failure(without_spots).find("spotsigs is false"), std::string::npos);
  EXPECT_EQ(failure(parameters_of(Method::kLcs, true)), "option decide has no effect with detector=lcs");
}

Features portable_features(const Parameters& parameters, const std::string& url, const std::string& page) {
  Result<text::PageReader> reader = text::PageReader::create();
  Result<FeatureBuilder> builder = FeatureBuilder::create(parameters.detector.kind());
  text::Document document;
  EXPECT_TRUE(reader && builder);
  EXPECT_TRUE(reader->read(url, page_input(url, page).body, "text/html; charset=utf-8", {}, document));
  builder->begin(document);
  return builder->finish({url, 1000, page.size(), false}, document, {}, parameters, RecordFor::kElsewhere);
}

TEST_F(EngineTest, FeaturesOfOtherParametersAreRefused) {
  const auto expect_refused = [&](Parameters own, const Parameters& others, const char* option) {
    open(own);
    const auto given = [&](const Parameters& parameters) {
      const Features made = portable_features(parameters, "http://a.example/", article_html(1, 6));
      EXPECT_FALSE(made.description().empty());
      Result<Features> parsed = Features::parse(made.bytes());
      EXPECT_TRUE(parsed);
      return engine_->check_features(*std::move(parsed));
    };
    const Result<Answer> refused = given(others);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.failure().status, Status::kInvalidArgument);
    EXPECT_NE(refused.failure().message.find(option), String::npos) << refused.failure().message;
    EXPECT_TRUE(given(own));
  };
  for (const Method method : {Method::kSpotSigs, Method::kIMatchS, Method::kLshS}) {
    Parameters own = parameters_of(method, true);
    own.antecedents = "a is the";
    expect_refused(own, parameters_of(method, true), "antecedents");
    expect_refused(parameters_of(method, true), own, "antecedents");
    Parameters another = own;
    another.antecedents = "a is";
    expect_refused(own, another, "antecedents");
  }
  for (const Method method : {Method::kShingles, Method::kMinHash}) {
    Parameters own = parameters_of(method, true);
    own.detector.shingle_tokens = 1;
    expect_refused(own, parameters_of(method, true), "x_baseline_shingle_tokens");
    expect_refused(parameters_of(method, true), own, "x_baseline_shingle_tokens");
  }
}

// A width beyond the page is one shingle: equal text only. Of single words the order does not count.
TEST_F(EngineTest, TheWidthOfShinglesIsAParameter) {
  Paragraphs text = article(1, 10);
  std::string page = html(text);
  std::reverse(text.begin(), text.end());
  for (const uint32_t width : {1U, 32U}) {
    Parameters parameters = parameters_of(Method::kShingles, true, 990);
    parameters.detector.shingle_tokens = width;
    open(parameters);
    check("http://a.example/", page);
    EXPECT_EQ(check("http://b.example/", html(text)).verdict, width == 1 ? kNearDuplicate : kNew) << width;
  }
}

// Words that no page has as antecedents leave no signature: nothing is found by them, and nothing breaks.
TEST_F(EngineTest, AntecedentsThatNoPageHas) {
  Parameters parameters = parameters_of(Method::kSpotSigs, true);
  parameters.antecedents = "zzzzz";
  open(parameters);
  EXPECT_EQ(check("http://a.example/", article_html(1, kLongArticle)).verdict, kNew);
  EXPECT_EQ(check("http://b.example/", edited_html(1)).verdict, kNew);
  EXPECT_EQ(check("http://c.example/", article_html(1, kLongArticle)).verdict, kExactDuplicate);
}

TEST_F(EngineTest, AMethodKeepsItsBudget) {
  Parameters parameters = parameters_of(Method::kMozVector, true);
  parameters.detector.bytes = 64 * 1024;
  open(parameters);
  for (uint64_t i = 0; i < 100; ++i)
    check(sample::url(i), article_html(i, 3));
  const Sizes sizes = engine_->sizes();
  EXPECT_GT(sizes.method_dropped, 0U);
  EXPECT_LT(sizes.bytes_index, 1024U * 1024U);
  EXPECT_EQ(check(sample::url(200), article_html(99, 3)).verdict, kExactDuplicate);
}

// Twelve articles on a few sites that come, change, go and come again.
std::string step(Engine& engine, std::mt19937& random, int64_t at_ms) {
  const std::string url =
      "https://site" + std::to_string(random() % 5) + ".example/" + std::to_string(random() % 30);
  const uint64_t kind = random() % 16;
  if (kind == 0) return engine.remove(url) ? "removed" : "unknown";
  if (kind == 1) {
    RemovalFilter filter;
    filter.url_prefix = url;
    filter.purge = true;
    const Result<uint64_t> removed = engine.remove_matching(filter);
    return removed ? std::to_string(*removed) : "failed";
  }
  Paragraphs text = article(random() % 12, 6);
  if (random() % 2 == 0)
    text[random() % text.size()] += " An edit of number " + std::to_string(random() % 50);
  const std::string body = html(text);
  const Result<Answer> answer = engine.check(page_input(url, body, at_ms));
  if (!answer) return std::string(answer.failure().message);
  return std::to_string(answer->page_id) + " " + std::to_string(answer->group_id) + " " +
         std::to_string(answer->verdict) + " " + std::to_string(answer->flags) + " " +
         std::to_string(answer->matched_page_id) + " " + std::to_string(answer->resemblance);
}

class MethodStoreTest : public StoreTest, public ::testing::WithParamInterface<Method> {};

INSTANTIATE_TEST_SUITE_P(All, MethodStoreTest, ::testing::ValuesIn(methods()), name_of);

TEST_P(MethodStoreTest, AnswersAsInMemoryWhereverItIsOpenedAgain) {
  const std::string name(detectors::info_of(GetParam()).name);
  const Options options = options_of({{"detector", name.c_str()}, {"decide", "method"}});
  Owned<Engine> reference = *Engine::open(options.parameters());
  Owned<Engine> engine = open(options);
  ASSERT_NE(engine, nullptr);
  std::mt19937 random(3);
  std::mt19937 same_random(3);
  for (int i = 0; i < 160; ++i) {
    ASSERT_EQ(step(*engine, random, 1000 + i), step(*reference, same_random, 1000 + i)) << i;
    if (i % 40 == 13) engine.reset();  // killed: its journal is replayed
    if (i % 40 == 33) {
      ASSERT_TRUE(engine->close());
      engine.reset();
    }
    if (engine == nullptr) engine = open();  // the store knows its detector
    ASSERT_NE(engine, nullptr);
  }
  EXPECT_EQ(picture_of(*engine), picture_of(*reference));
  EXPECT_EQ(engine->parameters().detector.kind(), GetParam());
}

// Checks, queries, explanations and removals, while snapshots are taken; then the store is opened again.
TEST_P(MethodStoreTest, ThreadsCheckAndRemoveWhileSnapshotsAreTaken) {
  const std::string name(detectors::info_of(GetParam()).name);
  Owned<Engine> engine =
      open(options_of({{"detector", name.c_str()}, {"decide", "method"}, {"detector_bytes", "200000"}}));
  ASSERT_NE(engine, nullptr);
  const auto work = [&](uint32_t thread) {
    std::mt19937 random(thread);
    for (int i = 0; i < 40; ++i) {
      step(*engine, random, 1000 + i);
      const std::string body = article_html(random() % 12, 6);
      EXPECT_TRUE(engine->query(page_input("http://asks.example/", body)));
      String json;
      static_cast<void>(engine->explain(1 + random() % 20, 1 + random() % 20, json));
      EXPECT_GT(engine->sizes().bytes_index, 0U);
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t thread = 0; thread < 4; ++thread)
    threads.emplace_back(work, thread);
  for (int i = 0; i < 6; ++i)
    EXPECT_TRUE(engine->snapshot());
  for (std::thread& thread : threads)
    thread.join();
  const std::string before = picture_of(*engine);
  ASSERT_TRUE(engine->close());
  engine.reset();
  engine = open();
  ASSERT_NE(engine, nullptr);
  EXPECT_EQ(picture_of(*engine), before);
}

TEST_F(StoreTest, AnotherDetectorIsRefusedByName) {
  const auto refusal = [this](const Options& options) {
    const Result<Owned<Engine>> opened = Engine::open(store(), options, store::system_files());
    return opened ? std::string() : std::string(opened.failure().message);
  };
  ASSERT_TRUE(open(options_of({{"detector", "mwo"}, {"detector_threshold", "600"}}))->close());
  EXPECT_NE(refusal(options_of({{"detector", "simhash64"}})).find("option detector is simhash64"),
            std::string::npos);
  EXPECT_NE(refusal(options_of({{"detector", "lcs"}})).find("made with mwo"), std::string::npos);
  EXPECT_NE(refusal(options_of({{"decide", "method"}})).find("option decide"), std::string::npos);
  EXPECT_NE(refusal(options_of({{"detector_threshold", "500"}})).find("option detector_threshold"),
            std::string::npos);
  EXPECT_EQ(refusal(options_of({{"detector", "mwo"}})), "");
  EXPECT_EQ(refusal({}), "");
}

TEST_F(StoreTest, ParametersOfDetectorsAreRecorded) {
  const std::vector<std::pair<const char*, const char*>> set = {{"x_antecedents", "a is the"},
                                                                {"detector", "spotsigs"},
                                                                {"x_spot_chain", "3"},
                                                                {"x_candidates_limit", "9"}};
  Options options;
  for (const auto& [key, value] : set)
    ASSERT_TRUE(options.set(key, value)) << key;
  ASSERT_TRUE(open(options)->close());
  Owned<Engine> again = open();
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(again->parameters().antecedents, "a is the");
  EXPECT_EQ(again->parameters().spots.chain, 3U);
  EXPECT_EQ(again->parameters().index.candidates, 9U);
  again.reset();  // which lets go of the store
  for (const auto& [key, value] : set) {
    Options other;
    ASSERT_TRUE(other.set(key, std::string_view(key) == "x_antecedents" ? "of"
                               : std::string_view(key) == "detector"    ? "lcs"
                                                                        : "10"));
    const Result<Owned<Engine>> refused = Engine::open(store(), other, store::system_files());
    ASSERT_FALSE(refused) << key;
    EXPECT_NE(refused.failure().message.find(key), String::npos);
    ASSERT_TRUE(other.set(key, value));
    EXPECT_TRUE(Engine::open(store(), other, store::system_files())) << key;
  }
  Options reordered;
  ASSERT_TRUE(reordered.set("x_antecedents", "The, Is, a"));
  EXPECT_TRUE(Engine::open(store(), reordered, store::system_files())) << "the same list";
}

TEST_F(StoreTest, AStoreOfTheLcsIsNoOther) {
  ASSERT_TRUE(open()->close());
  const Result<Owned<Engine>> opened =
      Engine::open(store(), options_of({{"detector", "simhash64"}}), store::system_files());
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.failure().message.find("option detector is simhash64, but the store was made with lcs"),
            String::npos);
}

TEST_F(StoreTest, ImpossibleOptionsMakeNoStore) {
  const Result<Owned<Engine>> opened = Engine::open(
      store(), options_of({{"detector", "simhash64"}, {"detector_threshold", "65"}}), store::system_files());
  ASSERT_FALSE(opened);
  EXPECT_NE(open(), nullptr) << "what comes next is a new store";
}

TEST_F(StoreTest, ReadersKnowTheMethodToo) {
  const Options options = options_of({{"detector", "cosine"}});
  Owned<Engine> writer = open(options);
  ASSERT_TRUE(writer->check(page_input("http://a.example/", article_html(1))));
  ASSERT_TRUE(writer->snapshot());
  Owned<Engine> reader = open(options_of({{"read_only", "true"}}));
  ASSERT_NE(reader, nullptr);
  const auto verdict_of = [&](uint64_t seed) {
    const std::string body = article_html(seed);
    const Result<Answer> answer = reader->query(page_input("http://b.example/", body));
    return answer ? answer->verdict : 0;
  };
  EXPECT_EQ(verdict_of(1), kExactDuplicate);
  EXPECT_EQ(verdict_of(2), kNew);
  ASSERT_TRUE(writer->check(page_input("http://a.example/2", article_html(2))));
  ASSERT_TRUE(writer->snapshot());
  ASSERT_TRUE(reader->refresh());
  EXPECT_EQ(verdict_of(2), kExactDuplicate);
}

// The index of a method cannot be written away: a snapshot would free nothing of it.
TEST_F(StoreTest, AMemoryBudgetSmallerThanTheIndexDoesNotStopTheCrawl) {
  Owned<Engine> engine = open(options_of({{"detector", "moz-vector"}, {"memory_budget_bytes", "4000000"}}));
  ASSERT_NE(engine, nullptr);
  for (uint64_t i = 0; i < 1500; ++i) {
    const std::string body = article_html(i, 2);
    ASSERT_TRUE(engine->check(page_input(sample::url(i), body)));
  }
  EXPECT_GT(engine->sizes().bytes_index, 1'500'000U);
  EXPECT_TRUE(engine->close());
}

}  // namespace
}  // namespace nd::engine

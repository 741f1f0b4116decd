// Every row of the option table: description, default, range, and the sentence of a refusal.
#include "options/options.hpp"

#include <gtest/gtest.h>

#include <xxhash.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <set>
#include <sstream>
#include <string>

#include "core/word_list.hpp"
#include "engine/store_identity.hpp"
#include "options/option_needs.hpp"
#include "options/option_table.hpp"

namespace nd::engine {
namespace {

std::string get(const Options& options, std::string_view key) {
  const Result<String> value = options.get(key);
  EXPECT_TRUE(value) << key;
  return value ? std::string(value->data(), value->size()) : "";
}

std::string message(const Result<void>& result) {
  return result ? "" : std::string(result.failure().message.data(), result.failure().message.size());
}

// "least..most" as numbers.
std::pair<double, double> range_of(const OptionInfo& info) {
  const std::string range = info.range;
  const size_t dots = range.find("..");
  EXPECT_NE(dots, range.npos) << info.key;
  return {std::strtod(range.c_str(), nullptr), std::strtod(range.c_str() + dots + 2, nullptr)};
}

std::string text_of(const OptionInfo& info, double value) {
  return std::string(info.type) == "integer" ? std::to_string(static_cast<long long>(value))
                                             : std::to_string(value);
}

bool is_number(const OptionInfo& info) {
  return std::string(info.type) == "integer" || std::string(info.type) == "number";
}

bool is_words(const OptionInfo& info) {
  return std::string(info.type) == "words";
}

TEST(OptionsTest, EveryOptionDescribesItself) {
  std::set<std::string> keys;
  for (const OptionInfo& info : option_infos()) {
    EXPECT_TRUE(keys.insert(info.key).second) << info.key;
    EXPECT_TRUE(
        std::set<std::string>({"integer", "number", "boolean", "choice", "words"}).contains(info.type))
        << info.key;
    EXPECT_GT(std::string(info.help).size(), 10U) << info.key;
    EXPECT_GT(std::string(info.range).size(), 0U) << info.key;
  }
  EXPECT_GT(keys.size(), 30U);
}

TEST(OptionsTest, TheDefaultIsTheValueInForce) {
  for (const OptionInfo& info : option_infos()) {
    const std::string in_force = get(Options(), info.key);
    Options set;
    EXPECT_EQ(message(set.set(info.key, info.default_value)), "") << info.key;
    EXPECT_EQ(get(set, info.key), in_force) << info.key;
    if (is_number(info)) {
      EXPECT_DOUBLE_EQ(std::strtod(in_force.c_str(), nullptr), std::strtod(info.default_value, nullptr))
          << info.key;
    }
    if (!is_number(info)) {
      EXPECT_EQ(in_force, info.default_value) << info.key;
    }
  }
}

TEST(OptionsTest, AValueComesBackAsItWasSet) {
  for (const OptionInfo& info : option_infos()) {
    Options options;
    EXPECT_TRUE(options.set(info.key, get(options, info.key))) << info.key;
    EXPECT_EQ(get(options, info.key), get(Options(), info.key)) << info.key;
  }
}

TEST(OptionsTest, BothEndsOfEveryRangeAreAcceptedAndNothingBeyond) {
  for (const OptionInfo& info : option_infos()) {
    if (!is_number(info)) continue;
    const auto [least, most] = range_of(info);
    const double step = std::string(info.type) == "integer" ? 1 : 0.001;
    Options options;
    for (double inside : {least, most}) {
      EXPECT_EQ(message(options.set(info.key, text_of(info, inside))), "") << info.key;
      EXPECT_DOUBLE_EQ(std::strtod(get(options, info.key).c_str(), nullptr), inside) << info.key;
    }
    for (double outside : {least - step, most + step}) {
      const std::string before = get(options, info.key);
      const Result<void> refused = options.set(info.key, text_of(info, outside));
      ASSERT_FALSE(refused) << info.key << " " << outside;
      EXPECT_EQ(refused.failure().status, Status::kInvalidArgument);
      EXPECT_NE(message(refused).find(info.key), std::string::npos) << message(refused);
      EXPECT_NE(message(refused).find(info.range), std::string::npos) << message(refused);
      EXPECT_EQ(get(options, info.key), before) << "a refused value changes nothing";
    }
  }
}

TEST(OptionsTest, ARefusalSaysWhatIsAllowed) {
  Options options;
  EXPECT_EQ(message(options.set("x_rounds", "x")), "option x_rounds: \"x\" is not an integer in 1..64");
  EXPECT_EQ(message(options.set("resemblance", "2")), "option resemblance: \"2\" is not a number in 0..1");
  EXPECT_EQ(message(options.set("x_trustable", "x")), "option x_trustable: \"x\" is not one of true|false");
  EXPECT_EQ(message(options.set("decision", "x")), "option decision: \"x\" is not one of document|report");
}

TEST(OptionsTest, NonsenseIsRefused) {
  for (const OptionInfo& info : option_infos()) {
    Options options;
    if (is_words(info)) continue;  // word_list_test.cpp
    for (std::string_view nonsense :
         {"", " ", "x", "1x", " 1", "1 ", "+1", "0x10", "nan", "inf", "TRUE", "yes", "1,5", "--1",
          "99999999999999999999999999", "-99999999999999999999999"}) {
      const Result<void> refused = options.set(info.key, nonsense);
      ASSERT_FALSE(refused) << info.key << " = \"" << nonsense << "\"";
      EXPECT_EQ(refused.failure().status, Status::kInvalidArgument);
    }
    EXPECT_FALSE(options.set(info.key, std::string_view("1\0", 2))) << info.key;
    if (std::string(info.type) == "integer") {
      EXPECT_FALSE(options.set(info.key, "1.5")) << info.key;
    }
  }
}

TEST(OptionsTest, BooleansAreTwoWords) {
  Options options;
  EXPECT_TRUE(options.set("x_relaxed", "false"));
  EXPECT_FALSE(options.parameters().relaxed.enabled);
  EXPECT_TRUE(options.set("x_relaxed", "true"));
  EXPECT_TRUE(options.parameters().relaxed.enabled);
  EXPECT_TRUE(options.set("x_relaxed", "off"));
  EXPECT_FALSE(options.parameters().relaxed.enabled);
  EXPECT_TRUE(options.set("x_relaxed", "on"));
  EXPECT_TRUE(options.parameters().relaxed.enabled);
  EXPECT_FALSE(options.set("x_relaxed", "1"));
}

TEST(OptionsTest, AnUnknownKeyNamesTheNearest) {
  Options options;
  const auto nearest = [&](std::string_view key) {
    const Result<void> unknown = options.set(key, "1");
    EXPECT_FALSE(unknown);
    EXPECT_EQ(unknown.failure().status, Status::kInvalidArgument);
    const Result<String> value = options.get(key);
    EXPECT_FALSE(value);
    EXPECT_EQ(value.failure().status, Status::kInvalidArgument);
    EXPECT_EQ(value.failure().message, unknown.failure().message);
    return message(unknown);
  };
  EXPECT_NE(nearest("resemblence").find("\"resemblance\""), std::string::npos);
  EXPECT_NE(nearest("candidate_limit").find("\"x_candidates_limit\""), std::string::npos);
  EXPECT_NE(nearest("Relaxed").find("\"x_relaxed\""), std::string::npos);
  EXPECT_NE(nearest("X_ROUNDS").find("\"x_rounds\""), std::string::npos);
  EXPECT_NE(nearest("threshold").find("\"same_document\""), std::string::npos);
  EXPECT_NE(nearest("Max_Memory").find("\"memory_budget_bytes\""), std::string::npos);
  for (const std::string_view far : {"", "x_", "x_nothing", "threads", "k"}) {
    EXPECT_EQ(nearest(far).find("nearest"), std::string::npos) << far;
  }
  EXPECT_EQ(nearest("x_shingle_tokens"), "\"x_shingle_tokens\" is no option any more but a constant");
  EXPECT_LT(nearest(std::string(100000, 'k')).size(), 300U);
}

// The last of "a|b|c", or the first if that is `value`.
std::string other_choice(std::string_view range, std::string_view value) {
  const std::string_view last = range.substr(range.rfind('|') + 1);
  return std::string(last != value ? last : range.substr(0, range.find('|')));
}

TEST(OptionsTest, ChoicesAreTakenByName) {
  Options options;
  EXPECT_EQ(options.parameters().storage.durability, 2U);
  for (uint32_t number = 0; const char* name : {"none", "snapshot", "journal", "sync"}) {
    EXPECT_TRUE(options.set("durability", name));
    EXPECT_EQ(options.parameters().storage.durability, number++);
    EXPECT_EQ(get(options, "durability"), name);
  }
  for (const char* nonsense : {"", "non", "nonesnapshot", "none|snapshot", "Journal", "3", "|"})
    EXPECT_FALSE(options.set("durability", nonsense)) << nonsense;
  EXPECT_EQ(get(options, "durability"), "sync");
}

TEST(OptionsTest, WhatWasSetIsKnown) {
  Options options;
  EXPECT_FALSE(options.is_set("resemblance"));
  EXPECT_FALSE(options.is_set("no such key"));
  EXPECT_FALSE(options.set("resemblance", "2"));
  EXPECT_FALSE(options.is_set("resemblance"));
  EXPECT_TRUE(options.set("resemblance", "0.28"));
  EXPECT_TRUE(options.is_set("resemblance")) << "be it the default";
  EXPECT_FALSE(options.is_set("containment"));
}

// That is allowed, and not the default.
std::string another_value(const OptionInfo& info) {
  const std::string by_default = get(Options(), info.key);
  if (is_words(info)) return "one two";
  if (!is_number(info)) return other_choice(info.range, by_default);
  const std::string greatest = text_of(info, range_of(info).second);
  return by_default == greatest ? text_of(info, range_of(info).first) : greatest;
}

// Options that decision=report sets too, and how.
constexpr std::pair<std::string_view, std::string_view> kOfTheReport[] = {
    {"block_weights", "none"},      {"spotsigs", "false"}, {"x_relaxed", "false"},
    {"x_fingerprint_buckets", "7"}, {"x_rounds", "1"},     {"x_trustable", "true"}};

bool is_of_the_report(std::string_view key) {
  return std::ranges::any_of(kOfTheReport, [&](const auto& each) { return each.first == key; });
}

TEST(OptionsTest, EverySetReachesItsOwnParameterOnly) {
  for (const OptionInfo& info : option_infos()) {
    Options options;
    const std::string other = another_value(info);
    ASSERT_TRUE(options.set(info.key, other)) << info.key << " " << other;
    for (const OptionInfo& each : option_infos()) {
      const bool changed = get(options, each.key) != get(Options(), each.key);
      const bool by_report = std::string_view(info.key) == "decision" && is_of_the_report(each.key);
      EXPECT_EQ(changed, &each == &info || by_report) << info.key << " and " << each.key;
    }
  }
}

// What a person would change is a short list; what only measurements change has the prefix.
TEST(OptionsTest, FewAreStableAndTheyComeFirst) {
  const auto is_experimental = [](const OptionInfo& info) {
    return std::string_view(info.key).starts_with(kExperimentalPrefix);
  };
  const std::span<const OptionInfo> infos = option_infos();
  EXPECT_LE(std::ranges::count_if(infos, [&](const OptionInfo& info) { return !is_experimental(info); }), 30);
  EXPECT_TRUE(std::ranges::is_partitioned(infos, std::not_fn(is_experimental)));
}

TEST(OptionsTest, EachDescriptionIsASentenceOfItsOwn) {
  for (const OptionInfo& info : option_infos()) {
    const std::string_view help = info.help;
    EXPECT_EQ(help.back(), '.') << info.key;
    for (const char* half : {"And ", "The same ", "Likewise", "So ", "But "})
      EXPECT_FALSE(help.starts_with(half)) << info.key << ": " << help;
  }
}

// A default that changes decides otherwise in stores that do not record it: then kProfile gets the next
// version, and this test the new digest.
TEST(OptionsTest, TheProfileIsOfTheseDefaults) {
  String defaults(kProfile);
  for (const OptionInfo& info : option_infos()) {
    if (info.persistent) defaults.append("\n").append(info.key).append("=").append(info.default_value);
  }
  EXPECT_EQ(XXH3_64bits(defaults.data(), defaults.size()), 0x952aa4d916db3386U) << defaults;
}

std::string refusal(std::initializer_list<std::pair<const char*, const char*>> values) {
  Options options;
  for (const auto& [key, value] : values)
    EXPECT_TRUE(options.set(key, value)) << key;
  const Result<void> checked = check_parameters(options.parameters());
  EXPECT_TRUE(checked || checked.failure().status == Status::kInvalidArgument);
  return message(checked);
}

// TR2007012 and nothing else, unless it is asked for, before or after.
TEST(OptionsTest, TheReportsDecisionTakesTheReportsDefaults) {
  const Options defaults;
  Options options;
  ASSERT_TRUE(options.set("decision", "report"));
  for (const auto& [key, value] : kOfTheReport)
    EXPECT_EQ(*options.get(key), value) << key;
  EXPECT_TRUE(check_parameters(options.parameters()));
  EXPECT_TRUE(options.parameters().index.all_of_one_key);
  ASSERT_TRUE(options.set("detector", "spotsigs"));
  EXPECT_EQ(*options.get("spotsigs"), "true");
  EXPECT_EQ(*options.get("x_trustable"), "true");
  EXPECT_TRUE(check_parameters(options.parameters()));
  ASSERT_TRUE(options.set("detector", "lcs"));
  ASSERT_TRUE(options.set("decision", "document"));
  for (const auto& [key, value] : kOfTheReport)
    EXPECT_EQ(*options.get(key), *defaults.get(key)) << key;
  EXPECT_FALSE(options.parameters().index.all_of_one_key);

  for (const bool before : {false, true}) {
    Options own;
    if (!before) {
      ASSERT_TRUE(own.set("decision", "report"));
    }
    ASSERT_TRUE(own.set("x_trustable", "false"));
    ASSERT_TRUE(own.set("x_rounds", "8"));
    if (before) {
      ASSERT_TRUE(own.set("decision", "report"));
    }
    EXPECT_EQ(*own.get("x_trustable"), "false");
    EXPECT_EQ(*own.get("x_rounds"), "8");
    EXPECT_EQ(*own.get("spotsigs"), "false");
  }
}

TEST(OptionsTest, SomeMakeNoSenseTogether) {
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({{"same_document", "0.9"}}), "");
  EXPECT_EQ(refusal({{"decision", "report"}, {"resemblance", "0.5"}, {"containment", "0.9"}}), "");
  EXPECT_EQ(refusal({{"resemblance", "0.28"}, {"containment", "0.70"}}), "") << "the defaults";
  EXPECT_EQ(refusal({{"resemblance", "0.5"}}), "option resemblance has no effect unless decision=report");
  EXPECT_EQ(refusal({{"decision", "report"}, {"same_document", "0.9"}}),
            "option same_document has no effect unless decision=document");
  EXPECT_EQ(refusal({{"decide", "method"}}), "option decide has no effect with detector=lcs");
  EXPECT_EQ(refusal({{"detector", "mwo"}, {"decide", "method"}, {"same_document", "0.9"}}),
            "option same_document has no effect unless decide=lcs");
  EXPECT_EQ(refusal({{"detector", "mwo"}, {"same_document", "0.9"}}), "");
  EXPECT_EQ(refusal({{"detector", "cosine"}, {"x_baseline_shingle_tokens", "3"}}),
            "option x_baseline_shingle_tokens has no effect unless detector=shingles|minhash");
  EXPECT_EQ(refusal({{"detector", "minhash"}, {"x_baseline_shingle_tokens", "3"}}), "");
  EXPECT_NE(refusal({{"detector", "spotsigs"}, {"spotsigs", "false"}}), "");
}

// Each condition names options and values that exist, and an option that is not persistent never stops
// anybody.
TEST(OptionsTest, EachNeedIsOfAnOptionAndKeepsItFromBeingIgnored) {
  for (const OptionInfo& info : option_infos()) {
    std::istringstream needs(info.needs);
    for (std::string condition; needs >> condition;) {
      if (condition == "store") continue;
      const size_t equals = condition.find('=');
      ASSERT_NE(equals, std::string::npos) << info.key;
      const std::string key = condition.substr(0, equals - (condition[equals - 1] == '!' ? 1 : 0));
      std::istringstream values(condition.substr(equals + 1));
      for (std::string value; std::getline(values, value, '|');) {
        Options options;
        EXPECT_EQ(message(options.set(key, value)), "") << info.key;
      }
    }
  }
  Options options;
  EXPECT_TRUE(idle_options(options.parameters(), false).empty());
  ASSERT_TRUE(options.set("durability", "sync") && options.set("detector_bytes", "1"));
  const Vector<String> in_memory = idle_options(options.parameters(), false);
  ASSERT_EQ(in_memory.size(), 2U);
  EXPECT_EQ(in_memory[0], "option detector_bytes has no effect with detector=lcs");
  EXPECT_EQ(in_memory[1], "option durability has no effect without a store");
  EXPECT_EQ(idle_options(options.parameters(), true).size(), 1U);
  EXPECT_EQ(refusal({{"durability", "sync"}, {"detector_bytes", "1"}}), "");
}

// Each row says what its option acts on, in words that calls know, and a call that works with other things
// refuses it.
TEST(OptionsTest, EachActsOnSomethingAndIsRefusedWhereItDoesNot) {
  const std::set<std::string> things{"pages",       "keys",      "descriptions", "features",
                                     "comparisons", "decisions", "groups",       "partitions",
                                     "engines",     "searches",  "stores"};
  for (const OptionInfo& info : option_infos()) {
    std::istringstream words(info.acts_on);
    std::set<std::string> acted_on;
    for (std::string thing; words >> thing;)
      acted_on.insert(thing);
    EXPECT_FALSE(acted_on.empty()) << info.key;
    Options options;
    ASSERT_TRUE(options.set(info.key, another_value(info))) << info.key;
    for (const std::string& thing : things) {
      const Result<void> checked = check_acts_on(options, thing);
      EXPECT_EQ(static_cast<bool>(checked), acted_on.erase(thing) != 0) << info.key << " and " << thing;
      const bool is_told = !checked && !info.persistent;
      EXPECT_EQ(options_without_use(options.parameters(), thing).size(), is_told ? 1U : 0U) << info.key;
    }
    EXPECT_TRUE(acted_on.empty()) << info.key << ": " << info.acts_on;
  }
  Options options;
  ASSERT_TRUE(options.set("detector", "mwo"));
  EXPECT_EQ(message(check_acts_on(options, "pages stores")),
            "option detector has no effect here: it acts on keys, descriptions, comparisons, decisions and "
            "groups");
  EXPECT_TRUE(check_acts_on(Options(), ""));
}

TEST(OptionsTest, WhatWasAnOptionIsToldWhatItIsNow) {
  Options options;
  EXPECT_EQ(message(options.set("relaxed", "true")),
            "option \"relaxed\" is experimental and called \"x_relaxed\": the next release may change it");
  EXPECT_EQ(message(options.set("slope", "1")), "\"slope\" is no option any more but a constant");
  for_each_word(former_options(), [](std::string_view name) {
    EXPECT_EQ(find_option(name), nullptr) << name;
    EXPECT_EQ(find_option("x_" + std::string(name)), nullptr) << name;
  });
}

TEST(OptionsTest, NumbersDoNotDependOnTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  // scripts/install-dependencies --tests makes this locale.
  ASSERT_NE(std::setlocale(LC_ALL, "de_DE.UTF-8"), nullptr) << "the locale de_DE.UTF-8 is missing";
  Options options;
  EXPECT_TRUE(options.set("resemblance", "0.5"));
  EXPECT_EQ(options.parameters().decision.resemblance, 0.5);
  EXPECT_EQ(get(options, "resemblance"), "0.5");
  EXPECT_FALSE(options.set("resemblance", "0,5"));
  std::setlocale(LC_ALL, before.c_str());
}

}  // namespace
}  // namespace nd::engine

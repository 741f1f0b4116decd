// The runner itself: nothing in a case is passed over in silence, and a wrong expectation is a fault.
#include <gtest/gtest.h>

#include <stdexcept>

#include "conformance/case_runner.hpp"
#include "conformance/case_values.hpp"

namespace nd_test {
namespace {

Json good_case() {
  return Json::parse(R"({
    "name": "good", "why": "it is what the others are made of",
    "pages": {"ferry": {"url": "http://a.example/ferry", "body": "<p>The ferry leaves at noon and at six.</p>"}},
    "steps": [{"call": "check", "page": "ferry", "expect": {"verdict": "new", "group": "ferry", "matched": null,
                                                             "flags": ["short"], "resemblance": [0, 0]}}]})");
}

// The faults of the good case after `patch` (RFC 6902).
Faults faults_of(const std::string& patch) {
  return run_case(good_case().patch(Json::parse(patch)));
}

std::string joined(const Faults& faults) {
  std::string out;
  for (const std::string& each : faults)
    out += each + "\n";
  return out;
}

TEST(ConformanceFaultsTest, TheGoodCaseHasNone) {
  EXPECT_EQ(joined(run_case(good_case())), "");
}

TEST(ConformanceFaultsTest, WhatIsNotKnownIsAFault) {
  for (const std::string place :
       {"/surprise", "/pages/ferry/surprise", "/steps/0/surprise", "/steps/0/expect/surprise"}) {
    const Faults faults = faults_of(R"([{"op": "add", "path": ")" + place + R"(", "value": 1}])");
    EXPECT_NE(joined(faults).find("surprise"), std::string::npos) << place << ": " << joined(faults);
  }
  EXPECT_FALSE(faults_of(R"([{"op": "replace", "path": "/steps/0/call", "value": "chekc"}])").empty());
  EXPECT_FALSE(faults_of(R"([{"op": "add", "path": "/options", "value": {"resemblence": "0.5"}}])").empty());
}

TEST(ConformanceFaultsTest, WhatIsMissingOrSuperfluousIsAFault) {
  for (const std::string place : {"/why", "/steps", "/steps/0/call", "/steps/0/expect", "/steps/0/page",
                                  "/pages/ferry", "/pages/ferry/url", "/pages/ferry/body"})
    EXPECT_FALSE(faults_of(R"([{"op": "remove", "path": ")" + place + R"("}])").empty()) << place;
  EXPECT_FALSE(
      faults_of(R"([{"op": "add", "path": "/pages/quay", "value": {"url": "u", "body": ""}}])").empty())
      << "a page in no step";
  EXPECT_FALSE(faults_of(R"([{"op": "add", "path": "/pages/ferry/body_base64", "value": ""}])").empty());
}

TEST(ConformanceFaultsTest, AWrongExpectationIsAFault) {
  for (const std::string change :
       {R"(verdict", "value": "near")", R"(group", "value": null)", R"(matched", "value": "ferry")",
        R"(flags", "value": [])", R"(flags", "value": ["short", "limit"])",
        R"(resemblance", "value": [0.1, 1])", R"(resemblance", "value": [1, 0])", R"(page_id", "value": 7)",
        R"(error", "value": "INVALID_ARGUMENT")"}) {
    EXPECT_FALSE(faults_of(R"([{"op": "add", "path": "/steps/0/expect/)" + change + "}]").empty()) << change;
  }
}

TEST(ConformanceFaultsTest, AnExpectedErrorLeavesNothingElseToExpect) {
  const std::string step = R"([{"op": "add", "path": "/steps/-", "value": {"call": "open",)"
                           R"("options": {"resemblance": "2"}, "expect": {"error": "INVALID_ARGUMENT")";
  EXPECT_EQ(joined(faults_of(step + "}}}]")), "");
  EXPECT_FALSE(faults_of(step + R"(, "verdict": "new"}}}])").empty());
}

TEST(ConformanceFaultsTest, AKeyThatStandsTwiceIsNoCase) {
  EXPECT_NO_THROW(parse_cases(R"({"a": {"b": 1}, "c": {"b": 2}})"));
  EXPECT_THROW(parse_cases(R"({"a": {"b": 1, "b": 2}})"), Json::exception);
}

TEST(ConformanceFaultsTest, Base64) {
  EXPECT_EQ(decode_base64(""), "");
  EXPECT_EQ(decode_base64("Zm9vYg=="), "foob");
  EXPECT_EQ(decode_base64("Zm9vYmE="), "fooba");
  EXPECT_EQ(decode_base64("/+8A"), std::string("\xff\xef\0", 3));
  for (const char* bad : {"Zg", "Z===", "====", "Zm9v!A==", "Zm=v"})
    EXPECT_THROW(decode_base64(bad), std::invalid_argument) << bad;
}

TEST(ConformanceFaultsTest, Digests) {
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex_of({0x0123456789abcdefU}), std::vector<std::string>{"0123456789abcdef"});
}

}  // namespace
}  // namespace nd_test

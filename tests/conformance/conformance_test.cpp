// conformance_test CASES_JSON [NAME]: each case of the file as a test, or the one of that name.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <iterator>

#include "conformance/case_runner.hpp"

namespace nd_test {
namespace {

class ConformanceTest : public ::testing::Test {
 public:
  explicit ConformanceTest(const Json& test_case) : case_(test_case) {}
  void TestBody() override {
    for (const std::string& fault : run_case(case_))
      ADD_FAILURE() << fault << "\n  why: " << case_.value("why", "");
  }

 private:
  const Json& case_;
};

bool is_name(const std::string& text) {
  return !text.empty() &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
}

// How many tests there are now; throws what the file's faults throw.
size_t register_cases(const Json& file, const std::string& only) {
  if (file.size() != 2 || file.at("format") != 1) throw std::invalid_argument("the format is not 1");
  std::set<std::string> names;
  size_t registered = 0;
  for (const Json& test_case : file.at("cases")) {
    const auto name = test_case.at("name").get<std::string>();
    if (!is_name(name)) throw std::invalid_argument("\"" + name + "\" is no name of a case");
    if (!names.insert(name).second) throw std::invalid_argument("\"" + name + "\" is the name of two cases");
    if (!only.empty() && only != name) continue;
    ::testing::RegisterTest("Conformance", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [&test_case]() -> ConformanceTest* { return new ConformanceTest(test_case); });
    ++registered;
  }
  return registered;
}

}  // namespace
}  // namespace nd_test

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (argc < 2 || argc > 3) {
    std::cerr << "usage: conformance_test CASES_JSON [NAME]\n";
    return 2;
  }
  std::ifstream in(argv[1], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  nd_test::Json file;
  try {
    file = nd_test::parse_cases(text);
    if (nd_test::register_cases(file, argc == 3 ? argv[2] : "") == 0) {
      std::cerr << argv[1] << " has no such case\n";
      return 1;
    }
  } catch (const std::exception& failure) {
    std::cerr << argv[1] << ": " << failure.what() << "\n";
    return 1;
  }
  return RUN_ALL_TESTS();
}

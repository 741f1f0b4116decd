// What a function writes to an output, as a string for tests.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "output_file.hpp"

namespace ndc::test {

// All that `write` writes.
inline std::string output_of(const std::function<void(OutputFile&)>& write) {
  const std::string path = testing::TempDir() + "ndc_output_" + std::to_string(::getpid());
  OutputFile output;
  EXPECT_TRUE(output.open(path));
  write(output);
  EXPECT_TRUE(output.close()) << output.error();
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::remove(path.c_str());
  return text;
}

}  // namespace ndc::test

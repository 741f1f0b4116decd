// Runs the tests without messages of libraries about the faults that are made.
#include <gtest/gtest.h>
#include <libxml/xmlerror.h>

#include <ndcapi.h>

#include <cstdio>

#include "faults/failing_memory.hpp"

namespace {

void say_nothing(void*, const char*, ...) {}

}  // namespace

int main(int argc, char** argv) {
  if (!faults::install_failing_memory()) {
    std::fputs("the libraries took no memory functions\n", stderr);
    return 1;
  }
  // So that in every scenario, also the first, nd_set_allocator comes too late.
  nd_option_info info = ND_OPTION_INFO_INIT;
  nd_options_describe(0, &info);
  // libxml2 would report each failed allocation on standard error.
  xmlSetGenericErrorFunc(nullptr, say_nothing);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

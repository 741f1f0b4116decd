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
  // Whoever runs first: nd_set_allocator comes too late in every scenario.
  nd_option_info info = ND_OPTION_INFO_INIT;
  nd_options_describe(0, &info);
  // libxml2 would tell standard error of each allocation that failed.
  xmlSetGenericErrorFunc(nullptr, say_nothing);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

# How the C++ tests are compiled and made known to ctest.
include(GoogleTest)

# They run but once, and compiling them is most of the work of each preset (g++ 12, three files of the engine's tests, one after the
# other: 20.0 s at -O2 with -g1, 12.2 s as here; under AddressSanitizer 27.9 s at -O1 with UndefinedBehaviorSanitizer, 11.4 s as here).
# What they test is compiled as ever. A debugger finds the lines of tests in preset debug.
if(NDC_SANITIZE)
  add_compile_options(-O0 -fno-sanitize=undefined)
elseif(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-O1> $<$<COMPILE_LANGUAGE:CXX>:-g0>)
endif()

# The headers of nearly every test, read once. Preset clang reads each test without them: what a file does not include itself shows there.
set(ndc_test_headers "")
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  file(CONFIGURE OUTPUT precompiled_test_headers.cpp CONTENT "int main() {}\n")
  add_executable(precompiled_test_headers ${CMAKE_CURRENT_BINARY_DIR}/precompiled_test_headers.cpp)
  target_link_libraries(precompiled_test_headers PRIVATE ndc_build_flags GTest::gtest)
  target_precompile_headers(precompiled_test_headers PRIVATE
    <gtest/gtest.h> <algorithm> <array> <atomic> <chrono> <cstdint> <cstring> <filesystem> <fstream> <functional> <map> <memory> <mutex>
    <optional> <random> <set> <sstream> <span> <string> <string_view> <thread> <unordered_map> <utility> <vector>)
  set(ndc_test_headers precompiled_test_headers)
endif()

# ndc_gtest(TARGET PREFIX [SECONDS]): each case of the executable is a ctest test PREFIX.suite.case, which may take so long (300).
function(ndc_gtest target prefix)
  if(ndc_test_headers)
    target_precompile_headers(${target} REUSE_FROM ${ndc_test_headers})
  endif()
  set(seconds 300)
  if(ARGC GREATER 2)
    set(seconds ${ARGV2})
  endif()
  gtest_discover_tests(${target} TEST_PREFIX ${prefix}. PROPERTIES TIMEOUT ${seconds} DISCOVERY_TIMEOUT 60)
endfunction()

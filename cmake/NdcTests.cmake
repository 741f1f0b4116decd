# How the C++ tests are compiled and made known to ctest.
include(GoogleTest)

# They run but once, and compiling them is most of the work of each preset (three files of the engine's tests, one after the other: g++ 12
# at -O2 with -g1 20.0 s, without symbols and with its headers read once 16.4 s; with sanitizers at -O1 27.9 s, at -O0 20.7 s). src/ is
# compiled as ever. A debugger finds the lines of tests in preset debug.
if(NDC_SANITIZE)
  add_compile_options(-O0)
elseif(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-g0>)
endif()

# The headers of nearly every test, read once. Clang, which compiles the preset asan, goes without: what a test does not include itself
# shows there.
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

# How the C++ tests are compiled and made known to ctest.
include(GoogleTest)

# They run but once, and compiling them is most of the work (g++ 12, three files of the engine's tests, one after the
# other: 27.9 s at -O1, 20.7 s at -O0). src/ is compiled as ever. Without sanitizers -O0 saves no more than it costs:
# what the tests take of src/'s headers and their oracles then run so much longer. Headers compiled before bring little
# (1 s a file), and gcc 12 then warns of the system's own.
if(NDC_SANITIZE)
  add_compile_options(-O0)
elseif(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  # g++ 12 then takes for uninitialised what an optional does not hold; clang looks for the same.
  add_compile_options(-O1 $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()

# ndc_gtest(TARGET PREFIX [SECONDS]): each case of the executable is a ctest test PREFIX.suite.case, which may take
# so long (300).
function(ndc_gtest target prefix)
  set(seconds 300)
  if(ARGC GREATER 2)
    set(seconds ${ARGV2})
  endif()
  gtest_discover_tests(${target} TEST_PREFIX ${prefix}. PROPERTIES TIMEOUT ${seconds} DISCOVERY_TIMEOUT 60)
endfunction()

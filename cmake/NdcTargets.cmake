# How every target of the project is compiled.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
if(NDC_SANITIZE)
  # With them gcc 12 takes twice as long to compile at -O2 (31 s against 15 s for one file of the engine's tests).
  set(optimisation -O1)
  set(sanitizing "-fsanitize=${NDC_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all")
  if(NDC_SANITIZE STREQUAL "address,undefined")
    # A fifth of the compilation. AddressSanitizer reports most uses of null by itself; the preset fuzz has both checks.
    string(APPEND sanitizing " -fno-sanitize=null,vptr")
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      # It would have C programs that link the library link clang's part for C++; the preset fuzz has it.
      string(APPEND sanitizing " -fno-sanitize=function")
    endif()
  endif()
  string(APPEND CMAKE_C_FLAGS " ${sanitizing}")
  string(APPEND CMAKE_CXX_FLAGS " ${sanitizing}")
else()
  set(optimisation -O2)
endif()
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "${optimisation} -g1 -DNDEBUG")
set(CMAKE_C_FLAGS_RELWITHDEBINFO "${optimisation} -g1 -DNDEBUG")

add_library(ndc_build_flags INTERFACE)
target_compile_options(ndc_build_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow)
if(NDC_DEVELOPER)
  target_compile_options(ndc_build_flags INTERFACE -Werror)
endif()
if(NDC_COVERAGE)
  target_link_options(ndc_build_flags INTERFACE --coverage)
endif()

# ndc_layer(NAME [DEPENDS layer…] [LIBRARIES target…])
# One folder of src/: an object library of every source file in it, which sees only the layers named.
function(ndc_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;LIBRARIES")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(nd_${name} OBJECT ${sources})
  target_include_directories(nd_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(nd_${name} PUBLIC NDC_VERSION_TEXT="${PROJECT_VERSION}")
  target_link_libraries(nd_${name} PUBLIC ndc_build_flags ${arg_LIBRARIES})
  # No fused multiply-add where the source has two operations: probabilities are the same on every machine.
  target_compile_options(nd_${name} PRIVATE -ffp-contract=off)
  if(NOT NDC_SANITIZE AND CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
    # Of a check's CPU time it takes 4 to 7 % over -O2; tests and tools would only take longer to compile.
    # Inlined further, gcc 12 takes operator+ of std::string for an overlapping copy (its bug 105651).
    target_compile_options(nd_${name} PRIVATE -O3 $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  endif()
  if(NDC_COVERAGE)
    # Atomic, because threads count too; optimised further, lines are counted where they do not stand.
    target_compile_options(nd_${name} PRIVATE --coverage -fprofile-update=atomic -O1)
  endif()
  foreach(layer IN LISTS arg_DEPENDS)
    target_link_libraries(nd_${name} PUBLIC nd_${layer})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY ndc_layers nd_${name})
endfunction()

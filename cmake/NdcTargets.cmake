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

# ndc_object_library(TARGET FOLDERS folder… [DEPENDS layer…] [LIBRARIES target…])
# Every source file of the folders; it sees only the layers named, and those that they see.
function(ndc_object_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;DEPENDS;LIBRARIES")
  list(TRANSFORM arg_FOLDERS APPEND "/*.cpp")
  list(TRANSFORM arg_FOLDERS PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  file(GLOB sources CONFIGURE_DEPENDS ${arg_FOLDERS})
  add_library(${target} OBJECT ${sources})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${target} PUBLIC NDC_VERSION_TEXT="${PROJECT_VERSION}")
  target_link_libraries(${target} PUBLIC ndc_build_flags ${arg_LIBRARIES})
  # No fused multiply-add where the source has two operations: probabilities are the same on every machine.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  if(NOT NDC_SANITIZE AND CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
    # Of a check's CPU time it takes 4 to 7 % over -O2; tests and tools would only take longer to compile.
    # Inlined further, gcc 12 takes operator+ of std::string for an overlapping copy (its bug 105651).
    target_compile_options(${target} PRIVATE -O3 $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  endif()
  if(NDC_COVERAGE)
    # Atomic, because threads count too; optimised further, lines are counted where they do not stand.
    target_compile_options(${target} PRIVATE --coverage -fprofile-update=atomic -O1)
  endif()
  # scripts/build-profiled does one after the other in one build tree: a file's counts are found by its object's path.
  set(counts ${PROJECT_BINARY_DIR}/profile)
  if(NDC_PROFILE STREQUAL "record")
    target_compile_options(${target} PRIVATE -fprofile-generate=${counts} -fprofile-update=prefer-atomic)
    target_link_options(${target} PUBLIC -fprofile-generate)
  elseif(NDC_PROFILE STREQUAL "apply")
    # What the training never runs is compiled as ever, not for size: a crawl has pages that it does not have.
    target_compile_options(${target} PRIVATE -fprofile-use=${counts} -fprofile-partial-training -Wno-missing-profile)
  endif()
  foreach(layer IN LISTS arg_DEPENDS)
    target_link_libraries(${target} PUBLIC nd_${layer})
  endforeach()
endfunction()

# ndc_layer(NAME [DEPENDS layer…] [LIBRARIES target…])
# A folder of src/, which is part of every library.
function(ndc_layer name)
  ndc_object_library(nd_${name} FOLDERS . ${ARGN})
  set_property(GLOBAL APPEND PROPERTY ndc_layers nd_${name})
endfunction()

# ndc_shared_library(TARGET layer…): exports what src/capi/nd.map names.
function(ndc_shared_library target)
  set(exports ${PROJECT_SOURCE_DIR}/src/capi/nd.map)
  add_library(${target} SHARED)
  foreach(layer IN LISTS ARGN)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${layer}>)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${layer}>)
  endforeach()
  target_include_directories(${target} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX LINK_DEPENDS ${exports})
  target_link_options(${target} PRIVATE -Wl,--version-script=${exports})
  if(NOT NDC_SANITIZE)
    target_link_options(${target} PRIVATE -Wl,--no-undefined)
  endif()
endfunction()

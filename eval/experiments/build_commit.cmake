# build_commit.hpp: the commit that is built, "-changed" behind it if files were; "" where there is no repository.
cmake_minimum_required(VERSION 3.25)  # as a script it has no other policies
set(commit "")
find_package(Git QUIET)
if(Git_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --short=12 HEAD WORKING_DIRECTORY ${ROOT}
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${GIT_EXECUTABLE} status --porcelain --untracked-files=no WORKING_DIRECTORY ${ROOT}
    OUTPUT_VARIABLE changed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(changed)
    string(APPEND commit "-changed")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#pragma once

namespace nd::eval {

inline constexpr const char* kBuildCommit = \"@commit@\";

}  // namespace nd::eval
" @ONLY)

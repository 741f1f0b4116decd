# cmake -DPORT=DIR -DVERSION=V -DWORK=DIR -P vcpkg_steps.cmake: runs a port with stand-ins for vcpkg's functions, which
# configure as vcpkg does and build nothing.
cmake_minimum_required(VERSION 3.25)
set(CURRENT_PORT_DIR ${PORT})
set(CURRENT_PACKAGES_DIR ${WORK}/packages)

function(vcpkg_check_linkage)
endfunction()

function(vcpkg_extract_source_archive source_path)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ARCHIVE" "")
  file(ARCHIVE_EXTRACT INPUT ${arg_ARCHIVE} DESTINATION ${WORK}/source)
  file(GLOB only_folder ${WORK}/source/*)
  set(${source_path} ${only_folder} PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${WORK}/build -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib
      -Werror=dev ${arg_OPTIONS}
    COMMAND_ERROR_IS_FATAL ANY)
  # An option that ndc does not know is named in a warning only.
  file(STRINGS ${WORK}/build/CMakeCache.txt unknown REGEX "^NDC_.*:UNINITIALIZED=")
  if(unknown)
    message(FATAL_ERROR "ndc has no option ${unknown}")
  endif()
endfunction()

function(vcpkg_cmake_install)
endfunction()

function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
  file(STRINGS ${WORK}/build/cmake_install.cmake placed REGEX "/${arg_CONFIG_PATH}\"")
  if(NOT placed)
    message(FATAL_ERROR "ndc installs nothing in ${arg_CONFIG_PATH}")
  endif()
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(SIZE ${arg_FILE_LIST} bytes)  # it is there
endfunction()

include(${PORT}/portfile.cmake)

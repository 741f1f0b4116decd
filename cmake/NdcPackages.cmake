# What `cpack` makes of an installation: libndc2, libndc-dev and ndc as Debian packages, and one archive of all three
# (scripts/packages).

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME ndc)
set(CPACK_PACKAGE_VENDOR "The ndc authors")
set(CPACK_PACKAGE_CONTACT "The ndc authors <ndc@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGE_FILE_NAME ndc-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime development program)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian/compress_manual.cmake)
# What is packed has been built before: scripts/packages says what.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# libndc.so.2 of this build; that it comes from libndc2 is said by the dependency of its component.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libndc${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
string(CONCAT CPACK_COMPONENT_RUNTIME_DESCRIPTION
  "The shared library: it says of each page, at the moment it is fetched, "
  "whether it is new, the same as before, or a near-duplicate of one that is known.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libndc-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS runtime)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
  "For programs that use it: its header, and what pkg-config and CMake need to find it.")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME ndc)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION web)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS python3-matplotlib)
set(CPACK_COMPONENT_PROGRAM_DEPENDS runtime)
string(CONCAT CPACK_COMPONENT_PROGRAM_DESCRIPTION
  "The command line: it reads WARC, ARC, WACZ and JSON lines files "
  "and says which pages are near-duplicates of each other.")

# Each Debian package brings its own.
foreach(component RUNTIME DEVELOPMENT PROGRAM)
  string(TOLOWER ${component} component_name)
  install(FILES packaging/debian/copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${component}_PACKAGE_NAME}
    COMPONENT ${component_name})
endforeach()
include(CPack)

# What `cmake --install` puts where: the shared library, its header, the command line, and the files by which
# find_package(ndc) and pkg-config find them. The library's own dependencies are private to it: a program that uses ndc
# links libndc and nothing else.

if(NOT TARGET ndc)
  return()
endif()

include(CMakePackageConfigHelpers)

install(TARGETS ndc
  EXPORT ndcTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES include/ndcapi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

if(TARGET ndc_cli)
  # A prefix such as /opt/ndc is in no loader's path; packagers turn this off with CMAKE_SKIP_INSTALL_RPATH.
  file(RELATIVE_PATH library_from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(ndc_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${library_from_program}")
  install(TARGETS ndc_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()

# --- find_package(ndc) ---

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ndc)
install(EXPORT ndcTargets NAMESPACE ndc:: DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(cmake/ndcConfig.cmake.in ${PROJECT_BINARY_DIR}/ndcConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ndcConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ndcConfig.cmake ${PROJECT_BINARY_DIR}/ndcConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT development)

# --- pkg-config ---

# Paths relative to the file itself survive `cmake --install --prefix` and a moved tree; absolute ones are
# kept as they are.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
foreach(dir LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${dir}}")
    set(pkgconfig_${dir} "${CMAKE_INSTALL_${dir}}")
  else()
    set(pkgconfig_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
  endif()
endforeach()
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(pkgconfig_prefix "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
  string(REGEX REPLACE "/$" "" prefix_from_pkgconfig "${prefix_from_pkgconfig}")
  set(pkgconfig_prefix "\${pcfiledir}/${prefix_from_pkgconfig}")
endif()
configure_file(cmake/ndc.pc.in ${PROJECT_BINARY_DIR}/ndc.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ndc.pc DESTINATION ${pkgconfig_dir} COMPONENT development)

include(NdcPackages)

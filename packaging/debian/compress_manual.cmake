# CPACK_PRE_BUILD_SCRIPTS: compresses the man pages, as Debian's policy asks; with -n two builds of one commit give
# the same bytes.
file(GLOB_RECURSE pages "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*.1")
list(FILTER pages INCLUDE REGEX "/man/man1/")
if(pages)
  execute_process(COMMAND gzip -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
endif()

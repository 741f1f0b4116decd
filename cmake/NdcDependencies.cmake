# Libraries of the host system. Nothing is downloaded at build time.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(LibXml2 REQUIRED)
find_package(ICU 72 REQUIRED COMPONENTS uc i18n data)
if(NDC_BUILD_TOOLS OR NDC_BUILD_TESTS)
  find_package(OpenSSL 3.0 REQUIRED COMPONENTS Crypto)  # not for the library
endif()
pkg_check_modules(psl REQUIRED IMPORTED_TARGET libpsl)
find_path(ndc_stemmer_include libstemmer.h REQUIRED)
find_library(ndc_stemmer stemmer REQUIRED)
find_path(ndc_xxhash_include xxhash.h REQUIRED)  # used header-only

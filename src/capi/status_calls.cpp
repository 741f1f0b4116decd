#include <ndcapi.h>

#include "capi/guard.hpp"
#include "core/version.hpp"

uint32_t nd_version(void) {
  return (ND_VERSION_MAJOR << 16) | (ND_VERSION_MINOR << 8) | ND_VERSION_PATCH;
}

const char* nd_version_string(void) {
  return nd::library_version().data();
}

const char* nd_status_string(nd_status status) {
  switch (status) {
    case ND_OK:
      return "ok";
    case ND_ERR_INVALID_ARGUMENT:
      return "invalid argument";
    case ND_ERR_NO_MEMORY:
      return "out of memory";
    case ND_ERR_IO:
      return "input or output error";
    case ND_ERR_CORRUPT:
      return "corrupt data";
    case ND_ERR_UNSUPPORTED_VERSION:
      return "unsupported version";
    case ND_ERR_LOCKED:
      return "locked by another user";
    case ND_ERR_READ_ONLY:
      return "read only";
    case ND_ERR_NOT_FOUND:
      return "not found";
    case ND_ERR_LIMIT:
      return "limit reached";
    case ND_ERR_INTERNAL:
      return "internal error";
    default:
      return "unknown status";
  }
}

const char* nd_last_error(void) {
  return nd::capi::last_error();
}

/* An addon that says it is of another version of ndc: lifetime_test.js has the package load it. */
#include <node_api.h>

NAPI_MODULE_INIT() {
  napi_value number;
  napi_create_uint32(env, (9u << 16) | (7u << 8), &number);
  napi_set_named_property(env, exports, "version", number);
  napi_set_named_property(env, exports, "headerVersion", number);
  return exports;
}

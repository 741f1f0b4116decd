// Each conversion is a call of Node, which may refuse it.
#include "values.hpp"

#include <algorithm>
#include <cstring>

namespace ndc_node {
namespace {

constexpr size_t id_number = 13, status_number = 14, log_number = 15;

bool is_undefined(napi_env env, napi_value value) {
  napi_valuetype type = napi_undefined;
  require(napi_typeof(env, value, &type));
  return type == napi_undefined;
}

// A string is copied, behind `mark`; an Uint8Array is borrowed for the call, or copied where JavaScript runs
// meanwhile and could detach, resize or refill it, which takes about a hundredth of what reading a page
// takes.
void take_bytes(napi_env env, napi_value value, bool borrow, const char* mark, Bytes& out) {
  if (is_undefined(env, value)) return;
  bool is_bytes = false;
  require(napi_is_typedarray(env, value, &is_bytes));
  if (is_bytes) {
    void* data = nullptr;
    napi_value buffer = nullptr;
    size_t offset = 0, whole = 0;
    bool is_detached = false;
    require(napi_get_typedarray_info(env, value, nullptr, &out.size, &data, &buffer, &offset));
    require(napi_is_detached_arraybuffer(env, buffer, &is_detached));
    require(napi_get_arraybuffer_info(env, buffer, nullptr, &whole));
    if (is_detached || offset + out.size > whole) {
      napi_throw_type_error(env, "ERR_INVALID_ARG_VALUE",
                            "the ArrayBuffer is detached or smaller than its view");
      throw Failed{};
    }
    out.data = out.size == 0 ? "" : static_cast<const char*>(data);
    if (borrow) return;
    out.copy.assign(out.data, out.size);
  } else {
    size_t size = 0;
    require(napi_get_value_string_utf8(env, value, nullptr, 0, &size));
    out.copy.assign(mark).append(size, '\0');
    require(
        napi_get_value_string_utf8(env, value, out.copy.data() + out.copy.size() - size, size + 1, &size));
  }
  out.data = out.copy.data();
  out.size = out.copy.size();
}

napi_value value_of(napi_env env, const Request& request) {
  const std::vector<double>& rows = request.rows;
  const std::vector<std::string>& texts = request.texts;
  if (request.status != ND_OK) return string(env, request.sentence);
  const std::string_view buffer(request.buffer.data, request.buffer.size);
  napi_value out = nullptr;
  switch (request.call->answer) {
    case Answer::text:
    case Answer::text_and_result:
      return string(env, buffer);
    case Answer::bytes: {
      const std::string_view bytes = texts.empty() ? buffer : texts[0];
      require(napi_create_buffer_copy(env, bytes.size(), bytes.data(), nullptr, &out));
      return out;
    }
    case Answer::rows: {
      double* data = nullptr;
      napi_value numbers = float64_array(env, rows.size(), data);
      std::copy(rows.begin(), rows.end(), data);
      napi_value strings = array(env, texts.size());
      for (uint32_t i = 0; i < texts.size(); ++i)
        require(napi_set_element(env, strings, i, string(env, texts[i])));
      out = array(env, 2);
      require(napi_set_element(env, out, 0, numbers));
      require(napi_set_element(env, out, 1, strings));
      return out;
    }
    default:
      return nullptr;
  }
}

}  // namespace

std::shared_ptr<Handle>& handle_of(napi_env env, napi_value value) {
  void* data = nullptr;
  require(napi_get_value_external(env, value, &data));
  return *static_cast<std::shared_ptr<Handle>*>(data);
}

double number_of(napi_env env, napi_value value) {
  double number = 0;
  if (!is_undefined(env, value)) require(napi_get_value_double(env, value, &number));
  return number;
}

napi_value number(napi_env env, double value) {
  napi_value out = nullptr;
  require(napi_create_double(env, value, &out));
  return out;
}

napi_value string(napi_env env, std::string_view text) {
  napi_value out = nullptr;
  require(napi_create_string_utf8(env, text.empty() ? "" : text.data(), text.size(), &out));
  return out;
}

napi_value array(napi_env env, size_t size) {
  napi_value out = nullptr;
  require(napi_create_array_with_length(env, size, &out));
  return out;
}

napi_value float64_array(napi_env env, size_t count, double*& numbers) {
  void* data = nullptr;
  napi_value buffer = nullptr;
  napi_value out = nullptr;
  require(napi_create_arraybuffer(env, count * sizeof(double), &data, &buffer));
  require(napi_create_typedarray(env, napi_float64_array, count, buffer, 0, &out));
  numbers = static_cast<double*>(data);
  return out;
}

void fill(napi_env env, const napi_value* arguments, bool borrow, Request& out) {
  out.call = &calls().at(static_cast<size_t>(number_of(env, arguments[0])));
  if (!is_undefined(env, arguments[1])) out.handle = handle_of(env, arguments[1]);
  take_bytes(env, arguments[2], borrow, "", out.bytes[0]);
  // A string is marked as UTF-8, whatever its markup says of an encoding that it no longer has.
  take_bytes(env, arguments[3], borrow, "\xEF\xBB\xBF", out.bytes[1]);
  take_bytes(env, arguments[4], borrow, "", out.bytes[2]);
  out.numbers[0] = number_of(env, arguments[5]);
  out.numbers[1] = number_of(env, arguments[6]);
  out.flags = static_cast<uint32_t>(number_of(env, arguments[7]));
  take_bytes(env, arguments[8], borrow, "", out.options);
}

napi_value answer_of(napi_env env, const Request& request, double* numbers) {
  const nd_result& result = request.result;
  numbers[0] = result.verdict;
  numbers[1] = result.flags;
  numbers[2] = static_cast<double>(result.page_id);
  numbers[3] = static_cast<double>(result.group_id);
  numbers[4] = static_cast<double>(result.matched_page_id);
  std::memcpy(numbers + 5, &result.resemblance, 5 * sizeof(double));  // and the four that follow it
  numbers[10] = static_cast<double>(result.related_group_id);
  numbers[id_number] = request.id;
  numbers[status_number] = request.status;
  numbers[log_number] = request.handle && request.handle->has_lines ? 1 : 0;
  try {
    return value_of(env, request);
  } catch (const Failed&) {
    napi_value ignored = nullptr;
    napi_get_and_clear_last_exception(env, &ignored);
    numbers[status_number] = ND_ERR_LIMIT;
    return nullptr;
  }
}

}  // namespace ndc_node

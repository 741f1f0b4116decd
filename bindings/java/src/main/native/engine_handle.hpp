// What a handle in Java's EngineState points to. Java sees to it that none is used after free(), and that no
// call is under way in close().
#pragma once

#include <jni.h>
#include <ndcapi.h>

#include "log_queue.hpp"

namespace ndc::jni {

struct EngineHandle {
  nd_engine* engine = nullptr;
  LogQueue log;
};

inline EngineHandle* handle_of(jlong handle) noexcept {
  return reinterpret_cast<EngineHandle*>(static_cast<intptr_t>(handle));
}

inline nd_engine* engine_of(jlong handle) noexcept {
  return handle_of(handle)->engine;
}

}  // namespace ndc::jni

#include "engine/secret.hpp"

#include <random>

namespace nd::engine {

uint64_t random_secret() {
  std::random_device device;
  return (uint64_t{device()} << 32) | device();
}

}  // namespace nd::engine

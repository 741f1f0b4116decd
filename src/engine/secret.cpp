#include "engine/secret.hpp"

#include <unistd.h>

namespace nd::engine {

Result<uint64_t> random_secret() {
  uint64_t secret = 0;
  if (getentropy(&secret, sizeof secret) != 0)
    return error(Status::kIo, "the operating system gives no random bytes");
  return secret;
}

}  // namespace nd::engine

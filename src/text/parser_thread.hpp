// What libxml2 keeps for each thread.
#pragma once

namespace nd::text {

// Before the first call of libxml2 on a thread; later ones cost nothing. libxml2 2.9 calls itself until the
// stack ends where it finds no memory for this. Throws std::bad_alloc.
void prepare_parser_thread();

}  // namespace nd::text

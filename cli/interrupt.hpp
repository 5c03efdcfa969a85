#pragma once

#include <atomic>

namespace tickproof {

/// From here on Ctrl-C (SIGINT) and SIGTERM set the flag instead of ending the
/// program, so that it can still say what it knows; a second one ends it.
const std::atomic<bool>& catch_interrupts();

}  // namespace tickproof

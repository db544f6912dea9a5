// SPDX-License-Identifier: MIT
/**
 * DOC: A thread's own state
 *
 * One thread-local object without a constructor, so that an access needs no function call.
 */
#include "thread_state.h"

namespace umd {

thread_local constinit ThreadState ThreadState::mine_{};

} // namespace umd

// SPDX-License-Identifier: MIT
#pragma once

#include "harness/round.h"
#include "process/client.h"

namespace bench {

/** measure_submit() - what queueing a task costs the host, while the ring doesn't fill. */
void measure_submit(const Client &client, const Effort &effort, Round &round);

/** measure_trip() - one task and aclrtSynchronizeStream().
 * @how: "spinning", "blocking" ...; part of key and title
 */
void measure_trip(const Client &client, const Effort &effort, const char *how, Round &round);

/** measure_events() - record, query and wait, and a dependency between two streams. */
void measure_events(const Client &client, const Effort &effort, Round &round);

} // namespace bench

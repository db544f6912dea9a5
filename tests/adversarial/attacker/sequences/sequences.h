// SPDX-License-Identifier: MIT
/*
 * DOC: sequences
 *
 * Each sequence is something that a client does, in the order in which a client does it. Where a
 * sequence can, it leaves its objects behind, so that the next sequences run beside them.
 */
#ifndef UNPU_TESTS_ATTACKER_SEQUENCES_H
#define UNPU_TESTS_ATTACKER_SEQUENCES_H

#include "tests/adversarial/attacker/actor.h"

namespace attacker {

using Sequence = void (*)(Actor &actor);

const std::vector<Sequence> &sequences();

/* work.cpp */
void run_packets(Actor &actor);
void run_operators(Actor &actor);
void wait_for_semaphores(Actor &actor);
void call_the_host(Actor &actor);
void abort_a_channel(Actor &actor);
void destroy_a_channel(Actor &actor);

/* memory.cpp */
void map_and_unmap(Actor &actor);
void reserve_and_reach_over(Actor &actor);
void punch_holes(Actor &actor);
void destroy_a_segment_in_use(Actor &actor);

/* graphs.cpp */
void launch_a_graph(Actor &actor);
void change_a_graph(Actor &actor);

/* kernels.cpp */
void run_kernels(Actor &actor);
void reach_around_a_part(Actor &actor);

/* sharing.cpp */
void share_memory(Actor &actor);
void share_semaphores(Actor &actor);

/* files.cpp */
void move_file_data(Actor &actor);
void give_what_is_no_file(Actor &actor);

/* connections.cpp */
void leave_connections_idle(Actor &actor);
void take_snapshots(Actor &actor);
void attach_and_leave(Actor &actor);

} // namespace attacker

#endif

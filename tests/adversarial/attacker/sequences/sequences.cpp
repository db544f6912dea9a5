// SPDX-License-Identifier: MIT
/*
 * DOC: the sequences that attackers draw from
 */
#include "sequences.h"

namespace attacker {

const std::vector<Sequence> &sequences()
{
	static const std::vector<Sequence> all = {
		run_packets,	      run_packets,
		run_operators,	      run_operators,
		wait_for_semaphores,  call_the_host,
		abort_a_channel,      destroy_a_channel,
		map_and_unmap,	      reserve_and_reach_over,
		punch_holes,	      destroy_a_segment_in_use,
		launch_a_graph,	      launch_a_graph,
		change_a_graph,	      share_memory,
		share_semaphores,     move_file_data,
		give_what_is_no_file, leave_connections_idle,
		take_snapshots,	      attach_and_leave,
		run_kernels,	      run_kernels,
		run_kernels,	      reach_around_a_part,
	};
	return all;
}

} // namespace attacker

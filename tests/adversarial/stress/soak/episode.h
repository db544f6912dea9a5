/* SPDX-License-Identifier: MIT */
/*
 * DOC: Episode
 */
#ifndef UNPU_TESTS_STRESS_SOAK_EPISODE_H
#define UNPU_TESTS_STRESS_SOAK_EPISODE_H

#include "plan.h"

namespace soak {

/* How an episode's process ends. */
enum EpisodeExit { GOOD = 0, FAULTY = 3, STUCK = 4 };

/* run_episode() - the plan, in this process. Return: its exit code. */
int run_episode(const Plan &plan);

} // namespace soak

#endif

// SPDX-License-Identifier: MIT
/**
 * DOC: Clients in numbers
 *
 * One client of a daemon is measured beside others that are attached and idle, and beside one that copies large
 * blocks. Then the number of tasks that all clients finish when they work at the same time.
 */
#include "scale.h"

#include <cstdlib>
#include <vector>

#include <poll.h>

#include "process/client.h"
#include "process/daemon.h"
#include "process/member.h"

namespace bench {

namespace {

constexpr unsigned CLIENTS[] = {1, 2, 4, 8, 16, 32, 64};
constexpr unsigned QUICK_CLIENTS[] = {1, 8, 64};

void measure_beside(const Client &client, unsigned count, const Effort &effort, Round &round)
{
	const Plan many{500, effort.scaled(60), 500, 0};
	const Plan few{20, effort.scaled(60), 20, 0};
	auto drain = [&] { Client::sync(client.first); };
	round.push_back(scaled_measure("clients.submit", "submit by one of so many clients", count,
				       1,
				       measure(
					       many, [&] { client.task(client.first); }, drain)));
	round.push_back(scaled_measure("clients.trip",
				       "task and synchronize by one of so many clients", count, 1,
				       measure(few, [&] {
					       client.task(client.first);
					       Client::sync(client.first);
				       })));
	round.push_back(scaled_measure("clients.query", "query by one of so many clients", count, 1,
				       measure(many, [&] {
					       aclrtStreamStatus status;
					       CHECK(aclrtStreamQuery(client.first, &status));
				       })));
}

/* How long the rows of clients that work at the same time last. */
uint64_t together_ns(const Effort &effort)
{
	return (effort.quick ? 100 : 400) * base::NS_PER_MS;
}

/* What a round trip takes while another client copies, as a mean: one that waits for copies is rare and long. */
Summary measure_beside_copies(const Client &client, const Effort &effort)
{
	Member copies(Member::Work::COPIES);
	std::vector<double> trips;
	const uint64_t start_ns = base::now_ns();
	uint64_t now_ns = start_ns;
	while (now_ns - start_ns < together_ns(effort)) {
		client.task(client.first);
		Client::sync(client.first);
		trips.push_back(static_cast<double>(base::now_ns() - now_ns));
		now_ns = base::now_ns();
	}
	copies.leave();
	const double each_ns =
		static_cast<double>(now_ns - start_ns) / static_cast<double>(trips.size());
	return {each_ns, quantile(trips, 0.99)};
}

/* All work at once: what a task takes of the machine's time. */
Summary measure_together(unsigned count, const Effort &effort)
{
	std::vector<Member> members;
	members.reserve(count);
	for (unsigned i = 0; i < count; i++)
		members.emplace_back(Member::Work::TASKS);
	const uint64_t start_ns = base::now_ns();
	const uint64_t end_ns = start_ns + together_ns(effort);
	pollfd nothing{-1, 0, 0};
	while (base::now_ns() < end_ns)
		poll(&nothing, 1, 10);
	uint64_t tasks = 0;
	for (Member &member : members)
		tasks += member.leave();
	const double each_ns =
		static_cast<double>(base::now_ns() - start_ns) / static_cast<double>(tasks);
	return {each_ns, each_ns};
}

} // namespace

void measure_clients(const Effort &effort, Round &round)
{
	const Daemon daemon;
	setenv("UNPU_DEVICE", daemon.device().c_str(), 1);
	Client client;
	client.open();
	std::vector<Member> members;
	auto run = [&](unsigned count) {
		const double before = memory_of(daemon.process());
		const size_t had = members.size();
		while (members.size() + 1 < count)
			members.emplace_back(Member::Work::IDLE);
		measure_beside(client, count, effort, round);
		if (members.size() > had)
			round.back().object_bytes = (memory_of(daemon.process()) - before) /
						    static_cast<double>(members.size() - had);
	};
	if (effort.quick) {
		for (unsigned count : QUICK_CLIENTS)
			run(count);
	} else {
		for (unsigned count : CLIENTS)
			run(count);
	}
	for (Member &member : members)
		member.leave();
	round.push_back({"scale.clients.beside copies",
			 "task and synchronize while another client copies 64 MiB, mean",
			 measure_beside_copies(client, effort), "scale.clients.trip.1"});
	client.close();
	for (unsigned count : QUICK_CLIENTS)
		round.push_back(scaled_measure("clients.together",
					       "a task of so many clients that work", count, 1,
					       measure_together(count, effort)));
}

} // namespace bench

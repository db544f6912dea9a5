// SPDX-License-Identifier: MIT
/**
 * DOC: The queue of the engines
 *
 * Clients take turns. The jobs of a client come in the order in which they arrived. Heavy jobs are in a list of their
 * own, so that the other ones can pass them without a search.
 */
#include "job_queue.h"

#include <algorithm>
#include <utility>

namespace fw {

uint64_t Split::items() const
{
	if (is_ordered() || cut.units == 0)
		return 1;
	const uint64_t each = units_each(*job, cut.units);
	return (end - next + each - 1) / each;
}

/* Such a unit takes about 25 ms. */
static constexpr uint64_t HEAVY_BYTES = uint64_t{256} << 20;

bool Split::is_heavy() const
{
	return !job->step && job->bytes / std::max<uint64_t>(cut.units, 1) >= HEAVY_BYTES;
}

/* The first job of the client; the first one that is not heavy if not @may_be_heavy. */
Split *JobQueue::Client::first(bool may_be_heavy) const
{
	Split *one = light.empty() ? nullptr : light.front().get();
	Split *other = heavy.empty() || !may_be_heavy ? nullptr : heavy.front().get();
	if (!one || !other)
		return one ? one : other;
	return one->arrival < other->arrival ? one : other;
}

std::deque<JobQueue::Client>::iterator JobQueue::find(const void *client_queue)
{
	return std::find_if(clients_.begin(), clients_.end(), [&](const Client &client) {
		return client.client_queue == client_queue;
	});
}

bool JobQueue::has(const void *client_queue) const
{
	return std::any_of(clients_.begin(), clients_.end(), [&](const Client &client) {
		return client.client_queue == client_queue;
	});
}

Split *JobQueue::next(bool heavy) const
{
	for (const Client &client : clients_) {
		if (Split *split = client.first(heavy)) [[likely]]
			return split;
	}
	return nullptr;
}

void JobQueue::append(const std::shared_ptr<Split> &split)
{
	auto client = find(split->job->client_queue);
	if (client == clients_.end())
		client = clients_.insert(client, Client{split->job->client_queue, {}, {}});
	Splits &splits = client->of(*split);
	split->place = splits.insert(splits.end(), split);
	split->arrival = arrived_++;
	split->is_queued = true;
}

void JobQueue::remove(Client &client, Split &split)
{
	split.is_queued = false;
	client.of(split).erase(split.place);
}

void JobQueue::end_turn(Split &split, bool is_done)
{
	const auto client = find(split.job->client_queue);
	Client turned = std::move(*client);
	clients_.erase(client);
	if (is_done)
		remove(turned, split);
	if (!turned.empty())
		clients_.push_back(std::move(turned));
}

void JobQueue::take_out(Split &split)
{
	const auto client = find(split.job->client_queue);
	remove(*client, split);
	if (client->empty())
		clients_.erase(client);
}

std::list<std::shared_ptr<Split>> JobQueue::take_all(const void *client_queue)
{
	const auto client = find(client_queue);
	if (client == clients_.end())
		return {};
	Splits all = std::move(client->light);
	all.splice(all.end(), client->heavy);
	clients_.erase(client);
	for (const auto &split : all)
		split->is_queued = false;
	return all;
}

} // namespace fw

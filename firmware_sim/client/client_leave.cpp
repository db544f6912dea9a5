// SPDX-License-Identifier: MIT
/**
 * DOC: The end of a client
 *
 * A client that detaches, or is cut off, gets no turns any more: its client queue is paused. It may leave very many
 * objects behind: parked lines of graphs, memberships, exports, channels. Its chores are a runner that
 * destroys a bounded number of them in each turn, so other clients have their turns in between. An object is
 * destroyed only after it was removed from every list that refers to it. So a graph stays until all its lines
 * are unparked, and the client stays until all its objects are gone.
 */
#include <algorithm>
#include <climits>
#include <new>

#include "client.h"
#include "firmware_sim/core/exchange.h"
#include "firmware_sim/graph/graph.h"
#include "firmware_sim/packet/channel.h"
#include "firmware_sim/schedule/token_work.h"

namespace fw {

using base::Status;

/* The work of one turn: this many parked lines, or other objects that take the same time. */
static constexpr unsigned TURN_ITEMS = 512;
static constexpr unsigned TURN_ITEMS_LEAST = 16;
/* The time to free a graph and a channel without its lines, as a number of lines. */
static constexpr unsigned GRAPH_COST = 16, CHANNEL_COST = 4;

static void spend(unsigned &left, unsigned cost)
{
	left -= std::min(left, cost);
}

Client::~Client()
{
	begin_leaving();
	unsigned all = UINT_MAX;
	while (!leave_some(all))
		all = UINT_MAX;
	channels_.clear();
	core.timers.remove(late_);
	core.timers.remove(lacking_);
	core.queue.remove(chores_);
	core.storage.leave(&client_queue);
	reap_dead_clients();
	core.gone.add(counters());
}

/* Jobs hold memory, and there may be one for each line of a graph. */
static void free_jobs(Core &core, std::list<std::shared_ptr<Split>> jobs)
{
	const uint64_t bytes = jobs.size() * sizeof(Job);
	core.free_later(std::move(jobs), bytes, [](auto &dead) { dead.clear(); });
}

/* The client gets no more turns. Nothing waits for its work: jobs and transfers hold the memory that they
 * use, so it stays mapped until they end. */
void Client::begin_leaving()
{
	if (is_leaving_)
		return;
	is_broken_ = is_leaving_ = true;
	core.leaving++;
	core.exchange->end(exporter_);
	free_jobs(core, core.engines.drop_client(&client_queue));
	core.background.drop_client(&client_queue);
	core.background.disown(freeing_);
	freeing_.is_in_engine = false;
	if (kernels_.supervisor)
		core.workers.leave(*kernels_.supervisor, *this);
	kernel_loading_.is_in_worker = false;
	if (copying_.load)
		free_image(std::move(copying_.load->image));
	copying_.load.reset();
	copying_.is_in_engine = storing_.is_in_engine = false;
	loading_.load.reset();
	loading_.is_in_engine = false;
	core.timers.remove(late_);
	core.timers.remove(lacking_);
	end_deferral();
	client_queue.is_paused = true;
	core.reap();
}

bool Client::leave()
{
	is_detached_ = true;
	core.returning->charge_anyway(Resource::MEMORY, memory_used_, returning_);
	begin_leaving();
	if (do_chores() == Progress::MORE)
		core.queue.push(chores_);
	return has_left_;
}

void Client::break_off(Status why, uint64_t cookie)
{
	base::store_relaxed(completion_->status.context_cookie, cookie);
	base::store_release(completion_->status.broken, static_cast<uint32_t>(why));
	begin_leaving();
	if (why == Status::HUNG) {
		core.engines.give_up(&client_queue);
		core.storage.give_up(&client_queue);
	}
	core.queue.push(chores_);
}

bool Client::leave_graphs(unsigned &left)
{
	for (; !graphs_.empty(); graphs_.erase(graphs_.begin())) {
		auto &graph = graphs_.begin()->second;
		if (left == 0 || !graph->leave(left))
			return false;
		free_graph(std::move(graph));
		spend(left, GRAPH_COST);
	}
	return true;
}

bool Client::leave_images(unsigned &left)
{
	for (auto &images = kernels_.images; !images.empty(); images.erase(images.begin())) {
		if (left == 0)
			return false;
		free_image(std::move(images.begin()->second));
		spend(left, GRAPH_COST);
	}
	return true;
}

/* A client that was cut off keeps its channels until it detaches, for snapshots. */
bool Client::leave_channels(unsigned &left)
{
	for (; channels_left_ < channels_.size(); channels_left_++) {
		if (left == 0)
			return false;
		if (channels_[channels_left_]) {
			forget(*channels_[channels_left_]);
			channels_[channels_left_]->halt();
		}
		spend(left, CHANNEL_COST);
	}
	for (; is_detached_ && !channels_.empty(); channels_.pop_back()) {
		if (left == 0)
			return false;
		spend(left, CHANNEL_COST);
	}
	return true;
}

/* A client that was cut off keeps its memory too: it may have work that nothing stops. */
bool Client::leave_segments(unsigned &left)
{
	std::vector<std::shared_ptr<Segment>> dead;
	for (; is_detached_ && !segments_.empty() && left != 0; left--)
		dead.push_back(bury(segments_.begin()->first));
	if (!dead.empty())
		core.free_segments(std::move(dead));
	return !is_detached_ || segments_.empty();
}

/* Takes the segment out of the list. What an importer has comes back when it likes. */
std::shared_ptr<Segment> Client::bury(uint64_t id)
{
	std::shared_ptr<Segment> segment = take_out(id);
	if (segment->kind != UNPU_SEGMENT_DEVICE || segment->of)
		return segment;
	memory_used_ -= segment->bytes;
	returning_.reduce(memory_used_);
	if (!segment->is_imported)
		core.returning->charge_anyway(Resource::MEMORY, segment->bytes, segment->returning);
	return segment;
}

/* First it releases other clients: their waiters may be parked on this client's semaphores. The channels
 * come last, for graphs name them.
 * Return: whether all is done. */
bool Client::leave_some(unsigned &left)
{
	core.leaving += has_left_;
	has_left_ = core.exchange->free_ended(exporter_, left) && semaphores.leave_some(left) &&
		    leave_graphs(left) && leave_images(left) && leave_channels(left) &&
		    leave_segments(left);
	core.leaving -= has_left_;
	return has_left_;
}

/* One turn of the chores. */
Progress Client::do_chores()
{
	/* Clients that leave at the same time share a turn. */
	unsigned left = std::max(TURN_ITEMS / std::max(core.leaving, 1u), TURN_ITEMS_LEAST);
	/* A whole turn takes long: the doorbells of others come next. */
	core.did_long_work(0);
	const unsigned all = left;
	if (is_leaving_) {
		const bool has_left = leave_some(left);
		note_token_work("the end of a client", 0, all - left);
		return has_left ? Progress::BLOCKED : Progress::MORE;
	}
	const bool is_done = core.exchange->free_ended(exporter_, left);
	note_token_work("the ends of exports", 0, all - left);
	if (client_queue.is_paused)
		resume();
	return is_done && !is_abandoning_ ? Progress::BLOCKED : Progress::MORE;
}

Progress Client::Chores::advance()
{
	try {
		return client.do_chores();
	} catch (const std::bad_alloc &) {
		/* There was no memory. The next turn tries again. */
		return Progress::MORE;
	}
}

/* Ends the execution of a graph that @channel launched, or its place in the queue. If there are more lines
 * than one turn can handle, do_chores() does the rest.
 * Return: whether all is done. */
bool Client::has_abandoned(Channel &channel)
{
	unsigned left = TURN_ITEMS;
	Graph *launched = channel.launched();
	is_abandoning_ = launched && !launched->abandon(channel, left);
	if (is_abandoning_)
		core.queue.push(chores_);
	return !is_abandoning_;
}

void Client::reap_dead_clients()
{
	/* Unmapping many ranges takes long, and so does freeing the pages of the tables. */
	struct Grave {
		Mmu mmu;
		base::Mapping completion, client;
	};
	const uint64_t bytes = completion_map_.bytes() + client_map_.bytes();
	core.free_later(Grave{std::move(mmu), std::move(completion_map_), std::move(client_map_)},
			bytes, [](Grave &grave) { grave = Grave{}; });
	std::vector<std::shared_ptr<Segment>> dead;
	while (!segments_.empty())
		dead.push_back(bury(segments_.begin()->first));
	core.free_segments(std::move(dead));
}

} // namespace fw

// SPDX-License-Identifier: MIT
/**
 * DOC: who runs in an order of its own
 *
 * A slot of the vector clocks is used again only when the host of the client knows that all work of the old
 * stream has ended. Then all later work of the client is ordered after that work anyway, so the old and the
 * new stream can share one count of ticks.
 */
#include "san/order/actors.h"

#include <algorithm>

namespace san {

Actors::Client *Actors::client(uint32_t number)
{
	auto found = clients_.find(number);
	if (found != clients_.end())
		return found->second.get();
	if (clients_.size() >= MAX_CLIENTS || slots_.size() >= MAX_SLOTS)
		return nullptr;
	auto client = std::make_unique<Client>();
	const auto slot = static_cast<Slot>(slots_.size());
	client->host = Actor(slot, 0, &ticks_, follower_);
	slots_.push_back(nullptr);
	if (follower_)
		follower_->made(slot, number, HOST);
	return clients_.emplace(number, std::move(client)).first->second.get();
}

Actors::Client *Actors::known(uint32_t number)
{
	auto found = clients_.find(number);
	return found == clients_.end() ? nullptr : found->second.get();
}

Stream *Actors::stream(uint32_t client, uint32_t number)
{
	auto owner = clients_.find(client);
	if (owner == clients_.end())
		return nullptr;
	auto found = owner->second->streams.find(number);
	return found == owner->second->streams.end() ? nullptr : found->second.get();
}

const Stream *Actors::by_slot(Slot slot) const
{
	return slot < slots_.size() ? slots_[slot] : nullptr;
}

const StreamName *Actors::name(uint32_t client, uint32_t number) const
{
	const auto owner = clients_.find(client);
	return owner == clients_.end() ? nullptr : owner->second->names.find(number);
}

Profile Actors::profile(uint32_t client) const
{
	auto found = clients_.find(client);
	return found == clients_.end() ? Profile::ASCENDCL : found->second->profile;
}

bool Actors::has_slot(Client &client)
{
	std::erase_if(client.retired, [&](const Client::End &end) {
		if (!happens_before(end.moment, client.host.now()))
			return false;
		client.free.push_back({end.moment.slot, end.moment.tick, nullptr});
		return true;
	});
	return !client.free.empty() || slots_.size() < MAX_SLOTS;
}

bool Actors::take_slot(Client &client, Moment &start)
{
	if (!has_slot(client))
		return false;
	if (!client.free.empty()) {
		start = client.free.back();
		client.free.pop_back();
		return true;
	}
	start = {static_cast<Slot>(slots_.size()), 0, nullptr};
	slots_.push_back(nullptr);
	return true;
}

Stream *Actors::create(uint32_t client, uint32_t number, uint16_t flags, const StreamName &name,
		       uint64_t context)
{
	Client *owner = this->client(client);
	Moment start;
	if (!owner || number == HOST || owner->streams.contains(number) ||
	    !take_slot(*owner, start))
		return nullptr;
	auto stream = std::make_unique<Stream>();
	stream->actor = Actor(start.slot, start.tick, &ticks_, follower_);
	if (follower_)
		follower_->made(start.slot, client, number);
	stream->client = client;
	stream->number = number;
	stream->flags = flags;
	stream->context = context;
	slots_[start.slot] = stream.get();
	owner->names.add(number, name);
	if (stream->is_legacy())
		owner->legacy[context] = stream.get();
	return owner->streams.emplace(number, std::move(stream)).first->second.get();
}

void Actors::destroy(uint32_t client, uint32_t number, bool waits)
{
	Stream *stream = this->stream(client, number);
	if (!stream)
		return;
	Client &owner = *this->client(client);
	if (waits)
		owner.host.join(stream->actor.now());
	if (stream->held.empty())
		return end(owner, *stream);
	gone_ += !stream->is_gone;
	stream->is_gone = true;
}

void Actors::end(Client &client, Stream &stream)
{
	const auto legacy = client.legacy.find(stream.context);
	if (legacy != client.legacy.end() && legacy->second == &stream)
		client.legacy.erase(legacy);
	client.retired.push_back({stream.actor.now(), stream.is_blocking(), stream.context});
	slots_[stream.actor.now().slot] = nullptr;
	client.names.end(stream.number);
	client.streams.erase(stream.number);
}

void Actors::bury()
{
	if (gone_ == 0)
		return;
	for (auto &[number, client] : clients_) {
		std::vector<Stream *> over;
		for (auto &[other, stream] : client->streams) {
			if (stream->is_gone && stream->held.empty())
				over.push_back(stream.get());
		}
		for (Stream *stream : over)
			end(*client, *stream);
		gone_ -= over.size();
	}
}

Moment Actors::host_moment(Client &client)
{
	if (follower_) {
		client.host.tick();
		follower_->published(client.host.now());
	}
	client.exported = client.host.now().tick;
	return client.host.now();
}

Moment Actors::host_access(Client &client)
{
	if (client.host.now().tick == client.exported)
		client.host.tick();
	return client.host.now();
}

void Actors::begin(Stream &stream, const Moment &host)
{
	stream.actor.join(host);
	Client &client = *this->client(stream.client);
	if (stream.is_legacy()) {
		for (auto &[number, other] : client.streams) {
			if (stream.takes_turns(*other))
				stream.actor.join(other->actor.now());
		}
		for (const Client::End &end : client.retired) {
			if (end.is_blocking && end.context == stream.context)
				stream.actor.join(end.moment);
		}
	} else if (!client.legacy.empty() && stream.is_blocking()) {
		const auto legacy = client.legacy.find(stream.context);
		if (legacy != client.legacy.end())
			stream.actor.join(legacy->second->actor.now());
	}
}

std::shared_ptr<const Clock> Actors::reset_history()
{
	auto all = std::make_shared<Clock>(&ticks_);
	auto raise = [&all](const Moment &moment) { all->raise(moment.slot, moment.tick); };
	for (auto &[number, client] : clients_) {
		raise(client->host.now());
		for (auto &[other, stream] : client->streams)
			raise(stream->actor.now());
		for (const Client::End &end : client->retired) {
			raise(end.moment);
			client->free.push_back({end.moment.slot, end.moment.tick, nullptr});
		}
		for (const Moment &end : client->free)
			raise(end);
		client->retired.clear();
	}
	for (auto &[number, client] : clients_) {
		client->host.learn(all);
		for (auto &[other, stream] : client->streams) {
			stream->actor.learn(all);
			stream->marks.clear();
		}
	}
	return all;
}

bool Actors::host_knows(uint32_t client, const Moment &moment) const
{
	auto found = clients_.find(client);
	return found != clients_.end() && happens_before(moment, found->second->host.now());
}

bool Actors::is_known_to_a_host(const Moment &moment) const
{
	return std::any_of(clients_.begin(), clients_.end(), [&](const auto &entry) {
		return happens_before(moment, entry.second->host.now());
	});
}

void Actors::synchronize(Client &client, uint64_t context)
{
	for (auto &[number, stream] : client.streams) {
		if (context == 0 || stream->context == context)
			client.host.join(stream->actor.now());
	}
	know_retired(client, context, false);
}

void Actors::know_retired(Client &client, uint64_t context, bool blocking)
{
	for (const Client::End &end : client.retired) {
		if ((context == 0 || end.context == context) && (!blocking || end.is_blocking))
			client.host.join(end.moment);
	}
}

} // namespace san

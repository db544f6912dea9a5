// SPDX-License-Identifier: MIT
/**
 * DOC: Links of the wire
 *
 * The engine may send a later message before an earlier one that it could not send at once. So a link gives
 * the engine no small frame while another small one waits there; the next frames stay in the queue of the
 * link. Large frames have no order. Up to LARGE_AT_ONCE of them may be under way on a link.
 *
 * The engine calls back in the middle of its work, when a connection must not be ended. So the callback only
 * notes a failure, and advance() acts on it after the engine has returned.
 */
#include "wire_links.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/os/calls/transfers.h"

namespace umd {

static constexpr std::array<char, 4> MAGIC = {'u', 'w', 'i', 'r'};
static constexpr uint32_t VERSION = 2;
/* Data up to this size are sent with the head (eager), and the other side copies them. Larger data wait until
 * the other side has said where to store them (rendezvous). A round trip of 64 KiB took 0.13 ms eager and 0.3
 * ms by rendezvous; 1 MiB took 4 to 8 ms eager and 1.4 to 7 ms by rendezvous. */
static constexpr uint64_t EAGER = 65536;
static constexpr uint32_t LARGE_AT_ONCE = 64;
/* The name in frames between wires, which no communicator has. The data of such a frame are the sender's
 * WireId. */
static constexpr Nonce OWN{};
static constexpr uint32_t END = 1;

std::string WireLinks::open(const EngineChoice &choice, const std::vector<std::string> &settings)
{
	const WireEngine &engine = *choice.engine;
	const WireUpcalls upcalls = {this,    on_take,	 on_place, on_arrived,
				     on_sent, on_failed, on_parted};
	std::vector<const char *> texts;
	for (const std::string &setting : settings)
		texts.push_back(setting.c_str());
	texts.push_back(nullptr);
	char text[256] = "";
	engine_ = &engine;
	opened_ = engine.open(&upcalls, texts.data(), text, sizeof(text));
	if (!opened_)
		return text;
	if (!base::calls::fill_random(id_.data(), id_.size()))
		return "the system gives no random numbers";
	kind_ = choice.kind;
	return {};
}

std::string WireLinks::address(const TcpPlace *place, std::vector<uint8_t> &address)
{
	const WireAddress head = {MAGIC, VERSION, static_cast<uint32_t>(kind_), 0, id_};
	if (place && engine_->reach)
		engine_->reach(opened_, place);
	address.resize(WIRE_ADDRESS_MOST);
	memcpy(address.data(), &head, sizeof(head));
	const uint64_t bytes =
		sizeof(head) + engine_->address(opened_, address.data() + sizeof(head),
						address.size() - sizeof(head));
	if (bytes > address.size())
		return fmt::format("its address has {} bytes, and {} are the limit; choose fewer "
				   "interfaces by HCCL_SOCKET_IFNAME",
				   bytes, WIRE_ADDRESS_MOST);
	address.resize(bytes);
	return {};
}

void WireLinks::close()
{
	rest();
	users_.clear();
	if (!opened_)
		return;
	for (auto &[number, link] : links_)
		leave(*link, false);
	/* A stopped process reads nothing, and UCX would wait for it. So its sockets are shut down. */
	if (!is_alone())
		engine_->sever(opened_);
	const uint64_t deadline = base::deadline_after(base::NS_PER_S);
	while (!is_alone() && base::now_ns() < deadline)
		(void)engine_->progress(opened_);
	if (is_alone())
		engine_->close(opened_);
	opened_ = nullptr;
	links_.clear();
	receipts_.clear();
	ready_.clear();
	failed_.clear();
}

WireUser *WireLinks::user_of(const Nonce &comm) const
{
	const auto found = users_.find(comm);
	return found == users_.end() ? nullptr : found->second;
}

WireLinks::Link *WireLinks::find(uint32_t number)
{
	const auto found = links_.find(number);
	return found == links_.end() ? nullptr : found->second.get();
}

void WireLinks::attach(const Nonce &comm, WireUser *user)
{
	users_[comm] = user;
	for (auto &[number, link] : links_) {
		if (link->state == State::LOST && link->users.count(comm) != 0)
			tell(*link);
	}
}

bool WireLinks::poll()
{
	bool has_done = false;
	for (const auto &[comm, user] : users_)
		has_done = user->poll() || has_done;
	return has_done;
}

void WireLinks::rest()
{
	for (const auto &[comm, user] : users_)
		user->rest();
}

void WireLinks::forget(const Nonce &comm)
{
	if (WireUser *user = user_of(comm))
		user->rest();
	users_.erase(comm);
	for (auto &[number, link] : links_) {
		std::erase_if(link->waiting, [&](const auto &each) {
			return each->frame.comm == comm && !each->is_copied();
		});
		link->users.erase(comm);
	}
	has_unused_ = true;
}

bool WireLinks::is_quiet(const Nonce &comm) const
{
	const auto is_large = [&](const Flying &each) {
		return each.frame->frame.comm == comm && !each.frame->is_copied();
	};
	for (const auto &[number, link] : links_) {
		if (std::any_of(link->flying.begin(), link->flying.end(), is_large))
			return false;
	}
	return std::none_of(receipts_.begin(), receipts_.end(),
			    [&](const Receipt &each) { return each.frame.comm == comm; });
}

HcclResult WireLinks::connect(const Nonce &comm, std::span<const uint8_t> address, uint32_t &link,
			      std::string &text)
{
	WireAddress head;
	if (address.size() <= sizeof(head) || address.size() > WIRE_ADDRESS_MOST) {
		text = fmt::format("an address of a wire has {} bytes; it must have {} to {}",
				   address.size(), sizeof(head) + 1, WIRE_ADDRESS_MOST);
		return HCCL_E_PARA;
	}
	memcpy(&head, address.data(), sizeof(head));
	if (head.magic != MAGIC || head.version != VERSION) {
		text = fmt::format("an address of a wire is not of version {}", VERSION);
		return HCCL_E_PARA;
	}
	if (head.engine != static_cast<uint32_t>(kind_)) {
		text = "the ranks have different wires (UNPU_HCCL_WIRE)";
		return HCCL_E_PARA;
	}
	for (auto &[number, each] : links_) {
		WireAddress known;
		memcpy(&known, each->address.data(), sizeof(known));
		if (each->state == State::LIVE && known.id == head.id) {
			each->users[comm].count++;
			link = number;
			return HCCL_SUCCESS;
		}
	}
	char why[256] = "";
	const uint32_t number = next_link_++;
	void *connection =
		engine_->connect(opened_, address.data() + sizeof(head),
				 address.size() - sizeof(head), number, why, sizeof(why));
	if (!connection) {
		text = why;
		return HCCL_E_TCP_CONNECT;
	}
	auto made = std::make_unique<Link>();
	made->number = number;
	made->address.assign(address.begin(), address.end());
	made->connection = connection;
	made->users[comm].count = 1;
	links_[number] = std::move(made);
	link = number;
	return HCCL_SUCCESS;
}

void WireLinks::disconnect(const Nonce &comm, uint32_t number)
{
	Link *link = find(number);
	if (!link)
		return;
	const auto use = link->users.find(comm);
	if (use != link->users.end() && --use->second.count == 0)
		link->users.erase(use);
	has_unused_ = true;
}

void WireLinks::queue(std::unique_ptr<Outgoing> frame)
{
	Link *link = find(frame->link);
	if (!link || link->state != State::LIVE)
		return;
	if (link->waiting.size() >= FRAMES_QUEUED) {
		overrun(link->number);
		return;
	}
	ready_.insert(link->number);
	link->waiting.push_back(std::move(frame));
}

void WireLinks::overrun(uint32_t link)
{
	failed_.emplace_back(
		link, fmt::format("{} parcels wait, and the other side takes none", FRAMES_QUEUED));
}

/* Sends what may be sent now. Return: whether it sent something. */
bool WireLinks::pump(Link &link)
{
	bool has_sent = false;
	while (!link.waiting.empty() && link.state == State::LIVE) {
		const Outgoing &first = *link.waiting.front();
		if (first.is_copied() ? link.small > 0 : link.large >= LARGE_AT_ONCE)
			break;
		std::unique_ptr<Outgoing> frame = std::move(link.waiting.front());
		link.waiting.pop_front();
		has_sent = true;
		if (!start(link, std::move(frame)))
			break;
	}
	return has_sent;
}

/* Return: false: the link has failed. */
bool WireLinks::start(Link &link, std::unique_ptr<Outgoing> frame)
{
	const Outgoing &it = *frame;
	Flying &flying = link.flying.emplace_front();
	flying.link = &link;
	flying.place = link.flying.begin();
	uint32_t &count = it.is_copied() ? link.small : link.large;
	char text[256] = "";
	const int sent =
		engine_->send(opened_, link.connection, &it.frame, sizeof(it.frame), it.data,
			      it.frame.bytes, it.frame.bytes > EAGER, &flying, text, sizeof(text));
	if (sent == 0) {
		flying.frame = std::move(frame);
		count++;
		return true;
	}
	link.flying.pop_front();
	if (sent < 0)
		failed_.emplace_back(link.number, text);
	return sent > 0;
}

bool WireLinks::advance()
{
	bool has_done = false;
	/* Frames that are ready are sent before the engine looks for more work, because looking takes a
	 * system call. */
	for (auto at = ready_.begin(); at != ready_.end();) {
		Link *link = find(*at);
		if (link && pump(*link))
			has_done = true;
		at = !link || link->waiting.empty() ? ready_.erase(at) : std::next(at);
	}
	if (engine_->progress(opened_) != 0)
		has_done = true;
	while (!failed_.empty()) {
		const auto all = std::exchange(failed_, {});
		for (const auto &[number, text] : all)
			fail(number, text);
		has_done = true;
	}
	if (has_unused_)
		drop_unused();
	return has_done;
}

void WireLinks::fail(uint32_t number, const std::string &text)
{
	Link *link = find(number);
	if (!link)
		return;
	if (link->state == State::LIVE) {
		link->state = State::LOST;
		link->text = text;
	}
	link->waiting.clear();
	leave(*link, false);
	if (link->state == State::LOST)
		tell(*link);
	has_unused_ = true;
}

/* Tells the users of a lost link that have not heard of it. */
void WireLinks::tell(Link &link)
{
	for (auto &[comm, use] : link.users) {
		WireUser *user = user_of(comm);
		if (user && !std::exchange(use.is_told, true))
			user->lost(link.number, link.text);
	}
}

void WireLinks::leave(Link &link, bool is_flushed)
{
	if (!link.connection || std::exchange(link.is_leaving, true))
		return;
	engine_->disconnect(opened_, link.connection, is_flushed);
}

void WireLinks::on_end(const WireId &id)
{
	for (auto &[number, link] : links_) {
		WireAddress head;
		memcpy(&head, link->address.data(), sizeof(head));
		if (head.id != id || link->state != State::LIVE)
			continue;
		link->state = State::ENDED;
		link->waiting.clear();
	}
	has_unused_ = true;
}

/* Ends links that have failed or ended and that no user holds any more. */
void WireLinks::drop_unused()
{
	has_unused_ = false;
	for (auto at = links_.begin(); at != links_.end();) {
		Link &link = *at->second;
		const bool is_dead = link.state != State::LIVE;
		if (is_dead && link.users.empty())
			leave(link, false);
		const bool is_over =
			is_dead && link.users.empty() && !link.connection && link.flying.empty();
		at = is_over ? links_.erase(at) : std::next(at);
	}
}

void WireLinks::part()
{
	for (auto &[number, link] : links_) {
		if (link->state != State::LIVE)
			continue;
		auto end = std::make_unique<Outgoing>();
		end->link = number;
		end->frame = {OWN, END, 0, 0, 0, 0, id_.size()};
		memcpy(end->copy.data(), id_.data(), id_.size());
		end->data = end->copy.data();
		queue(std::move(end));
	}
}

bool WireLinks::is_said() const
{
	return std::all_of(links_.begin(), links_.end(), [](const auto &each) {
		const Link &link = *each.second;
		return link.state != State::LIVE || (link.waiting.empty() && link.flying.empty());
	});
}

void WireLinks::disconnect_all()
{
	for (auto &[number, link] : links_)
		leave(*link, link->state == State::LIVE);
}

bool WireLinks::is_alone() const
{
	return std::none_of(links_.begin(), links_.end(),
			    [](const auto &each) { return each.second->connection != nullptr; });
}

/* Return: whether the head is valid and matches the size of the data. */
static bool read_head(const void *head, uint64_t head_bytes, uint64_t bytes, Frame &frame)
{
	if (head_bytes != sizeof(frame))
		return false;
	memcpy(&frame, head, sizeof(frame));
	return frame.bytes == bytes;
}

void WireLinks::on_take(void *self, const void *head, uint64_t head_bytes, const void *data,
			uint64_t bytes)
{
	WireLinks &links = *static_cast<WireLinks *>(self);
	Frame frame;
	if (!read_head(head, head_bytes, bytes, frame))
		return;
	if (frame.comm == OWN) {
		WireId id;
		if (frame.kind == END && bytes == id.size()) {
			memcpy(id.data(), data, id.size());
			links.on_end(id);
		}
		return;
	}
	WireUser *user = links.user_of(frame.comm);
	if (!user)
		return;
	void *to = user->place(frame);
	if (bytes > 0) {
		if (!to)
			return;
		memcpy(to, data, bytes);
	}
	user->arrived(frame);
}

void *WireLinks::on_place(void *self, const void *head, uint64_t head_bytes, uint64_t bytes,
			  void **receipt)
{
	WireLinks &links = *static_cast<WireLinks *>(self);
	Frame frame;
	if (!read_head(head, head_bytes, bytes, frame))
		return nullptr;
	WireUser *user = links.user_of(frame.comm);
	void *to = user ? user->place(frame) : nullptr;
	if (!to)
		return nullptr;
	Receipt &made = links.receipts_.emplace_front();
	made.frame = frame;
	made.place = links.receipts_.begin();
	*receipt = &made;
	return to;
}

void WireLinks::on_arrived(void *self, void *receipt, int is_whole)
{
	WireLinks &links = *static_cast<WireLinks *>(self);
	const Receipt &it = *static_cast<Receipt *>(receipt);
	const Frame frame = it.frame;
	links.receipts_.erase(it.place);
	WireUser *user = links.user_of(frame.comm);
	if (is_whole && user)
		user->arrived(frame);
}

void WireLinks::on_sent(void *, void *token)
{
	const Flying &it = *static_cast<Flying *>(token);
	Link &link = *it.link;
	uint32_t &count = it.frame->is_copied() ? link.small : link.large;
	count--;
	link.flying.erase(it.place);
}

void WireLinks::on_failed(void *self, uint32_t link, const char *text)
{
	static_cast<WireLinks *>(self)->failed_.emplace_back(link, text);
}

void WireLinks::on_parted(void *self, uint32_t number)
{
	WireLinks &links = *static_cast<WireLinks *>(self);
	Link *link = links.find(number);
	if (!link)
		return;
	link->connection = nullptr;
	links.has_unused_ = true;
}

} // namespace umd

// SPDX-License-Identifier: MIT
/**
 * DOC: the mailbox, fuzzed
 *
 * An input is a row of requests by two clients. Each request is answered, in its turn and with a
 * status of the list; afterwards both clients can still be served.
 *
 *	INPUT	{ flags:1, type:1, words:112 }...
 *
 * Bit 0 of the flags is the client, bit 1 asks for the descriptor of the segment just created, bit 2
 * puts the last key that was exported where requests have theirs, bit 3 the last segment.
 */
#include "fuzz.h"
#include "tests/unit/support/graph_image.h"
#include "uapi/event.h"

using namespace fuzz;

namespace {

constexpr unsigned REQUESTS = 12;
/* What clients create is there until they go, so they go often. */
constexpr uint64_t INPUTS_PER_PAIR = 256;
constexpr uint64_t BYTES = 64 << 10;

class Mailbox final {
public:
	Mailbox() { break_on_failure(); }

	void run(Input input)
	{
		if (!pair_[0] || ++inputs_ % INPUTS_PER_PAIR == 0)
			renew();
		for (unsigned i = 0; i < REQUESTS && input.left() > 0; i++)
			request(input);
		for (auto &client : pair_) {
			if (client->broken() != base::Status::OK)
				pair_[0].reset();
		}
		if (!pair_[0])
			return;
		for (auto &client : pair_)
			(void)client->memory_info();
		step(*device_);
	}

private:
	void renew()
	{
		for (auto &client : pair_)
			client.reset();
		for (uint32_t i = 0; i < 2; i++)
			pair_[i] = std::make_unique<wire::Client>(*device_, wire::PID + i);
		memory_ = pair_[0]->memory(BYTES);
		wire::Image image;
		image.line({drv::nop_packet(1)});
		auto bytes = image.bytes();
		memcpy(memory_.window.data(), bytes.data(), bytes.size());
		segment_ = memory_.segment;
		key_ = {};
	}

	/* What only a client that was asked for it would know. */
	void know(uint8_t flags, unpu_message &message)
	{
		bool exports = message.type >= UNPU_MSG_EXPORT && message.type <= UNPU_MSG_UNIMPORT;
		if (flags & 4 && exports)
			message.share.key = key_;
		if (flags & 4 && message.type == UNPU_MSG_EXPORT_FIND)
			message.share.key.nonce = key_.nonce;
		if (!(flags & 8))
			return;
		if (message.type == UNPU_MSG_EXPORT)
			message.share.segment = segment_;
		else if (message.type == UNPU_MSG_MAP)
			message.map.segment = segment_;
		else if (message.type == UNPU_MSG_CHANNEL_CREATE ||
			 message.type == UNPU_MSG_SEGMENT_DESTROY)
			message.words[0] = segment_;
	}

	void request(Input &input)
	{
		auto flags = input.take<uint8_t>();
		wire::Client &client = *pair_[flags & 1];
		unpu_message message{};
		message.type = input.take<uint8_t>();
		input.take(message.words, sizeof(message.words));
		know(flags, message);
		uint32_t type = message.type;
		base::Status status = client.call(message);
		if (client.broken() != base::Status::OK)
			return;
		expect(static_cast<uint32_t>(status) <= STATUS_MOST, "an unknown status");
		if (status != base::Status::OK)
			return;
		if (type == UNPU_MSG_EXPORT)
			key_ = message.share.key;
		if (type == UNPU_MSG_SEGMENT_CREATE) {
			segment_ = message.segment.segment;
			if (flags & 2)
				(void)device_->take_segment(client.id(), segment_);
		}
	}

	static constexpr uint32_t STATUS_MOST = 255;

	std::unique_ptr<fw::Device> device_ = wire::make_device();
	std::unique_ptr<wire::Client> pair_[2];
	wire::Memory memory_;
	uint64_t inputs_ = 0;
	uint64_t segment_ = 0;
	unpu_export_key key_{};
};

Seed &begin(std::vector<Seed> &all, const char *name)
{
	all.push_back({name, {}});
	return all.back();
}

void add(Seed &seed, uint8_t flags, unpu_message_type type,
	 const std::function<void(unpu_message &)> &fill = {})
{
	unpu_message message{};
	if (fill)
		fill(message);
	seed.add(flags);
	seed.add(static_cast<uint8_t>(type));
	for (uint64_t word : message.words)
		seed.add(word);
}

} // namespace

std::vector<Seed> fuzz::seeds()
{
	constexpr uint64_t VA = uint64_t{1} << 32;
	constexpr uint64_t OTHER_VA = uint64_t{1} << 36;
	std::vector<Seed> all;
	auto create = [](Seed &seed, uint32_t kind, uint64_t bytes, uint32_t flags) {
		add(seed, 2, UNPU_MSG_SEGMENT_CREATE,
		    [=](unpu_message &m) { m.segment = {0, bytes, kind, UNPU_PAGE_4K, flags, 0}; });
	};

	Seed &map = begin(all, "map");
	create(map, UNPU_SEGMENT_DEVICE, 4096, 0);
	add(map, 8, UNPU_MSG_MAP, [](unpu_message &m) { m.map = {OTHER_VA, 4096, 0, 0, 3, 0}; });
	add(map, 0, UNPU_MSG_PROTECT,
	    [](unpu_message &m) { m.map = {OTHER_VA, 4096, 0, 0, 1, 0}; });
	add(map, 0, UNPU_MSG_UNMAP, [](unpu_message &m) { m.map = {OTHER_VA, 4096, 0, 0, 0, 0}; });
	add(map, 8, UNPU_MSG_SEGMENT_DESTROY);

	Seed &pieces = begin(all, "pieces");
	create(pieces, UNPU_SEGMENT_DEVICE, 2 << 20, UNPU_SEGMENT_SHAREABLE);
	for (auto type : {UNPU_MSG_RESERVE, UNPU_MSG_MAP, UNPU_MSG_UNMAP, UNPU_MSG_RELEASE})
		add(pieces, 8, type, [=](unpu_message &m) {
			uint64_t bytes =
				type == UNPU_MSG_MAP || type == UNPU_MSG_UNMAP ? 2 << 20 : 4 << 20;
			m.map = {OTHER_VA, bytes, 0, 0, type == UNPU_MSG_MAP ? 3u : 0u, 0};
		});

	Seed &channel = begin(all, "channel");
	create(channel, UNPU_SEGMENT_CHANNEL, UNPU_CHANNEL_BYTES(16), 0);
	add(channel, 8, UNPU_MSG_CHANNEL_CREATE,
	    [](unpu_message &m) { m.channel = {0, 16, UNPU_SEM_FIRST_FREE, 0, 0, 2, 1, 0}; });
	add(channel, 0, UNPU_MSG_CHANNEL_CONTROL, [](unpu_message &m) {
		m.control = {0, 7, 3, 0};
	});
	add(channel, 0, UNPU_MSG_CHANNEL_ABORT, [](unpu_message &m) { m.abort = {0, 0, 0}; });
	add(channel, 0, UNPU_MSG_CHANNEL_DESTROY);

	Seed &control = begin(all, "control");
	add(control, 0, UNPU_MSG_CLIENT_CONTROL, [](unpu_message &m) { m.client = {3, 0, 1000}; });
	add(control, 1, UNPU_MSG_SEM_SET, [](unpu_message &m) { m.sem = {9, 0, 5}; });
	add(control, 0, UNPU_MSG_MEMORY_INFO);
	add(control, 0, UNPU_MSG_DEVICE_INFO);

	Seed &graph = begin(all, "graph");
	wire::Image image;
	image.line({drv::nop_packet(1)});
	const uint64_t bytes = image.bytes().size();
	add(graph, 0, UNPU_MSG_GRAPH_LOAD, [=](unpu_message &m) { m.graph = {VA, bytes, 0, 0}; });
	add(graph, 0, UNPU_MSG_GRAPH_TRACE, [](unpu_message &m) { m.graph = {VA, 4096, 1, 0}; });
	add(graph, 0, UNPU_MSG_GRAPH_UNLOAD, [](unpu_message &m) { m.graph = {0, 0, 1, 0}; });

	Seed &kernel = begin(all, "kernel");
	add(kernel, 0, UNPU_MSG_KERNEL_LOAD, [=](unpu_message &m) {
		m.kernel = {VA, 4096, 0, 0, VA};
	});
	add(kernel, 0, UNPU_MSG_KERNEL_INFO, [](unpu_message &m) {
		m.kernel = {VA, 1552, 1, 1, 0};
	});
	for (uint32_t kind :
	     {UNPU_KERNEL_TEXT_OUTPUT, UNPU_KERNEL_TEXT_FAULT, UNPU_KERNEL_TEXT_LOAD})
		add(kernel, 0, UNPU_MSG_KERNEL_TEXT, [=](unpu_message &m) {
			m.text = {VA, 256, 0, kind, 0};
		});
	add(kernel, 0, UNPU_MSG_KERNEL_UNLOAD, [](unpu_message &m) { m.kernel = {0, 0, 1, 0, 0}; });

	Seed &share = begin(all, "share");
	create(share, UNPU_SEGMENT_DEVICE, 8192, UNPU_SEGMENT_SHAREABLE);
	add(share, 8, UNPU_MSG_EXPORT, [](unpu_message &m) {
		m.share.kind = UNPU_EXPORT_MEMORY;
		m.share.bytes = 8192;
		m.share.flags = UNPU_EXPORT_ANY_PROCESS;
	});
	add(share, 4, UNPU_MSG_EXPORT_ALLOW, [](unpu_message &m) { m.allow.count = 1; });
	add(share, 5, UNPU_MSG_IMPORT);
	add(share, 5, UNPU_MSG_EXPORT_FIND);
	add(share, 4, UNPU_MSG_UNEXPORT);

	for (uint32_t kind : {UNPU_EXPORT_NOTIFY, UNPU_EXPORT_MIRROR, UNPU_EXPORT_EVENT}) {
		Seed &group = begin(all, kind == UNPU_EXPORT_NOTIFY   ? "notify"
					 : kind == UNPU_EXPORT_MIRROR ? "mirror"
								      : "event");
		create(group, UNPU_SEGMENT_PINNED, 4096, UNPU_SEGMENT_SHAREABLE);
		auto semaphores = [=](unpu_message &m) {
			m.share.count = kind == UNPU_EXPORT_EVENT ? UNPU_EVENT_LANES : 1;
			for (uint32_t i = 0; i < m.share.count; i++)
				m.share.semaphores[i] = UNPU_SEM_FIRST_FREE + 20 + i;
		};
		add(group, kind == UNPU_EXPORT_EVENT ? 8 : 0, UNPU_MSG_EXPORT,
		    [=](unpu_message &m) {
			    semaphores(m);
			    m.share.kind = kind;
			    m.share.flags = UNPU_EXPORT_ANY_PROCESS;
		    });
		add(group, 5, UNPU_MSG_IMPORT, semaphores);
		add(group, 1, UNPU_MSG_UNIMPORT,
		    [](unpu_message &m) { m.share.semaphores[0] = UNPU_SEM_FIRST_FREE + 20; });
		add(group, 4, UNPU_MSG_UNEXPORT);
	}
	return all;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static auto *world = new Mailbox;
	world->run(Input(data, bytes));
	return 0;
}

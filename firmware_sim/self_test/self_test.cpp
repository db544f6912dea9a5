// SPDX-License-Identifier: MIT
/**
 * DOC: Self-test
 *
 * Conformance checks of a device: one for each opcode that a host may send and for the faults that the
 * device must report. A check compares results and completion values, and says why it fails.
 */
#include "self_test.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "base/clock.h"
#include "self_client.h"
#include "uapi/graph.h"

namespace self_test {

namespace {

/* The checks' places in device memory; the last two are long enough for an engine. */
constexpr uint64_t DATA_BYTES = 16u << 20;
constexpr uint64_t PLACE_A = 0;
constexpr uint64_t PLACE_B = 64u << 10;
constexpr uint64_t PLACE_C = 128u << 10;
constexpr uint64_t PLACE_FROM = 4u << 20;
constexpr uint64_t PLACE_TO = 10u << 20;
constexpr uint64_t LONG_BYTES = 4u << 20;
constexpr uint32_t COUNT = 1000; /* elements of a small vector */

/* struct Bench - the device under test and the first error of the running check. */
struct Bench {
	const fw::Config &config;
	Host &host;
	Channel first{host};
	Channel second{host};
	Memory data{};
	uint64_t free_bytes = 0;
	std::string why{}; /* the first error; empty if none */

	void same(const char *what, uint64_t found, uint64_t wanted)
	{
		if (why.empty() && found != wanted)
			why = fmt::format("{} is {}, wanted {}", what, found, wanted);
	}

	void ends(const char *what, Status found, Status wanted = Status::OK)
	{
		if (why.empty() && found != wanted)
			why = fmt::format("{} ended with {}, wanted {}", what,
					  base::status_name(found), base::status_name(wanted));
	}

	void holds(const char *what, bool condition)
	{
		if (why.empty() && !condition)
			why = fmt::format("not so: {}", what);
	}

	/* all() - whether every element of a vector is @value. */
	template <class T> void all(const char *what, uint64_t place, uint64_t count, T value)
	{
		const T *from = data.at<T>(place);
		const T *wrong = std::find_if(from, from + count, [&](T x) { return x != value; });
		if (why.empty() && wrong != from + count)
			why = fmt::format("{}[{}] is {}, wanted {}", what, wrong - from, *wrong,
					  value);
	}

	uint64_t va(uint64_t place) const { return data.va + place; }
};

unpu_packet packet_of(unpu_opcode opcode)
{
	unpu_packet packet{};
	packet.opcode = static_cast<uint8_t>(opcode);
	packet.cookie = 0x5e1f0000u + opcode;
	return packet;
}

unpu_packet fill_of(uint64_t dst, uint64_t bytes, uint32_t pattern, uint32_t width)
{
	unpu_packet packet = packet_of(UNPU_OP_FILL);
	packet.fill = {dst, bytes, pattern, width, 0};
	return packet;
}

unpu_packet copy_of(uint64_t dst, uint64_t src, uint64_t bytes)
{
	unpu_packet packet = packet_of(UNPU_OP_COPY);
	packet.copy = {dst, src, bytes, 0};
	return packet;
}

unpu_packet wait_of(uint32_t sem, uint64_t value, uint64_t timeout_ns)
{
	unpu_packet packet = packet_of(UNPU_OP_SEM_WAIT);
	packet.wait = {sem, UNPU_WAIT_GE, value, timeout_ns, 0, 0};
	return packet;
}

/* signalling() - @packet, with a signal when it retires. */
unpu_packet signalling(unpu_packet packet, uint32_t sem, uint64_t value)
{
	packet.signal_sem = sem;
	packet.signal_op = UNPU_SIGNAL_RAISE;
	packet.signal_value = value;
	return packet;
}

unpu_packet operator_packet()
{
	unpu_packet packet = packet_of(UNPU_OP_OPERATOR);
	packet.op.bytes = sizeof(unpu_operator);
	return packet;
}

/* C = A kind B on dense vectors of f32. */
unpu_operator operator_of(const Bench &bench, unpu_operator_kind kind, double scalar)
{
	const uint64_t places[] = {PLACE_C, PLACE_A, PLACE_B};
	unpu_operator op{};
	op.kind = kind;
	op.compute = UNPU_DTYPE_F32;
	op.ndim = 1;
	op.noperands = 3;
	memcpy(&op.scalar_bits, &scalar, sizeof(scalar));
	op.dims[0] = COUNT;
	for (unsigned i = 0; i < std::size(places); i++) {
		unpu_operand &operand = op.operands[i];
		operand.address = bench.va(places[i]);
		operand.dtype = UNPU_DTYPE_F32;
		operand.access = i == 0 ? UNPU_ACCESS_WRITE : UNPU_ACCESS_READ;
		operand.strides[0] = 1;
	}
	return op;
}

uint32_t bits_of(float value)
{
	uint32_t bits = 0;
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

void check_header(Bench &bench)
{
	const unpu_bar &bar = bench.host.bar();
	bench.same("packet_bytes", bar.packet_bytes, sizeof(unpu_packet));
	bench.same("operator_bytes", bar.operator_bytes, sizeof(unpu_operator));
	bench.same("semaphore_bytes", bar.semaphore_bytes, sizeof(unpu_sem_device));
	bench.same("message_bytes", bar.message_bytes, sizeof(unpu_message));
	bench.same("graph_line_bytes", bar.graph_line_bytes, sizeof(unpu_graph_line));
	bench.same("memory_bytes", bar.memory_bytes, bench.config.memory_bytes);
	bench.same("engines", bar.engines, bench.config.engines);
	bench.holds("the header has the chip's name",
		    strncmp(bar.soc_name, bench.config.soc_name, sizeof(bar.soc_name)) == 0);
	bench.same("broken", bench.host.completion().status.broken, 0);
}

void check_memory(Bench &bench)
{
	bench.free_bytes = bench.host.free_bytes();
	bench.same("free memory", bench.free_bytes, bench.config.memory_bytes);
	bench.ends("SEGMENT_CREATE",
		   bench.host.create(UNPU_SEGMENT_DEVICE, DATA_BYTES, bench.data));
	bench.ends("MAP", bench.host.place(bench.data, UNPU_ACCESS_READ | UNPU_ACCESS_WRITE));
	bench.same("free memory", bench.host.free_bytes(), bench.free_bytes - bench.data.bytes);
	Memory more;
	bench.ends("SEGMENT_CREATE of all memory",
		   bench.host.create(UNPU_SEGMENT_DEVICE, bench.config.memory_bytes, more),
		   Status::NO_MEMORY);
}

void check_channels(Bench &bench)
{
	bench.ends("CHANNEL_CREATE", bench.first.open());
	bench.ends("CHANNEL_CREATE", bench.second.open());
}

void check_nop(Bench &bench)
{
	constexpr unsigned TURNS = 20;
	const uint64_t before = bench.first.retired();
	for (unsigned i = 0; i < TURNS * SLOTS; i++)
		bench.first.publish(packet_of(UNPU_OP_NOP));
	bench.ends("a burst of NOP", bench.first.finish());
	bench.same("retired packets", bench.first.retired() - before, TURNS * SLOTS);
}

void check_sleep(Bench &bench)
{
	const uint64_t kicks = bench.host.kicks();
	/* A device that is about to sleep checks for work once more and may find the doorbell without a
	 * kick, so try again. */
	constexpr unsigned TRIES = 100;
	bool asleep = true;
	for (unsigned i = 0; i < TRIES && asleep && bench.host.kicks() == kicks; i++) {
		asleep = bench.host.wait_asleep();
		bench.ends("NOP", bench.first.run(packet_of(UNPU_OP_NOP)));
	}
	bench.holds("an idle device goes to sleep", asleep);
	bench.holds("a doorbell and a kick wake it", bench.host.kicks() > kicks);
}

void check_fill(Bench &bench)
{
	memset(bench.data.window.data(), 0, COUNT * 4 + 4);
	const Status status = bench.first.run(fill_of(bench.va(PLACE_A), COUNT * 4, 0x1badcafe, 4));
	bench.ends("FILL", status);
	bench.all<uint32_t>("filled", PLACE_A, COUNT, 0x1badcafe);
	bench.same("the word behind it", *bench.data.at<uint32_t>(PLACE_A + COUNT * 4), 0);
	bench.ends("FILL of bytes", bench.first.run(fill_of(bench.va(PLACE_A), 3, 0xff, 1)));
	bench.same("its word", *bench.data.at<uint32_t>(PLACE_A), 0x1bffffff);
}

void check_copy(Bench &bench)
{
	auto *from = bench.data.at<uint32_t>(PLACE_A);
	for (uint32_t i = 0; i < COUNT; i++)
		from[i] = i * 2654435761u;
	bench.ends("COPY",
		   bench.first.run(copy_of(bench.va(PLACE_B), bench.va(PLACE_A), COUNT * 4)));
	bench.holds("the copy equals its source",
		    memcmp(bench.data.at<uint32_t>(PLACE_B), from, COUNT * 4) == 0);
}

void check_long_work(Bench &bench)
{
	bench.first.publish(fill_of(bench.va(PLACE_FROM), LONG_BYTES, 0xa5, 1));
	bench.first.publish(copy_of(bench.va(PLACE_TO), bench.va(PLACE_FROM), LONG_BYTES));
	bench.ends("a long FILL and COPY", bench.first.finish());
	bench.all<uint8_t>("copied", PLACE_TO, LONG_BYTES, 0xa5);
}

void check_pinned(Bench &bench)
{
	Memory pinned;
	bench.ends("SEGMENT_CREATE",
		   bench.host.create(UNPU_SEGMENT_PINNED, base::PAGE_BYTES, pinned));
	bench.ends("MAP", bench.host.place(pinned, UNPU_ACCESS_READ));
	if (!bench.why.empty())
		return;
	memset(pinned.window.data(), 0x3c, base::PAGE_BYTES);
	bench.ends("COPY",
		   bench.first.run(copy_of(bench.va(PLACE_C), pinned.va, base::PAGE_BYTES)));
	bench.all<uint8_t>("copied", PLACE_C, base::PAGE_BYTES, 0x3c);
	bench.ends("FILL of read-only memory", bench.first.run(fill_of(pinned.va, 4, 0, 4)),
		   Status::ACCESS_FAULT);
	bench.same("its first byte", *pinned.at<uint8_t>(0), 0x3c);
	bench.ends("UNMAP and SEGMENT_DESTROY", bench.host.drop(pinned));
}

void check_operator(Bench &bench)
{
	auto *a = bench.data.at<float>(PLACE_A);
	auto *b = bench.data.at<float>(PLACE_B);
	const auto *c = bench.data.at<float>(PLACE_C);
	for (uint32_t i = 0; i < COUNT; i++) {
		a[i] = static_cast<float>(i);
		b[i] = static_cast<float>(COUNT - i);
	}
	const unpu_operator add = operator_of(bench, UNPU_OPERATOR_ADD, 2.0);
	bench.ends("ADD", bench.first.run(operator_packet(), &add));
	for (uint32_t i = 0; i < COUNT; i++)
		bench.holds("C = A + 2 * B", c[i] == a[i] + 2 * b[i]);
	const unpu_operator mul = operator_of(bench, UNPU_OPERATOR_MUL, 0.0);
	bench.ends("MUL", bench.first.run(operator_packet(), &mul));
	for (uint32_t i = 0; i < COUNT; i++)
		bench.holds("C = A * B", c[i] == a[i] * b[i]);
}

void check_semaphores(Bench &bench)
{
	const uint32_t sem = bench.host.new_semaphore();
	unpu_message message{};
	message.type = UNPU_MSG_SEM_SET;
	message.sem.sem = sem;
	message.sem.value = 4;
	bench.ends("SEM_SET", bench.host.call(message));
	bench.same("its value", bench.host.value(sem), 4);
	const uint64_t before = bench.second.retired();
	bench.second.publish(wait_of(sem, 5, 0));
	bench.second.publish(fill_of(bench.va(PLACE_A), 4, 7, 4));
	bench.ends("FILL", bench.first.run(fill_of(bench.va(PLACE_A), 4, 6, 4)));
	bench.same("packets past the wait", bench.second.retired() - before, 0);
	bench.ends("SEM_SIGNAL",
		   bench.first.run(signalling(packet_of(UNPU_OP_SEM_SIGNAL), sem, 5)));
	bench.ends("SEM_WAIT", bench.second.finish());
	bench.same("its value", bench.host.value(sem), 5);
	bench.same("the word behind the wait", *bench.data.at<uint32_t>(PLACE_A), 7);
}

void check_wait_timeout(Bench &bench)
{
	const uint32_t sem = bench.host.new_semaphore();
	bench.ends("SEM_WAIT for nothing", bench.second.run(wait_of(sem, 1, base::NS_PER_MS)),
		   Status::WAIT_TIMEOUT);
}

void check_timestamps(Bench &bench)
{
	const uint32_t early = bench.host.new_semaphore();
	const uint32_t late = bench.host.new_semaphore();
	const uint64_t boot_ns = bench.host.bar().boot_ns;
	const uint64_t begin_ns = base::now_ns() - boot_ns;
	bench.first.publish(signalling(packet_of(UNPU_OP_TIMESTAMP), early, 1));
	bench.first.publish(signalling(packet_of(UNPU_OP_TIMESTAMP), late, 1));
	bench.ends("TIMESTAMP", bench.first.finish());
	const uint64_t end_ns = base::now_ns() - boot_ns;
	bench.same("their values", bench.host.value(early) + bench.host.value(late), 2);
	const uint64_t early_ns = bench.host.line(early).timestamp_ns;
	const uint64_t late_ns = bench.host.line(late).timestamp_ns;
	bench.holds("stamps lie in order between this side's own",
		    begin_ns <= early_ns && early_ns <= late_ns && late_ns <= end_ns);
}

void check_host_call(Bench &bench)
{
	const uint64_t before = bench.second.retired();
	unpu_packet call = packet_of(UNPU_OP_HOST_CALL);
	call.call.call = 42;
	bench.second.publish(call);
	bench.holds("the call is posted", bench.host.wait(UNPU_SEM_CALLS, 1));
	const unpu_call_entry entry = bench.host.completion().calls[0];
	bench.same("the entry's sequence", entry.sequence, 1);
	bench.same("the entry's call", entry.call, 42);
	bench.same("the entry's cookie", entry.cookie, call.cookie);
	bench.same("packets past the call", bench.second.retired() - before, 0);
	unpu_packet done = packet_of(UNPU_OP_HOST_DONE);
	done.call.token = entry.token;
	bench.ends("HOST_DONE", bench.first.run(done));
	bench.ends("HOST_CALL", bench.second.finish());
}

/* struct Diamond - one node forks to two that a fourth joins; a line for each. */
struct Diamond {
	static constexpr uint32_t NODES = 4;

	unpu_graph_header header;
	unpu_packet nodes[NODES];
	unpu_operator op;
	unpu_graph_line lines[NODES];
	unpu_graph_region region;
	uint32_t edges[NODES];
};

/* A = 1.5 through a copy, B = 2, then C = A + 4 * B. */
Diamond make_diamond(const Bench &bench, uint32_t sem)
{
	Diamond image{};
	const uint64_t bytes = COUNT * sizeof(float);
	const unpu_packet start = fill_of(bench.va(PLACE_TO), bytes, bits_of(1.5f), 4);
	const unpu_packet left = copy_of(bench.va(PLACE_A), bench.va(PLACE_TO), bytes);
	const unpu_packet right = fill_of(bench.va(PLACE_B), bytes, bits_of(2.0f), 4);
	const unpu_packet join = signalling(operator_packet(), sem, 1);
	image.header.magic = UNPU_GRAPH_MAGIC;
	image.header.abi = UNPU_ABI;
	image.header.bytes = sizeof(image);
	image.header.nlines = Diamond::NODES;
	image.header.nnodes = Diamond::NODES;
	image.header.nregions = 1;
	image.header.nwords = Diamond::NODES;
	image.header.descriptor_bytes = sizeof(image.op);
	image.lines[0] = {0, 1, 0, 0, 2, 0};
	image.lines[1] = {1, 1, 1, 2, 1, 0};
	image.lines[2] = {2, 1, 1, 3, 1, 0};
	image.lines[3] = {3, 1, 2, 0, 0, 0};
	image.region = {0, Diamond::NODES};
	image.nodes[0] = start;
	image.nodes[1] = left;
	image.nodes[2] = right;
	image.nodes[3] = join;
	const uint32_t edges[] = {1, 2, 3, 3};
	memcpy(image.edges, edges, sizeof(edges));
	image.op = operator_of(bench, UNPU_OPERATOR_ADD, 4.0);
	return image;
}

void check_graph(Bench &bench)
{
	const uint32_t sem = bench.host.new_semaphore();
	const Diamond image = make_diamond(bench, sem);
	memcpy(bench.data.at<Diamond>(PLACE_FROM), &image, sizeof(image));
	unpu_message message{};
	message.type = UNPU_MSG_GRAPH_LOAD;
	message.graph.va = bench.va(PLACE_FROM);
	message.graph.bytes = sizeof(image);
	bench.ends("GRAPH_LOAD", bench.host.call(message));
	const uint32_t graph = message.graph.graph;
	unpu_packet launch = packet_of(UNPU_OP_GRAPH);
	launch.graph.graph = graph;
	/* The second execution uses the addresses that the first one translated. */
	for (unsigned turn = 0; turn < 2; turn++) {
		memset(bench.data.at<float>(PLACE_C), 0, COUNT * sizeof(float));
		bench.ends("GRAPH", bench.first.run(launch));
		bench.all("C", PLACE_C, COUNT, 1.5f + 4.0f * 2.0f);
	}
	bench.same("what the last node signals", bench.host.value(sem), 1);
	message = {};
	message.type = UNPU_MSG_GRAPH_UNLOAD;
	message.graph.graph = graph;
	bench.ends("GRAPH_UNLOAD", bench.host.call(message));
	bench.ends("a launch of what is unloaded", bench.first.run(launch), Status::BAD_GRAPH);
}

void check_fault(Bench &bench)
{
	const uint64_t hole = bench.data.va + bench.data.bytes;
	unpu_packet copy = copy_of(bench.va(PLACE_A), hole, 64);
	copy.cookie = 0xfa017;
	bench.ends("COPY from a hole", bench.first.run(copy), Status::MMU_FAULT);
	const unpu_sem_device &failure = bench.first.failure();
	bench.same("fault_cookie", failure.fault_cookie, copy.cookie);
	bench.same("fault_address", failure.fault_address, hole);
	bench.holds("the failure is counted", failure.failures != 0);
	bench.ends("NOP behind it", bench.first.run(packet_of(UNPU_OP_NOP)));
}

void check_bad_opcode(Bench &bench)
{
	unpu_packet packet = packet_of(UNPU_OP_NOP);
	packet.opcode = 0xee;
	bench.ends("an unknown opcode", bench.first.run(packet), Status::BAD_OPCODE);
}

void check_stop_on_failure(Bench &bench)
{
	memset(bench.data.at<uint32_t>(PLACE_A), 0, 8);
	bench.ends("CHANNEL_CONTROL", bench.second.control(UNPU_CHANNEL_STOP_ON_FAILURE));
	unpu_packet bad = packet_of(UNPU_OP_NOP);
	bad.variant = 1;
	unpu_packet always = fill_of(bench.va(PLACE_A + 4), 4, 9, 4);
	always.flags = UNPU_PACKET_ALWAYS;
	bench.second.publish(bad);
	bench.second.publish(fill_of(bench.va(PLACE_A), 4, 9, 4));
	bench.second.publish(always);
	bench.ends("a malformed packet", bench.second.finish(), Status::BAD_PACKET);
	bench.same("what a skipped FILL left", *bench.data.at<uint32_t>(PLACE_A), 0);
	bench.same("what an ALWAYS FILL left", *bench.data.at<uint32_t>(PLACE_A + 4), 9);
}

void check_stop(Bench &bench)
{
	unpu_packet stop = packet_of(UNPU_OP_STOP);
	stop.flags = UNPU_PACKET_ALWAYS;
	/* The channel has stopped on a failure, and its status stays. */
	bench.ends("STOP", bench.second.run(stop), Status::BAD_PACKET);
	const uint64_t before = bench.second.retired();
	bench.second.publish(packet_of(UNPU_OP_NOP));
	bench.ends("NOP elsewhere", bench.first.run(packet_of(UNPU_OP_NOP)));
	bench.same("packets past STOP", bench.second.retired() - before, 0);
}

void check_release(Bench &bench)
{
	bench.ends("CHANNEL_DESTROY", bench.second.close());
	bench.ends("CHANNEL_DESTROY", bench.first.close());
	bench.ends("UNMAP and SEGMENT_DESTROY", bench.host.drop(bench.data));
	bench.same("free memory", bench.host.free_bytes(), bench.free_bytes);
	bench.same("broken", bench.host.completion().status.broken, 0);
}

/* struct Check - @needed: later checks cannot run if this one fails. */
struct Check {
	const char *name;
	void (*run)(Bench &bench);
	bool needed;
};

constexpr Check CHECKS[] = {
	{"header", check_header, true},
	{"memory", check_memory, true},
	{"channels", check_channels, true},
	{"nop", check_nop, true},
	{"sleep", check_sleep, false},
	{"fill", check_fill, false},
	{"copy", check_copy, false},
	{"long-work", check_long_work, false},
	{"pinned", check_pinned, false},
	{"operator", check_operator, false},
	{"semaphores", check_semaphores, false},
	{"wait-timeout", check_wait_timeout, false},
	{"timestamps", check_timestamps, false},
	{"host-call", check_host_call, false},
	{"graph", check_graph, false},
	{"fault", check_fault, false},
	{"bad-opcode", check_bad_opcode, false},
	{"stop-on-failure", check_stop_on_failure, false},
	{"stop", check_stop, false},
	{"release", check_release, false},
};

bool report(const char *name, const std::string &why)
{
	if (why.empty())
		fmt::print("ok {}\n", name);
	else
		fmt::print("FAILED {}: {}\n", name, why);
	return why.empty();
}

} // namespace

bool run(const fw::Config &config)
{
	auto host = Host::boot(config);
	const std::string why = host ? "" : base::status_sentence(host.status());
	if (!report("boot", why))
		return false;
	Bench bench{.config = config, .host = **host};
	unsigned failed = 0;
	for (const Check &check : CHECKS) {
		bench.why.clear();
		check.run(bench);
		if (report(check.name, bench.why))
			continue;
		failed++;
		if (check.needed)
			break;
	}
	fmt::print("{} packets retired, {} doorbells, {} kicks, {} checks failed\n",
		   bench.first.retired() + bench.second.retired(), (*host)->doorbells(),
		   (*host)->kicks(), failed);
	return failed == 0;
}

} // namespace self_test

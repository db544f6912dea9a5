// SPDX-License-Identifier: MIT
/**
 * DOC: the graph loader, fuzzed
 *
 * An input is a graph image, and a block of changes. A graph that loads is launched, changed and
 * launched again; whatever it does, its channel can be aborted and it can be unloaded.
 *
 *	INPUT	{ flags:1, bytes:2, image..., changes... }
 *
 * Bit 0 of the flags corrects magic, version and size of the image's header, bit 1 the magic of the
 * changes; the image has so many bytes, or all there are.
 */
#include "fuzz.h"
#include "tests/unit/support/graph_image.h"

using namespace fuzz;

namespace {

constexpr uint64_t BYTES = 16 << 10;
/* Turns of a graph, each of which is bounded work. */
constexpr unsigned TURNS = 16;
constexpr uint64_t BLOCK = BYTES / 2; /* where changes stand */

class Graphs final : public World {
public:
	void run(const uint8_t *data, size_t bytes)
	{
		Input input(data, bytes);
		wire::Client &owner = client();
		auto flags = input.take<uint8_t>();
		auto wanted = input.take<uint16_t>();
		size_t image = std::min<size_t>({wanted, input.left(), BLOCK});
		size_t changes = std::min<size_t>(input.left() - image, BYTES - BLOCK);
		input.take(memory_.window.data(), image);
		input.take(memory_.window.data() + BLOCK, changes);
		if (flags & 1 && image >= sizeof(unpu_graph_header)) {
			auto &header = *memory_.as<unpu_graph_header>();
			header.magic = UNPU_GRAPH_MAGIC;
			header.abi = UNPU_ABI;
			header.bytes = image;
		}
		if (flags & 2 && changes >= sizeof(unpu_graph_changes))
			reinterpret_cast<unpu_graph_changes *>(memory_.window.data() + BLOCK)
				->magic = UNPU_GRAPH_CHANGES_MAGIC;
		unpu_message load{};
		load.type = UNPU_MSG_GRAPH_LOAD;
		load.graph.va = memory_.va;
		load.graph.bytes = image;
		if (owner.call(load) != base::Status::OK)
			return;
		launch(load.graph.graph, memory_.as<unpu_graph_header>()->nargs);
		change(load.graph.graph, changes);
		launch(load.graph.graph, memory_.as<unpu_graph_header>()->nargs);
		expect(owner.unload_graph(load.graph.graph) == base::Status::OK,
		       "a graph can't be unloaded");
		check();
	}

	static constexpr uint64_t SEED_VA = (uint64_t{1} << 32) + BYTES + base::HUGE_PAGE_BYTES;

private:
	void set_up() override
	{
		memory_ = client_->memory(BYTES);
		data_ = client_->memory(BYTES);
		expect(data_.va == SEED_VA, "the memory is not where the seeds have it");
	}

	void settle_one(const unpu_packet &packet)
	{
		settle(channel_->publish(packet), TURNS);
		(void)channel_->control(UNPU_CHANNEL_CLEAR_STATUS);
	}

	void launch(uint32_t graph, uint32_t nargs)
	{
		unpu_packet packet = drv::packet(UNPU_OP_GRAPH, 1);
		auto *args = reinterpret_cast<unpu_graph_argument *>(data_.window.data());
		packet.graph.graph = graph;
		packet.graph.args = nargs;
		packet.graph.args_va = nargs ? data_.va : 0;
		for (uint32_t i = 0; i < nargs && i < BYTES / sizeof(*args); i++) {
			args[i] = {};
			args[i].sem = UNPU_SEM_FIRST_FREE + 8;
			args[i].value = i;
		}
		settle_one(packet);
	}

	void change(uint32_t graph, size_t bytes)
	{
		unpu_packet packet = drv::packet(UNPU_OP_GRAPH_UPDATE, 1);
		packet.change.graph = graph;
		packet.change.va = memory_.va + BLOCK;
		packet.change.bytes = bytes;
		if (bytes > 0)
			settle_one(packet);
	}

	wire::Memory memory_;
	wire::Memory data_;
};

Seed seed(const char *name, const wire::Image &image, const std::vector<std::byte> &changes = {})
{
	Seed made{name, {}};
	const std::vector<std::byte> bytes = image.bytes();
	made.add(uint8_t{3});
	made.add(static_cast<uint16_t>(bytes.size()));
	made.bytes.insert(made.bytes.end(), bytes.begin(), bytes.end());
	made.bytes.insert(made.bytes.end(), changes.begin(), changes.end());
	return made;
}

} // namespace

std::vector<Seed> fuzz::seeds()
{
	constexpr uint64_t VA = Graphs::SEED_VA;
	const unpu_packet fill = drv::fill_packet(1, VA, 64, 5, 4);
	std::vector<Seed> all;

	wire::Image plain;
	plain.line({fill, drv::nop_packet(1)});
	all.push_back(seed("plain", plain));

	wire::Image fork;
	uint32_t first = fork.line({fill});
	uint32_t left = fork.line({fill});
	uint32_t right = fork.line({fill});
	uint32_t last = fork.line({fill});
	fork.edge(first, left);
	fork.edge(first, right);
	fork.edge(left, last);
	fork.edge(right, last);
	all.push_back(seed("fork", fork));

	for (auto kind : {UNPU_COND_IF, UNPU_COND_WHILE, UNPU_COND_SWITCH}) {
		wire::Image image;
		image.line({wire::Image::cond(kind, VA + 8192, 1, 1), fill});
		image.region(0);
		image.line({fill});
		image.region(1);
		image.cells.push_back({});
		image.cells.back().va = VA + 8192;
		image.cells.back().value = 1;
		all.push_back(seed(kind == UNPU_COND_IF	     ? "if"
				   : kind == UNPU_COND_WHILE ? "while"
							     : "switch",
				   image));
	}

	wire::Image jumps;
	unpu_packet jump = jumps.jump(VA + 8192, {2, 0});
	jumps.line({fill, jump, fill});
	all.push_back(seed("jump", jumps));

	wire::Image dormant;
	unpu_packet activate = drv::packet(UNPU_OP_ACTIVATE, 1);
	activate.activate.line = 1;
	activate.activate.left = VA;
	activate.activate.right = VA + 8;
	activate.activate.compare = UNPU_COMPARE_EQ;
	activate.activate.width = 8;
	dormant.line({activate});
	dormant.line({fill}, UNPU_LINE_DORMANT);
	all.push_back(seed("activate", dormant));

	wire::Image op;
	op.operators.push_back(
		wire::packed_operator(UNPU_OPERATOR_MUL, 16, VA, VA + 64, VA + 128, 0));
	unpu_packet call = drv::packet(UNPU_OP_OPERATOR, 1);
	call.op.bytes = sizeof(unpu_operator);
	op.line({call});
	all.push_back(seed("operator", op));

	wire::Image args;
	args.nargs = 1;
	unpu_packet signal = drv::packet(UNPU_OP_SEM_SIGNAL, 1);
	signal.flags = UNPU_PACKET_ARGUMENT;
	signal.signal_op = UNPU_SIGNAL_SET;
	args.line({signal});
	all.push_back(seed("argument", args));

	unpu_packet other = drv::fill_packet(1, VA, 64, 6, 2);
	other.valid = 1;
	all.push_back(seed("changes", plain, wire::changes({other})));
	return all;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static auto *world = new Graphs;
	world->run(data, bytes);
	return 0;
}

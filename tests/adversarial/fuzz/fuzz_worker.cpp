// SPDX-License-Identifier: MIT
/**
 * DOC: what a worker of kernels says to the firmware, fuzzed
 *
 * User code shares a process with the worker, so it may answer for it, and write each word of the board. Here a thread
 * is the worker. An input is
 *
 *	answers:1 { flags:1, patches }...	to the messages that ask for one, in their order; then good ones
 *	{ what:1, ... }...			what the firmware does with the worker, with patches of the board
 *
 * where patches are count:1 { offset:2, value:8 }... of what is good. What the firmware takes from a worker has the
 * bounds that its readers rely on.
 */
#include <deque>

#include <sys/mman.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/kernel_info.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "firmware_sim/memory/account.h"
#include "firmware_sim/worker/client_kernels.h"
#include "firmware_sim/worker/link.h"
#include "input.h"

using namespace fuzz;
using base::Fd;
using base::Result;
using base::Status;

namespace {

constexpr unsigned ANSWERS = 8;
constexpr unsigned PATCHES = 16;
constexpr uint32_t IMAGES = 3;
constexpr uint64_t ROOM = 64 << 10;

struct Patch {
	uint16_t offset;
	uint64_t value;
};

std::vector<Patch> take_patches(Input &input)
{
	std::vector<Patch> patches(input.take<uint8_t>() % PATCHES);
	for (Patch &patch : patches) {
		patch.offset = input.take<uint16_t>();
		patch.value = input.take<uint64_t>();
	}
	return patches;
}

void apply(const std::vector<Patch> &patches, void *to, size_t bytes)
{
	for (const Patch &patch : patches) {
		const size_t at = patch.offset % bytes;
		memcpy(static_cast<char *>(to) + at, &patch.value,
		       std::min(sizeof(patch.value), bytes - at));
	}
}

/* What the worker does with a message. @flags: 1: goes, 2: says half, 4: says it twice, 8: the patches are of the
 * table of entries instead. */
struct Step {
	uint8_t flags = 0;
	std::vector<Patch> patches;
};

/* Set while there is no worker. */
std::deque<Step> script;

void fill_table(int file, const Step &step)
{
	void *at = mmap(nullptr, fw::KernelImage::TABLE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
			file, 0);
	expect(at != MAP_FAILED, "there is no table");
	auto *infos = static_cast<unpu_kernel_info *>(at);
	memcpy(infos->name, "add", 4);
	if (step.flags & 8)
		apply(step.patches, infos, 4 * sizeof(*infos));
	munmap(at, fw::KernelImage::TABLE_BYTES);
}

struct Heard {
	unpu_worker_message message{};
	std::vector<Fd> files;
};

bool hear(int socket, Heard &heard)
{
	iovec part{&heard.message, sizeof(heard.message)};
	alignas(cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))];
	msghdr header{};
	header.msg_iov = &part;
	header.msg_iovlen = 1;
	header.msg_control = control;
	header.msg_controllen = sizeof(control);
	const ssize_t bytes =
		base::calls::recvmsg(socket, header, MSG_CMSG_CLOEXEC, base::NO_DEADLINE);
	for (cmsghdr *each = CMSG_FIRSTHDR(&header); bytes > 0 && each;
	     each = CMSG_NXTHDR(&header, each)) {
		for (size_t i = 0; i < (each->cmsg_len - CMSG_LEN(0)) / sizeof(int); i++) {
			int file;
			memcpy(&file, CMSG_DATA(each) + i * sizeof(file), sizeof(file));
			heard.files.emplace_back(file);
		}
	}
	return bytes == sizeof(heard.message);
}

/* Return: whether the worker goes on. */
bool answer(int socket, const Heard &heard, const Step &step)
{
	unpu_worker_answer said{};
	said.type = heard.message.type;
	said.entries = heard.message.type == UNPU_WORKER_HELLO ? UNPU_WORKER_VERSION : 1;
	if (heard.message.type == UNPU_WORKER_LOAD && heard.files.size() == 2)
		fill_table(heard.files[1].get(), step);
	if (!(step.flags & 8))
		apply(step.patches, &said, sizeof(said));
	const size_t bytes = step.flags & 2 ? sizeof(said) / 2 : sizeof(said);
	for (unsigned i = 0; i < (step.flags & 4 ? 2u : 1u); i++)
		(void)base::calls::send(socket, &said, bytes, base::calls::NOW);
	return !(step.flags & 1);
}

int serve(int socket)
{
	const Fd own(socket);
	for (Heard heard; hear(socket, heard); heard = {}) {
		const uint32_t type = heard.message.type;
		if (type != UNPU_WORKER_HELLO && type != UNPU_WORKER_LOAD &&
		    type != UNPU_WORKER_RESOLVE)
			continue;
		Step step;
		if (!script.empty()) {
			step = std::move(script.front());
			script.pop_front();
		}
		if (!answer(socket, heard, step))
			break;
	}
	return 0;
}

Result<fw::WorkerProcess> start(std::string &)
{
	return fw::WorkerProcess::start_thread(serve);
}

void check_text(std::string_view text)
{
	for (const char c : text)
		expect(static_cast<unsigned char>(c) >= ' ' && c != 0x7f,
		       "a terminal obeys a sentence of a worker");
}

/* The board that the workers of all inputs have, one after the other. */
struct Board {
	fw::Lanes lanes;
	base::Mapping mapped;

	Board()
	{
		expect(lanes.init() == Status::OK, "there is no board");
		auto made =
			base::map_shared(lanes.file(), UNPU_WORKER_BOARD_BYTES, true, UNPU_PAGE_4K);
		expect(made.ok(), "the board can't be mapped");
		mapped = made.take();
	}
};

/* A firmware's side of one client's worker. */
class Side {
public:
	explicit Side(Board &board) : board_(board), lanes_(board.lanes)
	{
		expect(link_.init(1, start, uint64_t{1} << 30, lanes_) == Status::OK,
		       "there is no link");
	}

	~Side() { link_.end(); }

	void load(uint32_t number)
	{
		fw::KernelJob job;
		job.image = std::make_shared<fw::KernelImage>();
		job.image->number = number;
		job.image->file = file();
		job.account = account_;
		job.is_load = true;
		link_.load(job);
		check_text(job.sentence);
		if (job.status != Status::OK)
			return;
		expect(!job.image->infos.empty() &&
			       job.image->infos.size() * sizeof(unpu_kernel_info) <=
				       fw::KernelImage::TABLE_BYTES,
		       "an image has more kernels than fit");
		for (const unpu_kernel_info &info : job.image->infos) {
			expect(base::is_good_kernel(info), "parameters lie beside the arguments");
			check_text(info.name);
		}
		images_[number % IMAGES] = job.image;
	}

	/* A launch, whose lane has what the worker writes there. */
	void launch(Input &input)
	{
		const uint32_t image = input.take<uint8_t>() % IMAGES;
		const uint32_t lane = input.take<uint8_t>() % UNPU_WORKER_LANES;
		if (!images_[image] || link_.start() != Status::OK)
			return;
		fw::KernelJob job;
		job.image = images_[image];
		job.head.image = job.image->number;
		job.head.blocks = 1;
		job.args = {1, 2, 3};
		job.cookie = 7;
		const uint32_t number = lanes_.post(lane, job, link_.messages());
		std::byte *at = board_.mapped.data() + UNPU_WORKER_LANE_AT +
				lane * uint64_t{UNPU_WORKER_LANE_BYTES};
		auto &line = *reinterpret_cast<unpu_worker_lane *>(at);
		line.ended = number;
		apply(take_patches(input), &line.answer, sizeof(line.answer));
		apply(take_patches(input), at + UNPU_WORKER_OUTPUT_AT, 1024);
		apply(take_patches(input), at + UNPU_WORKER_TEXT_AT, UNPU_WORKER_TEXT_BYTES);
		apply(take_patches(input), at, sizeof(line));
		apply(take_patches(input), board_.mapped.data(), UNPU_WORKER_LANE_AT);
		unpu_worker_answer answer;
		(void)lanes_.has_begun(lane, number);
		if (!lanes_.has_ended(lane, number, answer)) {
			link_.end();
			return link_.fail(job, fw::Ending::LATE, {}, {});
		}
		lanes_.take_output(lane, answer, job);
		check_output(job);
		if (answer.result != UNPU_WORKER_OK) {
			const std::string text = lanes_.sentence(lane, answer);
			link_.end();
			link_.fail(job, fw::Ending::ANSWERED, answer, text);
			expect(job.status != Status::OK, "a kernel that failed was good");
			check_text(job.sentence);
		}
		(void)texts_.add(job);
	}

	void change(Input &input, fw::MemoryChange::Kind kind)
	{
		fw::MemoryChange change;
		change.kind = kind;
		change.va = (input.take<uint8_t>() % 4 + 1) * ROOM;
		change.bytes = ROOM;
		change.access = input.take<uint8_t>();
		if (change.access & 1)
			change.file = std::make_shared<const Fd>(file());
		change.is_part = change.access & 2;
		link_.change(std::move(change));
	}

	void forget(uint32_t number) { link_.forget(number); }
	void end() { link_.end(); }

	void read_texts(uint64_t bytes)
	{
		std::vector<std::byte> taken;
		(void)texts_.take_output(bytes, taken);
		expect(taken.size() <= bytes, "more is taken than asked for");
		std::vector<std::byte> failure(bytes);
		uint64_t stored = 0;
		(void)texts_.copy_failure(7, failure.data(), bytes, stored);
		expect(stored <= bytes, "more is stored than fits");
	}

private:
	static Fd file() { return Fd(memfd_create("fuzz", MFD_CLOEXEC)); }

	static void check_output(const fw::KernelJob &job)
	{
		expect(job.output.size() <= fw::OutputPiece::MOST, "an output has many pieces");
		uint64_t all = 0;
		for (const fw::OutputPiece &piece : job.output) {
			uint64_t at = 0, texts = 0;
			unsigned records = 0;
			for (; at < piece.records.size(); records++) {
				unpu_kernel_output head;
				expect(at + sizeof(head) <= piece.records.size(),
				       "a record is cut");
				memcpy(&head, piece.records.data() + at, sizeof(head));
				expect(head.cookie == 7 || head.core == UNPU_KERNEL_OBSERVED,
				       "a record is of another launch");
				at += sizeof(head) + (head.bytes + uint64_t{7}) / 8 * 8;
				texts += head.bytes;
			}
			expect(at == piece.records.size() && texts == piece.text_bytes,
			       "a record is longer than its piece");
			expect(at <= fw::OutputPiece::BYTES || records == 1, "a piece is long");
			all += at;
		}
		expect(all <= UNPU_WORKER_OUTPUT_BYTES, "an output is longer than its lane");
	}

	Board &board_;
	fw::Lanes &lanes_;
	fw::WorkerLink link_;
	fw::KernelTexts texts_;
	std::shared_ptr<fw::Account> account_ =
		std::make_shared<fw::Account>(fw::Account::Amounts{});
	std::array<std::shared_ptr<fw::KernelImage>, IMAGES> images_;
};

} // namespace

std::vector<Seed> fuzz::seeds()
{
	std::vector<Seed> all;
	all.push_back({"good", {}});
	Seed &good = all.back();
	good.add(uint8_t{0});
	for (const uint8_t byte : {0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7, 64})
		good.add(byte);
	for (const uint8_t flags : {0, 1, 2, 4, 8}) {
		all.push_back({"answer-" + std::to_string(flags), {}});
		Seed &seed = all.back();
		seed.add(uint8_t{2});
		seed.add(uint8_t{0});
		seed.add(uint8_t{0});
		seed.add(flags);
		seed.add(uint8_t{1});
		seed.add(uint16_t{0});
		seed.add(uint64_t{0x0a1b2c3d});
		seed.add(uint8_t{0});
		seed.add(uint8_t{0});
	}
	/* The kernel has printed, and has failed by a signal. */
	all.push_back({"signal", {}});
	Seed &signal = all.back();
	for (const uint8_t byte : {0, 0, 0, 2, 1, 1, 1, 0, 0, 3})
		signal.add(byte);
	for (const auto &[offset, value] : {std::pair<uint16_t, uint64_t>{4, UNPU_WORKER_FAILED},
					    {offsetof(unpu_worker_answer, output_bytes), 64},
					    {offsetof(unpu_worker_answer, failure), 4}}) {
		signal.add(offset);
		signal.add(value);
	}
	return all;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static auto &board = *new Board;
	Input input(data, bytes);
	script.clear();
	for (auto left = input.take<uint8_t>() % ANSWERS; left > 0; left--) {
		Step step;
		step.flags = input.take<uint8_t>();
		step.patches = take_patches(input);
		script.push_back(std::move(step));
	}
	Side side(board);
	for (unsigned i = 0; i < 32 && input.left() > 0; i++) {
		switch (input.take<uint8_t>() % 8) {
		case 0:
			side.load(input.take<uint8_t>() % IMAGES);
			break;
		case 1:
			side.launch(input);
			break;
		case 2:
			side.change(input, fw::MemoryChange::Kind::MAP);
			break;
		case 3:
			side.change(input, fw::MemoryChange::Kind::UNMAP);
			break;
		case 4:
			side.change(input, fw::MemoryChange::Kind::PROTECT);
			break;
		case 5:
			side.forget(input.take<uint8_t>() % IMAGES);
			break;
		case 6:
			side.end();
			break;
		default:
			side.read_texts(input.take<uint16_t>());
		}
	}
	return 0;
}

// SPDX-License-Identifier: MIT
/**
 * DOC: the recorder of the sanitizer
 *
 * With UNPU_SANITIZE=FOLDER the runtime records the API calls of the program in FOLDER/PID.unpusan, in the
 * format of san/trace/record.h. The tool unpu-san judges the trace later, so the program does not wait for
 * the judgement.
 *
 * The order of the records is one in which the calls may have taken effect: the record of a submit has its
 * place before the work can be seen, the record of a wait after it has ended. So everything that a call has
 * seen comes before it in the trace. Two concurrent calls may be in either order.
 */
#include "recorder.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/os/calls/transfers.h"
#include "hal/options.h"
#include "umd/core/process/call.h"
#include "umd/core/process/words.h"
#include "umd/core/record/observer.h"

namespace umd::recorder {

using base::Status;

static constexpr uint64_t MOST_SITES = uint64_t{1} << 16;
static constexpr uint64_t MOST_LABELS = uint64_t{1} << 14;
/* How often a process may call exec and still record. Each program gets a trace of its own. */
static constexpr uint32_t MOST_PROGRAMS = 64;

namespace {

/* struct Head - the fixed part of a record. */
struct Head {
	uint64_t word; /* kind, flags and client; for a hole: its length */
	uint32_t thread;
	uint32_t stream;
	uint64_t object;
	uint64_t address;
	uint64_t bytes;
	uint64_t value;
	uint32_t label;
	uint32_t site;
	uint32_t operands;
	uint32_t reserved;
};

/* struct OperandHead - the fixed part of an operand. */
struct OperandHead {
	uint64_t address;
	uint64_t run;
	san::Access access;
	uint8_t ndim;
	uint16_t flags;
	uint32_t role;
	uint64_t reserved;
};

} // namespace

static_assert(sizeof(Head) == san::RECORD_BYTES);
static_assert(sizeof(OperandHead) == san::OPERAND_BYTES);
static_assert(sizeof(Step) == san::DIMENSION_BYTES);

/* A recorder that no longer records. Threads may still use it, so it is not freed. This pointer keeps leak
 * checkers from reporting it. */
static constinit Recorder *ended_recorder = nullptr;

static uint32_t thread_number()
{
	static thread_local constinit uint32_t number = 0;
	if (number == 0) [[unlikely]]
		number = static_cast<uint32_t>(syscall(SYS_gettid));
	return number;
}

static uint64_t head_word(san::Kind kind, uint16_t flags, uint32_t client)
{
	return static_cast<uint64_t>(kind) | uint64_t{flags} << 16 | uint64_t{client} << 32;
}

uint64_t *Recorder::place(uint32_t bytes)
{
	uint64_t *word = file_->reserve(bytes);
	if (word) [[likely]]
		return word;
	std::lock_guard lock(mutex_);
	if (get() == this) {
		Head lost{};
		lost.word = head_word(san::Kind::LOST, 0, client_);
		file_->replace_first(&lost, sizeof(lost));
		ended_recorder = this;
		base::store_relaxed(active_, static_cast<Recorder *>(nullptr));
		base::store_relaxed(observer.is_recording, uint32_t{0});
		base::calls::warn(
			"unpu: UNPU_SANITIZE: the trace can't grow: the disk or the limit "
			"of a file's size is reached; later calls are not recorded\n");
	}
	return nullptr;
}

/* Records the time. The next record may depend on the end of another process. */
void Recorder::note_time()
{
	const uint64_t now_ns = base::now_ns();
	write({.kind = san::Kind::CLOCK, .value = now_ns, .site = NO_SITE});
	ended_.look(now_ns, [&](uint32_t client) {
		write({.kind = san::Kind::GONE, .object = client, .site = NO_SITE});
	});
}

Entry Recorder::reserve(const Draft &draft, const Operands *operands)
{
	const bool is_timed = draft.kind != san::Kind::CLOCK && draft.kind != san::Kind::GONE;
	if (base::load_relaxed(is_sharing_) != 0 && is_timed) [[unlikely]]
		note_time();
	const auto count = static_cast<uint32_t>(operands ? operands->count() : 0);
	const uint32_t where = draft.site == NO_SITE ? 0 : draft.site != 0 ? draft.site : site();
	uint32_t bytes = san::RECORD_BYTES + count * san::OPERAND_BYTES;
	for (uint32_t i = 0; i < count; i++)
		bytes += (*operands)[i].ndim * san::DIMENSION_BYTES;
	uint64_t *const word = place(bytes);
	if (!word) [[unlikely]]
		return {};
	auto *head = reinterpret_cast<Head *>(word);
	head->thread = thread_number();
	head->stream = draft.stream;
	head->object = draft.object;
	head->address = draft.address;
	head->bytes = draft.bytes;
	head->value = draft.value;
	head->label = draft.label;
	head->site = where;
	head->operands = count;
	auto *at = reinterpret_cast<std::byte *>(head + 1);
	for (uint32_t i = 0; i < count; i++) {
		const Operand &from = (*operands)[i];
		const OperandHead operand{from.address,
					  from.run,
					  from.access,
					  from.ndim,
					  from.flags,
					  roles_[static_cast<size_t>(from.role)],
					  0};
		memcpy(at, &operand, sizeof(operand));
		at += sizeof(operand);
		for (uint8_t k = 0; k < from.ndim; k++, at += sizeof(Step))
			memcpy(at, &from.dims[k], sizeof(Step));
	}
	const auto flags = static_cast<uint16_t>(draft.flags | (operands ? operands->flags() : 0));
	return {word, head_word(draft.kind, flags, client_)};
}

/* Writes a record that a text follows. Return: false if there is no room for it. */
bool Recorder::write_text(san::Kind kind, uint64_t object, const std::string &text)
{
	const size_t length = std::min<size_t>(text.size(), san::MAX_STRING_BYTES);
	const auto padded = static_cast<uint32_t>((length + 7) & ~size_t{7});
	uint64_t *const word = file_->reserve(san::RECORD_BYTES + padded);
	if (!word)
		return false;
	auto *head = reinterpret_cast<Head *>(word);
	head->thread = thread_number();
	head->object = object;
	head->operands = static_cast<uint32_t>(length);
	memcpy(head + 1, text.data(), length);
	Entry(word, head_word(kind, 0, client_)).publish();
	return true;
}

/* Return: the number of the text; 0 if there is no room for it. */
uint32_t Recorder::intern(const std::string &text)
{
	return write_text(san::Kind::STRING, ++texts_, text) ? texts_ : 0;
}

/* Writes @text to the trace, unless @table already has @key. Return: the number of the text. */
uint32_t Recorder::number_of_text(InsertTable &table, uint64_t key, const std::string &text)
{
	uint64_t number = 0;
	std::lock_guard lock(mutex_);
	if (!table.find(key, number)) {
		number = intern(text);
		(void)table.insert(key, number);
	}
	return static_cast<uint32_t>(number);
}

void Recorder::mark_now(const std::string &part)
{
	if (Recorder *recorder = get())
		return recorder->mark(part);
	auto kept = std::make_unique<std::string>(part);
	kept.reset(base::exchange(part_, kept.release()));
}

std::string Recorder::first_part()
{
	const std::unique_ptr<std::string> kept(
		base::exchange(part_, static_cast<std::string *>(nullptr)));
	return kept ? *kept : hal::environment("UNPU_SANITIZE_MARK");
}

uint32_t Recorder::site_of(const CallStack &stack)
{
	const uint64_t key = stack.hash();
	uint64_t number = 0;
	if (stack.count == 0 || sites_.find(key, number)) [[likely]]
		return static_cast<uint32_t>(number);
	return number_of_text(sites_, key, StackWalker::text(stack));
}

uint32_t Recorder::site()
{
	uint64_t number = 0;
	if (const ReportedStack *told = ReportedStack::mine()) [[unlikely]] {
		const uint64_t key = mix(told->key) | 1;
		return sites_.find(key, number) ? static_cast<uint32_t>(number)
						: number_of_text(sites_, key, told->frames);
	}
	return walker_.number(caller_registers(),
			      [this](const CallStack &stack) { return site_of(stack); });
}

uint32_t Recorder::label(const char *word)
{
	const auto key = reinterpret_cast<uint64_t>(word);
	uint64_t number = 0;
	if (labels_.find(key, number)) [[likely]]
		return static_cast<uint32_t>(number);
	return number_of_text(labels_, key, expand_words(word));
}

uint32_t Recorder::name(const std::string &text)
{
	const uint64_t key = mix(std::hash<std::string>()(text)) | 1;
	uint64_t number = 0;
	if (labels_.find(key, number)) [[likely]]
		return static_cast<uint32_t>(number);
	return number_of_text(labels_, key, text);
}

uint32_t Recorder::call_label(uint16_t call)
{
	uint32_t number = base::load_relaxed(calls_[call]);
	if (number == 0) [[unlikely]] {
		number = label(call_name(static_cast<Call>(call)));
		base::store_relaxed(calls_[call], number);
	}
	return number;
}

void Recorder::set_latch(const void *device, uint32_t sem, uint64_t number)
{
	std::lock_guard lock(mutex_);
	latches_[{device, sem}] = number;
}

uint64_t Recorder::latch(const void *device, uint32_t sem)
{
	std::lock_guard lock(mutex_);
	auto found = latches_.find({device, sem});
	return found == latches_.end() ? 0 : found->second;
}

void Recorder::set_contract(san::Profile profile, bool orders_default)
{
	base::store_relaxed(orders_default_, uint32_t{orders_default});
	write({.kind = san::Kind::CLIENT,
	       .object = static_cast<uint64_t>(getppid()),
	       .value = static_cast<uint64_t>(profile)});
}

/* Return: the HostCheck bits that UNPU_SANITIZE_HOST asks for. */
uint32_t Recorder::wanted_checks()
{
	const std::string text = hal::environment("UNPU_SANITIZE_HOST");
	if (text == "digest+late" || text == "late+digest")
		return HOST_DIGEST | HOST_LATE;
	if (text == "digest")
		return HOST_DIGEST;
	if (text == "late")
		return HOST_LATE;
	if (!text.empty() && text != "off")
		base::calls::warn(fmt::format(
			"unpu: UNPU_SANITIZE_HOST is '{}'; it must be off, digest, late or "
			"digest+late; contents of host memory are not compared\n",
			text));
	return 0;
}

Status Recorder::prepare()
{
	/* Reserves a hole, which a LOST record may replace later. */
	if (!file_->reserve(san::RECORD_BYTES))
		return Status::BAD_FILE;
	host_checks_ = wanted_checks();
	TRY(walker_.prepare());
	TRY(sites_.reserve(MOST_SITES));
	TRY(labels_.reserve(MOST_LABELS));
	static constexpr const char *ROLES[] = {"source", "destination", "input", "output"};
	static_assert(std::size(ROLES) == static_cast<size_t>(Role::COUNT));
	for (size_t i = 0; i < roles_.size(); i++)
		roles_[i] = label(ROLES[i]);
	note_time();
	set_contract(san::Profile{}, false);
	const std::string part = first_part();
	if (!part.empty())
		mark(part);
	return Status::OK;
}

/* Opens the trace file. exec keeps the process id, so the program that ran before exec may have a trace with
 * the same name. That trace is kept, and this program gets the next free name. */
Recorder *Recorder::open(const std::string &folder)
{
	const auto process = static_cast<uint32_t>(getpid());
	(void)mkdir(folder.c_str(), 0755);
	for (uint32_t program = 0; program < MOST_PROGRAMS; program++) {
		const std::string path =
			program == 0 ? fmt::format("{}/{}.unpusan", folder, process)
				     : fmt::format("{}/{}.{}.unpusan", folder, process, program);
		auto file = RecordFile::create(path);
		if (!file && file.status() == Status::ALREADY_INITIALISED)
			continue;
		if (!file)
			break;
		std::unique_ptr<Recorder> made(
			new Recorder(file.take(), folder, process | program << san::PROCESS_BITS));
		if (made->prepare() == Status::OK)
			return made.release();
		break;
	}
	return nullptr;
}

void Recorder::begin_if_asked()
{
	const std::string folder = hal::environment("UNPU_SANITIZE");
	if (folder.empty())
		return;
	Recorder *made = open(folder);
	if (!made)
		base::calls::warn(fmt::format(
			"unpu: UNPU_SANITIZE: no trace can be written into the folder '{}'; "
			"nothing is recorded\n",
			folder));
	base::store_release(active_, made);
}

void Recorder::forget_in_fork()
{
	ended_recorder = get();
	base::store_relaxed(active_, static_cast<Recorder *>(nullptr));
	base::store_relaxed(observer.is_recording, uint32_t{0});
}

} // namespace umd::recorder

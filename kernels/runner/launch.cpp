// SPDX-License-Identifier: MIT
/**
 * DOC: A launch
 *
 * One lock guards what the threads of the pool share; no fiber is resumed under it. A thread prefers instances that
 * can go on, then starts another group, then resumes instances that have yielded. A thread without any of these
 * sleeps until something changes. If no instance of any thread can go on, the launch is in a deadlock.
 */
#include "launch.h"

#include <cstring>

#include <sched.h>
#include <unistd.h>

namespace runner {

static constexpr size_t OUTPUT_OF_INSTANCE_BYTES = 1 << 20;
static constexpr size_t MOST_HEADS_BYTES = UNPU_KERNEL_MAX_TEXT_BYTES / 2;
static constexpr uint8_t FLAG_MOST = 15;
static constexpr uint32_t FLAGS = 16;

static thread_local Instance *current_instance = nullptr;

/* struct Launch::Local - the live instances of one thread. */
struct Launch::Local {
	std::vector<Instance *> mine;
	std::map<uint32_t, uint32_t> left; /* instances that have not ended, by group */
	size_t turn = 0;
};

Instance *Launch::current()
{
	return current_instance;
}

Launch::Launch(Job job)
	: entry_(job.entry), head_(job.head), args_(job.args), cores_(CorePool::all()),
	  number_(job.number), find_(std::move(job.find)), groups_(job.head.blocks)
{
	cubes_ = entry_.type != UNPU_KERNEL_AIV_ONLY && entry_.type != UNPU_KERNEL_MIX_AIV_1_0;
	vectors_ = entry_.type == UNPU_KERNEL_MIX_AIC_1_2
			   ? 2
			   : !cubes_ || entry_.type == UNPU_KERNEL_MIX_AIC_1_1;
	each_ = cubes_ + vectors_;
	most_resident_ = cubes_ ? job.cube_cores : 2 * job.cube_cores;
}

/* After a failure there are instances that have not ended. */
Launch::~Launch()
{
	for (Instance *instance : live_)
		cores_.give(*instance);
}

void Launch::stop()
{
	const Lock lock(mutex_);
	set_failure(UNPU_KERNEL_FAIL_CHECK, nullptr, "it was stopped");
}

std::vector<int> Launch::runners() const
{
	const Lock lock(mutex_);
	return runners_;
}

uint32_t Launch::participants(uint32_t kind, uint32_t core) const
{
	if (kind == UNPU_KERNEL_SYNC_ALL)
		return groups_ * each_;
	return groups_ * (core == UNPU_KERNEL_CORE_AIC ? cubes_ : vectors_);
}

void Launch::begin(void *argument)
{
	auto &instance = *static_cast<Instance *>(argument);
	const unpu_kernel_entry &entry = instance.launch->entry_;
	const bool is_cube = instance.block.core == UNPU_KERNEL_CORE_AIC &&
			     (entry.flags & UNPU_KERNEL_HAS_CUBE_RUN);
	(is_cube ? entry.run_cube : entry.run)(instance.launch->args_);
	instance.has_ended = true;
	instance.fiber.leave();
}

bool Launch::start_group(Local &local)
{
	if (started_ == groups_ || resident_ == most_resident_)
		return false;
	const uint32_t group = started_++;
	resident_++;
	local.left[group] = each_;
	for (uint32_t sub = 0; sub < each_; sub++) {
		Instance *instance = cores_.take();
		if (instance)
			live_.push_back(instance);
		if (!instance || !instance->set_ub(entry_.flags & UNPU_KERNEL_HAS_UB_310P
							   ? UNPU_KERNEL_UB_310P_BYTES
							   : UNPU_KERNEL_UB_BYTES)) {
			set_failure(UNPU_KERNEL_FAIL_CHECK, nullptr,
				    "there is no memory for the cores of the kernel");
			return false;
		}
		const bool is_cube = sub < cubes_;
		const uint32_t vector = sub - cubes_;
		unpu_kernel_block &block = instance->block;
		block.index = is_cube ? group : group * vectors_ + vector;
		block.count = groups_;
		block.sub_index = is_cube ? 0 : vector;
		block.sub_count = is_cube ? 1 : vectors_;
		block.core = is_cube ? UNPU_KERNEL_CORE_AIC : UNPU_KERNEL_CORE_AIV;
		block.type = entry_.type;
		block.check = head_.check;
		block.saturate = head_.flags & UNPU_KERNEL_LAUNCH_SATURATE;
		block.tiling_key = head_.tiling_key;
		block.workspace = head_.workspace;
		block.state = instance->state;
		block.kernel = entry_.name;
		block.launch = number_;
		block.exact = is_exact();
		memset(instance->state, 0, UNPU_KERNEL_STATE_BYTES);
		instance->launch = this;
		instance->group = group;
		instance->number = number(group, sub);
		instance->waits = Waits::NOTHING;
		instance->wait_at = {};
		instance->has_ended = false;
		instance->accesses = {};
		instance->fiber.start(begin, instance);
		local.mine.push_back(instance);
	}
	return true;
}

/* Whether @instance can continue: it does not wait, or its condition is true. */
bool Launch::is_ready(const Instance &instance) const
{
	switch (instance.waits) {
	case Waits::NOTHING:
		return true;
	case Waits::TURN:
		return false;
	case Waits::BARRIER:
		return barriers_[instance.what].generation != instance.generation;
	case Waits::FLAG:
		return !flags_.empty() && flags_[instance.number].raised[instance.what] != 0;
	case Waits::BLOCK: {
		const auto found = block_flags_.find({instance.what, instance.event});
		return found != block_flags_.end() && found->second != 0;
	}
	}
	return false;
}

/* Ends the wait of an instance that is ready. A wait for a flag consumes the flag. */
void Launch::end_wait(Instance &instance)
{
	if (instance.waits == Waits::FLAG)
		flags_[instance.number].raised[instance.what]--;
	if (instance.waits == Waits::BLOCK)
		block_flags_[{instance.what, instance.event}] = 0;
	instance.waits = Waits::NOTHING;
}

/* Return: the next instance of the thread that can go on, in turns; nullptr: there is none. */
Instance *Launch::pick(Local &local, bool yielded)
{
	for (size_t i = 0; i < local.mine.size(); i++) {
		Instance *instance = local.mine[(local.turn + i) % local.mine.size()];
		if (yielded ? instance->waits == Waits::TURN : is_ready(*instance)) {
			local.turn = (local.turn + i + 1) % local.mine.size();
			end_wait(*instance);
			return instance;
		}
	}
	return nullptr;
}

void Launch::end(Local &local, Instance &instance)
{
	std::erase(local.mine, &instance);
	std::erase(live_, &instance);
	local.turn = 0;
	instances_ended_++;
	accesses_.add(instance.accesses, find_);
	if (--local.left[instance.group] == 0) {
		local.left.erase(instance.group);
		resident_--;
	}
	cores_.give(instance);
	note_change();
}

void Launch::note_change()
{
	version_++;
	changed_.notify_all();
}

/* Whether no instance can go on and none can start. */
bool Launch::is_stuck() const
{
	if (live_.empty() || (started_ != groups_ && resident_ != most_resident_))
		return false;
	return std::none_of(live_.begin(), live_.end(), [this](const Instance *instance) {
		return instance->waits == Waits::TURN || is_ready(*instance);
	});
}

/* The waits of one kind, grouped by line: " (k.cpp:12: vector blocks 1, 2; ...)". Images of older compilers report
 * no lines. */
std::string Launch::lines_of_waits(Waits waits) const
{
	static constexpr size_t BLOCKS = 8, LINES = 4;
	std::map<std::string, std::vector<const Instance *>> lines;
	for (const Instance *instance : live_) {
		const auto &at = instance->wait_at;
		if (instance->waits == waits && at.file)
			lines[std::string(at.file) + ":" + std::to_string(at.line)].push_back(
				instance);
	}
	std::string text;
	size_t count = 0;
	for (auto &[line, there] : lines) {
		if (++count > LINES) {
			text += "; and more lines";
			break;
		}
		std::sort(there.begin(), there.end(),
			  [](const Instance *left, const Instance *right) {
				  return left->number < right->number;
			  });
		text += text.empty() ? " (" : "; ";
		text += line + ":";
		for (size_t i = 0; i < there.size() && i < BLOCKS; i++) {
			const bool is_cube = there[i]->block.core == UNPU_KERNEL_CORE_AIC;
			text += (i ? ", " : " ") + std::string(is_cube ? "cube " : "vector ") +
				std::to_string(there[i]->block.index);
		}
		if (there.size() > BLOCKS)
			text += " and " + std::to_string(there.size() - BLOCKS) + " more";
	}
	return text.empty() ? text : text + ")";
}

void Launch::report_deadlock()
{
	uint32_t counts[3] = {};
	for (const Instance *instance : live_)
		counts[static_cast<int>(instance->waits) - static_cast<int>(Waits::BARRIER)]++;
	static constexpr const char *AT[] = {"at SyncAll", "in CrossCoreWaitFlag", "in IBWait"};
	std::string text = "deadlock: ";
	const char *between = "";
	for (int i = 0; i < 3; i++) {
		if (counts[i] == 0)
			continue;
		text += between + std::to_string(counts[i]) + " block(s) wait " + AT[i] +
			lines_of_waits(static_cast<Waits>(i + static_cast<int>(Waits::BARRIER)));
		between = ", ";
	}
	const uint64_t all = uint64_t{groups_} * each_;
	text += ", " + std::to_string(instances_ended_) + " have ended, " +
		std::to_string(all - instances_ended_ - live_.size()) + " are not started";
	if (started_ != groups_)
		text += "; the chip has " + std::to_string(most_resident_ * each_) + " such cores";
	set_failure(UNPU_KERNEL_FAIL_DEADLOCK, live_.front(), std::move(text));
}

void Launch::set_failure(uint32_t kind, const Instance *instance, std::string sentence)
{
	if (failure_.kind)
		return;
	failure_.kind = kind;
	failure_.core = UNPU_KERNEL_CORE_AIV;
	if (instance)
		failure_.core = instance->block.core;
	failure_.block = instance ? static_cast<uint32_t>(instance->block.index) : 0;
	failure_.sentence = std::move(sentence);
	note_change();
}

void Launch::resume(Local &local, Instance &instance, Lock &lock)
{
	lock.unlock();
	current_instance = &instance;
	instance.fiber.resume();
	current_instance = nullptr;
	lock.lock();
	if (instance.has_ended)
		end(local, instance);
}

void Launch::run()
{
	static thread_local const int thread = gettid();
	Local local;
	Lock lock(mutex_);
	runners_.push_back(thread);
	while (failure_.kind == 0) {
		if (Instance *next = pick(local, false)) {
			resume(local, *next, lock);
			continue;
		}
		if (start_group(local))
			continue;
		if (Instance *next = pick(local, true)) {
			/* Yields to threads that run instances for which it may wait. If there is none, it does not
			 * yield: other programs would get the CPU for milliseconds each time. */
			if (runners_.size() > 1) {
				lock.unlock();
				sched_yield();
				lock.lock();
			}
			resume(local, *next, lock);
			continue;
		}
		if (local.mine.empty() && started_ == groups_)
			break;
		if (is_stuck()) {
			report_deadlock();
			break;
		}
		const uint64_t seen = version_;
		/* A sleeping thread runs no block, so it has no place. */
		std::erase(runners_, thread);
		changed_.wait(lock, [&] { return version_ != seen; });
		runners_.push_back(thread);
	}
	std::erase(runners_, thread);
}

void Launch::wait(Instance &instance, Lock &lock, Waits waits)
{
	instance.waits = waits;
	/* Wakes the other threads, because one of them may have to report a deadlock. A yield can't cause one. */
	if (waits != Waits::TURN)
		note_change();
	lock.unlock();
	instance.fiber.suspend();
	lock.lock();
}

void Launch::yield()
{
	Instance &instance = *current();
	Lock lock(mutex_);
	wait(instance, lock, Waits::TURN);
}

void Launch::barrier(uint32_t kind)
{
	Instance &instance = *current();
	const uint32_t core = instance.block.core;
	const uint32_t which = kind == UNPU_KERNEL_SYNC_ALL ? 2 : core;
	Lock lock(mutex_);
	Barrier &at = barriers_[which];
	if (++at.arrived == participants(kind, core)) {
		at.arrived = 0;
		at.generation++;
		note_change();
		return;
	}
	instance.what = which;
	instance.generation = at.generation;
	wait(instance, lock, Waits::BARRIER);
}

/* Takes a set of @id from each of @count instances, if all of them have one. */
bool Launch::take_sets(uint32_t first, uint32_t count, uint32_t mode, uint32_t id)
{
	for (uint32_t i = first; i < first + count; i++) {
		if (flags_[i].sets[mode][id] == 0)
			return false;
	}
	for (uint32_t i = first; i < first + count; i++)
		flags_[i].sets[mode][id]--;
	return true;
}

bool Launch::raise(uint32_t number, uint32_t id)
{
	return ++flags_[number].raised[id] <= FLAG_MOST;
}

/* Mode 0: a flag is raised for all cores of a kind when all of them have set it. */
bool Launch::set_flag_of_all(bool is_cube, uint32_t id)
{
	const uint32_t first = is_cube ? 0 : cubes_, end = is_cube ? cubes_ : each_;
	auto for_all = [&](auto &&test) {
		for (uint32_t group = 0; group < groups_; group++) {
			for (uint32_t sub = first; sub < end; sub++) {
				if (!test(number(group, sub)))
					return false;
			}
		}
		return true;
	};
	if (!for_all([&](uint32_t at) { return flags_[at].sets[0][id] != 0; }))
		return true;
	return for_all([&](uint32_t at) {
		flags_[at].sets[0][id]--;
		return raise(at, id);
	});
}

/* Return: false: a flag was set too often. */
bool Launch::set_flag(const Instance &instance, uint32_t mode, uint32_t id)
{
	if (flags_.empty())
		flags_.resize(size_t{groups_} * each_);
	const bool is_cube = instance.block.core == UNPU_KERNEL_CORE_AIC;
	const uint32_t base = number(instance.group, 0);
	if (++flags_[instance.number].sets[mode][id] > FLAG_MOST)
		return false;
	if (mode == 0)
		return set_flag_of_all(is_cube, id);
	bool is_good = true;
	if (is_cube) {
		flags_[instance.number].sets[mode][id] = 0;
		for (uint32_t i = 0; mode == 2 && i < vectors_; i++)
			is_good &= raise(base + cubes_ + i, id);
		return is_good;
	}
	if (!take_sets(base + cubes_, vectors_, mode, id))
		return true;
	if (mode == 2)
		return !cubes_ || raise(base, id);
	for (uint32_t i = 0; i < vectors_; i++)
		is_good &= raise(base + cubes_ + i, id);
	return is_good;
}

void Launch::flag_set(uint32_t mode, uint32_t id)
{
	const Instance &instance = *current();
	if (mode > 2 || id >= FLAGS)
		fail(UNPU_KERNEL_FAIL_CHECK, nullptr, 0,
		     "CrossCoreSetFlag: the mode is 0 to 2 and the flag 0 to 15");
	bool is_good;
	{
		const Lock lock(mutex_);
		is_good = set_flag(instance, mode, id);
		note_change();
	}
	if (!is_good)
		fail(UNPU_KERNEL_FAIL_CHECK, nullptr, 0,
		     "CrossCoreSetFlag: the flag was set 16 times without a wait");
}

void Launch::flag_wait(uint32_t id)
{
	Instance &instance = *current();
	if (id >= FLAGS)
		fail(UNPU_KERNEL_FAIL_CHECK, nullptr, 0, "CrossCoreWaitFlag: the flag is 0 to 15");
	Lock lock(mutex_);
	instance.what = id;
	wait(instance, lock, Waits::FLAG);
}

void Launch::block_set(uint32_t block, uint32_t event)
{
	const Lock lock(mutex_);
	block_flags_[{block, event}] = 1;
	note_change();
}

void Launch::block_wait(uint32_t block, uint32_t event)
{
	Instance &instance = *current();
	Lock lock(mutex_);
	instance.what = block;
	instance.event = event;
	wait(instance, lock, Waits::BLOCK);
}

void Launch::fail(uint32_t kind, const char *file, uint32_t line, const char *sentence)
{
	Instance &instance = *current();
	std::string text = sentence ? sentence : "";
	if (file)
		text = std::string(file) + ":" + std::to_string(line) + ": " + text;
	{
		const Lock lock(mutex_);
		set_failure(kind, &instance, std::move(text));
	}
	instance.fiber.leave();
}

void Launch::print(const char *text, size_t bytes)
{
	const Instance &instance = *current();
	const Lock lock(mutex_);
	Output &own = output_[instance.number];
	own.block = static_cast<uint32_t>(instance.block.index);
	own.core = instance.block.core;
	/* Each instance has a head in the output, also one whose text has no room. */
	const size_t heads =
		size_t{groups_} * each_ * (sizeof(unpu_kernel_output) + sizeof(uint64_t));
	const size_t most = UNPU_KERNEL_MAX_TEXT_BYTES - std::min(heads, MOST_HEADS_BYTES);
	const size_t room =
		std::min(OUTPUT_OF_INSTANCE_BYTES - own.text.size(), most - output_bytes_);
	own.is_dropped |= bytes > room;
	own.text.append(text, std::min(bytes, room));
	output_bytes_ += std::min(bytes, room);
}

void Launch::observe(uint64_t address, uint64_t bytes, uint32_t write)
{
	if (is_observed())
		current()->accesses.add(address, bytes, write, find_);
}

/* A kernel that uses only plain pointers has an empty list. Then the client gets no accesses. */
uint64_t Launch::copy_accesses(unsigned char *to, uint64_t most) const
{
	const auto list = accesses_.list(find_);
	unpu_kernel_output head{};
	head.image = head_.image;
	head.entry = head_.entry;
	head.core = UNPU_KERNEL_OBSERVED;
	head.bytes = static_cast<uint32_t>(list.size() * sizeof(list[0]));
	if (list.empty() || failure_.kind != 0 || sizeof(head) + head.bytes > most)
		return 0;
	memcpy(to, &head, sizeof(head));
	memcpy(to + sizeof(head), list.data(), head.bytes);
	return sizeof(head) + head.bytes;
}

uint64_t Launch::copy_output(uint64_t cookie, unsigned char *to, uint64_t most) const
{
	return put_text(cookie, to, is_observed() ? copy_accesses(to, most) : 0, most);
}

uint64_t Launch::copy_text(uint64_t cookie, unsigned char *to, uint64_t most, bool may_wait) const
{
	Lock lock(mutex_, std::defer_lock);
	if (may_wait)
		lock.lock();
	else if (!lock.try_lock())
		return 0;
	return put_text(cookie, to, 0, most);
}

/* Appends what the instances have printed to the @at bytes at @to. Return: how many there are then */
uint64_t Launch::put_text(uint64_t cookie, unsigned char *to, uint64_t at, uint64_t most) const
{
	for (const auto &[number, output] : output_) {
		const size_t padded = (output.text.size() + 7) / 8 * 8;
		if (sizeof(unpu_kernel_output) + padded > most - at)
			break;
		unpu_kernel_output head{};
		head.cookie = cookie;
		head.image = head_.image;
		head.entry = head_.entry;
		head.block = output.block;
		head.core = output.core;
		head.bytes = static_cast<uint32_t>(output.text.size());
		head.dropped = output.is_dropped;
		memcpy(to + at, &head, sizeof(head));
		memcpy(to + at + sizeof(head), output.text.data(), output.text.size());
		at += sizeof(head) + padded;
	}
	return at;
}

} // namespace runner

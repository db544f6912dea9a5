// SPDX-License-Identifier: MIT
/**
 * DOC: operands, byte by byte
 *
 * The judge splits an operand at the mappings of its client, and judges each piece in the shadow of its
 * block. For one command there is at most one finding for each older command and rule, even if many pieces
 * overlap.
 */
#include "san/judge/accesses.h"

#include <algorithm>

namespace san {

/* A strided operand with up to this many runs is split into its runs. One with more runs is kept as a
 * shape. */
static constexpr uint64_t SHORT_RUNS = 64;
static constexpr uint64_t LONG_RUNS = 1024;
static constexpr uint64_t LONG_RUN_BYTES = 64;

static bool is_worth_cutting(const Shape &shape)
{
	const uint64_t runs = shape.runs();
	return shape.is_exact() &&
	       (runs <= SHORT_RUNS || (runs <= LONG_RUNS && shape.run() >= LONG_RUN_BYTES));
}

static Range bounds(const Operand &operand)
{
	return Shape::of(operand).bounds();
}

static bool reads(const Operand &operand)
{
	return operand.access != Access::WRITE;
}

static bool writes(const Operand &operand)
{
	return operand.access != Access::READ;
}

static Rule rule_of_host(const Touch &access)
{
	return access.use == Use::READ ? Rule::HOST_READ_INFLIGHT : Rule::HOST_WRITE_INFLIGHT;
}

static Rule rule_of(const Touch &later, const Touch &earlier)
{
	if (earlier.use == Use::ALLOC)
		return Rule::USE_BEFORE_ALLOC;
	if (later.command->client != earlier.command->client)
		return Rule::RACE_XCLIENT;
	if (later.is_partial || earlier.is_partial)
		return Rule::RACE_PARTIAL;
	if (later.command->stream == HOST)
		return rule_of_host(later);
	if (earlier.command->stream == HOST)
		return rule_of_host(earlier);
	if (later.use == Use::READ)
		return Rule::RACE_RAW;
	return earlier.use == Use::READ ? Rule::RACE_WAR : Rule::RACE_WAW;
}

/* Whether the host of another process knows that @earlier has ended. That host may have told @client, by
 * means that no trace shows. */
bool Accesses::may_be_told(const Command &earlier, uint32_t client) const
{
	return earlier.client != client && actors_.host_knows(earlier.client, earlier.moment);
}

void Accesses::note(const Touch &later, const Touch &earlier, const BlockPointer &block,
		    Range bytes)
{
	/* A trace does not show how the threads of a host synchronise with each other. */
	if (!apart_ && later.command->stream == HOST && earlier.command->stream == HOST &&
	    later.command->client == earlier.command->client)
		return;
	if (!apart_ && may_be_told(*earlier.command, later.command->client))
		return;
	const bool is_certain = !later.is_partial && !earlier.is_partial;
	const Rule rule = apart_ && is_certain ? Rule::GRAPH_RACE
			  : apart_	       ? Rule::RACE_PARTIAL
					       : rule_of(later, earlier);
	for (Pair &pair : pairs_) {
		if (pair.earlier.command != earlier.command || pair.rule != rule)
			continue;
		if (pair.block == block)
			pair.bytes = {std::min(pair.bytes.begin, bytes.begin),
				      std::max(pair.bytes.end, bytes.end)};
		return;
	}
	if (pairs_.size() < options_.bounds.pairs)
		pairs_.push_back({later, earlier, rule, block, bytes});
	else
		forgotten_++;
}

bool Accesses::is_gone(const Piece &piece, const Touch &touch, Rule gone)
{
	const CommandPointer &end = piece.block ? piece.block->freed : piece.unmapped;
	if (!end)
		return false;
	const Command &command = *touch.command;
	/* An access of a host function can be recorded late: it may have happened before the memory was
	 * freed. */
	if (is_gone_ || (end->moment.tick != 0 && command.moment.slot != end->moment.slot &&
			 happens_before(command.moment, end->moment)))
		return true;
	Rule rule = gone;
	if (gone == Rule::UAF && piece.block && piece.block->is_host)
		rule = Rule::UAF_HOST;
	else if (gone == Rule::UAF && piece.block && piece.block->is_freed_in_stream)
		rule = Rule::UAF_STREAM;
	is_gone_ = true;
	reporter_.call(rule, command, end.get(), piece.block.get(),
		       piece.block ? piece.offsets() : piece.addresses);
	return true;
}

/* @shape: the strided shape, if @addresses are only its bounds; nullptr: all bytes of @addresses are
 * accessed */
void Accesses::touch(Range addresses, const Shape *shape, const Touch &touch, Rule gone)
{
	const std::vector<Piece> pieces = memory_.pieces(touch.command->client, addresses);
	if (pieces.empty() && !addresses.empty())
		unknown_++;
	for (const Piece &piece : pieces) {
		if (!piece.block && apart_)
			continue;
		if (!apart_ && (is_gone(piece, touch, gone) || !piece.block))
			continue;
		if (memory_.is_full()) {
			forgotten_++;
			continue;
		}
		Touch part = touch;
		if (shape)
			part.shape = std::make_shared<Shape>(shape->shifted(piece.to_offset));
		Shadow &shadow =
			apart_ ? apart_->try_emplace(piece.block->number, memory_.cells_sum())
					 .first->second
			       : piece.block->shadow;
		shadow.access(piece.offsets(), part, [&](const Touch &older, Range bytes) {
			note(part, older, piece.block, bytes);
		});
	}
}

void Accesses::use(const Shape &shape, Touch access, Rule gone)
{
	if (!is_worth_cutting(shape)) {
		touch(shape.bounds(), &shape, access, gone);
		return;
	}
	shape.each_run([&](Range run) {
		touch(run, nullptr, access, gone);
		return true;
	});
}

void Accesses::operand(const CommandPointer &command, const Operand &operand, Rule gone)
{
	const Shape shape = Shape::of(operand);
	if (shape.empty())
		return;
	Touch access;
	access.command = command;
	access.is_partial = (operand.flags & OPERAND_PARTIAL) != 0;
	access.role = operand.role;
	if (operand.access == Access::REDUCE) {
		access.use = Use::REDUCE;
		use(shape, access, gone);
		return;
	}
	if (reads(operand))
		use(shape, access, gone);
	access.use = Use::WRITE;
	if (writes(operand))
		use(shape, access, gone);
}

/* The bytes of an operand, or the range around them if these are many runs. */
static std::vector<Range> runs_of(const Operand &operand)
{
	constexpr uint64_t MOST_RUNS = 1024;
	const Shape shape = Shape::of(operand);
	std::vector<Range> runs;
	if (!shape.is_exact() || shape.runs() > MOST_RUNS)
		return {shape.bounds()};
	shape.each_run([&runs](Range run) {
		runs.push_back(run);
		return true;
	});
	return runs;
}

/* Checks that all bytes that the command reads were written before. */
void Accesses::check_defined(const CommandPointer &command, const Operand &operand)
{
	uint64_t undefined = 0, read = 0;
	std::vector<Range> parts; /* of the first block that has any */
	std::vector<Piece> pieces;
	const Piece *first = nullptr;
	for (const Range &run : runs_of(operand)) {
		read += run.end - run.begin;
		const std::vector<Piece> more = memory_.pieces(command->client, run);
		pieces.insert(pieces.end(), more.begin(), more.end());
	}
	for (const Piece &piece : pieces) {
		if (!piece.block || piece.block->freed)
			continue;
		std::vector<Range> found = piece.block->shadow.undefined(piece.offsets());
		for (const Range &part : found)
			undefined += part.end - part.begin;
		if (!found.empty() && !first)
			first = &piece;
		if (first && piece.block == first->block)
			parts.insert(parts.end(), found.begin(), found.end());
	}
	if (!first)
		return;
	const bool whole = undefined == read;
	if (whole)
		reporter_.call(Rule::UNINIT, *command, nullptr, first->block.get(),
			       first->offsets());
	else if (options_.undefined_parts)
		reporter_.unwritten(*command, *first->block, first->offsets(), parts);
}

/* An operand begins in piece @first and ends behind its block. Return: the next block that it enters, or nullptr. */
static const Block *goes_on_in(const std::vector<Piece> &pieces, size_t first)
{
	for (size_t next = first + 1; next < pieces.size(); next++) {
		if (pieces[next].block && pieces[next].block != pieces[first].block)
			return pieces[next].block.get();
	}
	return nullptr;
}

/* Checks that the operand does not end behind the bytes that the program asked for: neither in the slack of an
 * allocation, which is between these and the end of the block, nor in other memory. If the end depends on data,
 * nothing is checked. */
void Accesses::check_end(const CommandPointer &command, const Operand &operand)
{
	constexpr uint64_t BLOCK = 32;
	if (operand.flags & OPERAND_PARTIAL || Shape::of(operand).empty())
		return;
	const Touch touch{command, nullptr, reads(operand) ? Use::READ : Use::WRITE, false,
			  operand.role};
	const std::vector<Piece> pieces = memory_.pieces(command->client, bounds(operand));
	for (size_t each = 0; each < pieces.size(); each++) {
		const Piece &piece = pieces[each];
		if (!piece.block || piece.block->freed || piece.block->slack == 0)
			continue;
		/* A block without slack may be one of several in a reservation, which an operand may cross. */
		if (bounds(operand).end > piece.addresses.end) {
			reporter_.goes_on(touch, piece, goes_on_in(pieces, each),
					  bounds(operand).end);
			return;
		}
		uint64_t end = piece.block->asked_bytes();
		if (operand.flags & OPERAND_BLOCKS)
			end = (end + BLOCK - 1) / BLOCK * BLOCK;
		if (piece.offsets().end > end)
			reporter_.overrun(touch, *piece.block, piece.offsets());
	}
}

/* Reports what a kernel has accessed beyond the end of a tensor, but inside of the allocation. */
void Accesses::check_tensor(const CommandPointer &command, const Operand &operand)
{
	for (const Piece &piece : memory_.pieces(command->client, bounds(operand))) {
		if (piece.block && !piece.block->freed)
			reporter_.beyond_tensor({command, nullptr,
						 reads(operand) ? Use::READ : Use::WRITE, false,
						 operand.role},
						*piece.block, piece.offsets());
	}
}

void Accesses::define(uint32_t client, Range addresses, bool defined)
{
	for (const Piece &piece : memory_.pieces(client, addresses)) {
		if (piece.block && !piece.block->freed && !memory_.is_full())
			piece.block->shadow.define(piece.offsets(), defined);
	}
}

/* Copies which bytes are undefined. A copy of undefined bytes is no mistake; a command that computes with
 * them is reported. */
void Accesses::copy_defined(uint32_t client, const Operand &from, const Operand &to)
{
	const Range source = bounds(from);
	const Range target = bounds(to);
	if (!Shape::of(from).is_range() || !Shape::of(to).is_range() ||
	    source.end - source.begin != target.end - target.begin)
		return;
	for (const Piece &piece : memory_.pieces(client, source)) {
		if (!piece.block || piece.block->freed)
			continue;
		for (const Range &part : piece.block->shadow.undefined(piece.offsets())) {
			const uint64_t move = target.begin - source.begin - piece.to_offset;
			define(client, {part.begin + move, part.end + move}, false);
		}
	}
}

void Accesses::run(const CommandPointer &command, const std::vector<Operand> &operands,
		   uint16_t flags, Rule gone)
{
	const bool copies = (flags & COMMAND_COPY) && operands.size() == 2;
	pairs_.clear();
	is_gone_ = false;
	for (const Operand &one : operands) {
		if (one.flags & OPERAND_BEYOND) {
			check_tensor(command, one);
			continue;
		}
		const bool scratch = (one.flags & OPERAND_SCRATCH) != 0;
		if (reads(one) && !scratch && (!copies || (flags & COMMAND_TO_HOST)))
			check_defined(command, one);
		check_end(command, one);
		operand(command, one, gone);
	}
	for (const Operand &one : operands) {
		if (!writes(one) || (one.flags & OPERAND_BEYOND))
			continue;
		for (const Range &run : runs_of(one))
			define(command->client, run, true);
	}
	if (copies)
		copy_defined(command->client, operands[0], operands[1]);
	report();
}

void Accesses::report()
{
	for (const Pair &pair : pairs_) {
		contents_.note_reported(pair.later.command->number);
		contents_.note_reported(pair.earlier.command->number);
		reporter_.race(pair.rule, pair.later, pair.earlier, pair.block.get(), pair.bytes);
	}
	pairs_.clear();
}

void Accesses::changed(const CommandPointer &copy, const std::vector<Operand> &ranges,
		       uint16_t flags, const Command *host)
{
	const Operand &first = ranges.front();
	Range bytes{first.address, first.address};
	for (const Operand &range : ranges)
		bytes = {std::min(bytes.begin, range.address),
			 std::max(bytes.end, bounds(range).end)};
	const std::vector<Piece> pieces = memory_.pieces(copy->client, bytes);
	if (!pieces.empty() && pieces.front().block)
		reporter_.changed({copy, nullptr, flags & COMPARED_TARGET ? Use::WRITE : Use::READ,
				   false, first.role},
				  *pieces.front().block, pieces.front().offsets(), ranges.size(),
				  flags, first.access, host);
}

void Accesses::run_apart(const CommandPointer &command, const std::vector<Operand> &operands,
			 Shadows &shadows)
{
	pairs_.clear();
	apart_ = &shadows;
	for (const Operand &one : operands)
		operand(command, one, Rule::UAF_GRAPH);
	apart_ = nullptr;
	report();
}

void Accesses::allocate(const BlockPointer &block, const CommandPointer &command, bool in_stream,
			bool defined)
{
	const Range whole{0, block->bytes};
	block->shadow.reset(whole, defined || block->is_host);
	Touch begin;
	begin.command = command;
	begin.use = Use::ALLOC;
	if (in_stream)
		block->shadow.access(whole, begin, [](const Touch &, Range) {});
}

void Accesses::end(const Block &block, Range range, const CommandPointer &command, End how)
{
	Rule rule = block.is_host ? Rule::UAF_HOST : Rule::UAF;
	if (how == End::FREE_IN_STREAM)
		rule = Rule::UAF_STREAM;
	std::vector<CommandPointer> told;
	CommandPointer begin;
	block.shadow.unordered(range, command->moment, [&](const Touch &touch, Range bytes) {
		const CommandPointer &user = touch.command;
		if ((how == End::UNMAP && user->client != command->client) ||
		    may_be_told(*user, command->client) ||
		    std::find(told.begin(), told.end(), user) != told.end())
			return;
		if (touch.use == Use::ALLOC) {
			begin = user;
			return;
		}
		told.push_back(user);
		contents_.note_reported(user->number);
		reporter_.freed(rule, *command, *user, block, bytes);
	});
	/* Reports a free that may come before the allocation. It is skipped if an unordered use was reported,
	 * which says more. It applies only to a free in a stream: if the host frees memory, the host knows
	 * that the memory was allocated before. */
	if (begin && told.empty() && how == End::FREE_IN_STREAM)
		reporter_.freed(Rule::USE_BEFORE_ALLOC, *command, *begin, block, range);
}

} // namespace san

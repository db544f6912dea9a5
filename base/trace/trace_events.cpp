// SPDX-License-Identifier: MIT
/**
 * DOC: Events of a trace file
 *
 * The JSON format of Chrome's trace viewer, which Perfetto reads too: slices on rows, and arrows
 * between slices. Times are in microseconds there, so nanoseconds become three decimals.
 *
 * The two ends of an arrow are recorded by different threads, and often by different processes. Ends
 * are collected under the arrow's key. Two ends with one key become an arrow. Single ends go into the file
 * under a separate JSON key, which viewers ignore and a merge reads.
 */
#include "trace_events.h"

#include <cerrno>

#include "base/os/calls/files.h"
#include "base/os/calls/transfers.h"

namespace base {

/* The buffer is written to the file in pieces of about this size. */
static constexpr size_t PIECE_BYTES = 1u << 20;

std::string json_text(std::string_view text)
{
	std::string out = "\"";
	for (char c : text) {
		auto byte = static_cast<unsigned char>(c);
		if (c == '"' || c == '\\')
			out += {'\\', c};
		else if (byte < 0x20)
			out += fmt::format("\\u{:04x}", byte);
		else
			out += c;
	}
	return out + "\"";
}

static std::string microseconds(uint64_t ns)
{
	return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

static std::string key_text(const ArrowKey &key)
{
	return fmt::format("{}.{:x}.{:x}.{:x}.{:x}", static_cast<char>(key.kind), key.generation,
			   key.session, key.object, key.value);
}

Status TraceEvents::open(const std::string &path)
{
	file_ = Fd(calls::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
	if (!file_.valid())
		return Status::BAD_FILE;
	text_ = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
	return Status::OK;
}

void TraceEvents::flush()
{
	if (!calls::write_all(file_.get(), text_.data(), text_.size()) && error_ == 0)
		error_ = errno;
	text_.clear();
}

void TraceEvents::begin_event()
{
	text_ += is_first_ ? "\n" : ",\n";
	is_first_ = false;
}

void TraceEvents::end_event(std::string_view args)
{
	if (!args.empty())
		add(",\"args\":{{{}}}", args);
	text_ += '}';
	if (text_.size() >= PIECE_BYTES)
		flush();
}

void TraceEvents::name_process(uint32_t process, std::string_view name)
{
	begin_event();
	add("{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{}", process);
	end_event("\"name\":" + json_text(name));
}

void TraceEvents::name_row(TracePlace place, std::string_view name)
{
	begin_event();
	add("{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{},\"tid\":{}", place.process,
	    place.row);
	end_event("\"name\":" + json_text(name));
	begin_event();
	add("{{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":{},\"tid\":{}", place.process,
	    place.row);
	end_event(fmt::format("\"sort_index\":{}", place.row));
}

void TraceEvents::slice(TracePlace place, uint64_t start_ns, uint64_t end_ns, std::string_view name,
			std::string_view args)
{
	uint64_t duration_ns = end_ns > start_ns + SLICE_MIN_NS ? end_ns - start_ns : SLICE_MIN_NS;
	begin_event();
	add("{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"name\":{}", place.process,
	    place.row, microseconds(start_ns), microseconds(duration_ns), json_text(name));
	end_event(args);
}

void TraceEvents::instant(TracePlace place, uint64_t time_ns, std::string_view name,
			  std::string_view args)
{
	begin_event();
	add("{{\"ph\":\"i\",\"s\":\"t\",\"pid\":{},\"tid\":{},\"ts\":{},\"name\":{}", place.process,
	    place.row, microseconds(time_ns), json_text(name));
	end_event(args);
}

void TraceEvents::range(uint32_t process, uint64_t id, uint64_t start_ns, uint64_t end_ns,
			std::string_view name, std::string_view args)
{
	for (char phase : {'b', 'e'}) {
		begin_event();
		add("{{\"ph\":\"{}\",\"cat\":\"range\",\"id\":\"{}.{}\",\"pid\":{},\"tid\":0,"
		    "\"ts\":{},\"name\":{}",
		    phase, process, id, process, microseconds(phase == 'b' ? start_ns : end_ns),
		    json_text(name));
		end_event(phase == 'b' ? args : std::string_view{});
	}
}

void TraceEvents::arrow(std::string_view name, TracePlace from, uint64_t from_ns, TracePlace to,
			uint64_t to_ns)
{
	arrows_++;
	begin_event();
	add("{{\"ph\":\"s\",\"cat\":\"unpu\",\"id\":\"{}.{}\",\"pid\":{},\"tid\":{},\"ts\":{},"
	    "\"name\":{}",
	    pid_, arrows_, from.process, from.row, microseconds(from_ns), json_text(name));
	end_event({});
	begin_event();
	add("{{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"unpu\",\"id\":\"{}.{}\",\"pid\":{},\"tid\":{},"
	    "\"ts\":{},\"name\":{}",
	    pid_, arrows_, to.process, to.row, microseconds(to_ns), json_text(name));
	end_event({});
}

void TraceEvents::from(const ArrowKey &key, TracePlace place, uint64_t time_ns)
{
	from_[key] = {place, time_ns};
}

void TraceEvents::to(const ArrowKey &key, TracePlace place, uint64_t time_ns)
{
	to_.push_back({key, {place, time_ns}});
}

void TraceEvents::add_loose_ends(const std::set<uint64_t> &complete)
{
	auto list = [&](const char *side, const auto &ends, const auto &met) {
		bool first = true;
		add("\"{}\":[", side);
		for (const auto &[key, end] : ends) {
			if (complete.contains(key.generation) || met(key))
				continue;
			add("{}\n[\"{}\",{},{},{}]", first ? "" : ",", key_text(key),
			    end.place.process, end.place.row, microseconds(end.time_ns));
			first = false;
			if (text_.size() >= PIECE_BYTES)
				flush();
		}
		text_ += ']';
	};
	text_ += "\"unpuLooseEnds\":{";
	list("from", from_, [](const ArrowKey &) { return false; });
	text_ += ',';
	list("to", to_, [&](const ArrowKey &key) { return from_.contains(key); });
	text_ += '}';
}

Status TraceEvents::close(const std::set<uint64_t> &complete, std::string_view other)
{
	for (const auto &[key, end] : to_) {
		auto begin = from_.find(key);
		if (begin == from_.end())
			continue;
		const char *name = key.kind == ArrowKind::SUBMIT  ? "submit"
				   : key.kind == ArrowKind::FENCE ? "done"
								  : "call";
		arrow(name, begin->second.place, begin->second.time_ns, end.place, end.time_ns);
	}
	text_ += "\n],\n";
	add_loose_ends(complete);
	add(",\n\"otherData\":{{{}}}}}\n", other);
	flush();
	if (calls::close(file_.release()) != 0 && error_ == 0)
		error_ = errno;
	errno = error_;
	return error_ == 0 ? Status::OK : Status::BAD_FILE;
}

} // namespace base

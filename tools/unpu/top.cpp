// SPDX-License-Identifier: MIT
/**
 * DOC: unpu top
 *
 * Shows what devices do, as bars with a history, and what their clients wait for. It reads snapshots, like
 * unpu-info. A device knows semaphores and does not know calls, so the tool asks the clients which call waits
 * for which event.
 */
#include <deque>
#include <map>
#include <set>

#include <sys/ioctl.h>
#include <unistd.h>

#include "commands.h"
#include "common/devices.h"
#include "common/running_program.h"
#include "common/screen.h"
#include "common/tool.h"
#include "common/view.h"
#include "gauges.h"

namespace unpu_command {

using tool::Json;

static constexpr size_t BAR_WIDTH = 20;
static constexpr size_t HISTORY_MOST = 120;
static constexpr size_t HISTORY_WIDTH = 40;
/* how long to wait for the answer of a client that is stopped */
static constexpr unsigned PATIENCE_MS = 200;
static constexpr double FIRST_SECONDS = 0.2;
static constexpr double MIN_SECONDS = 0.1;
static constexpr double MAX_SECONDS = 60;

namespace {

/* struct History - the history of one device since top began, or since the device was started again. */
struct History {
	Json before; /* the previous snapshot */
	std::deque<double> busy;
	std::deque<double> engines;
	std::deque<double> kernels;
	std::deque<double> memory;
	std::deque<double> packets; /* packets per second */
};

/* class Top - the picture, and the settings that the user has changed by keys. */
class Top {
public:
	explicit Top(const TopWishes &options) : wishes_(options) {}
	int run();

private:
	std::string picture(const std::vector<Json> &devices);
	std::string heading() const;
	std::string device_text(const Json &now);
	std::string gauge(const char *name, const std::deque<double> &shares,
			  const std::string &note) const;
	std::string packet_line(const Json &now, const History &history, double seconds) const;
	void note(const Json &now, History &history, double seconds);
	bool press(char key);

	TopWishes wishes_;
	Style style_;
	bool shows_keys_ = false;
	bool is_paused_ = false;
	bool shows_clients_ = true;
	bool shows_help_ = false;
	/* Indexed by the process that has the device, and by the number of the device. */
	std::map<std::pair<uint64_t, uint64_t>, History> histories_;
};

} // namespace

static void remember(std::deque<double> &values, double value)
{
	values.push_back(value);
	if (values.size() > HISTORY_MOST)
		values.pop_front();
}

static std::string percent(double share)
{
	return fmt::format("{:.0f} %", share * 100);
}

/* Seconds between two snapshots of the same start of a device, else 0. */
static double seconds_between(const Json &before, const Json &now)
{
	if (before.is_null() || before["generation"] != now["generation"])
		return 0;
	return (now["uptime_ns"].get<double>() - before["uptime_ns"].get<double>()) / 1e9;
}

static double share_of(const Json &before, const Json &now, const char *key, double seconds,
		       double threads)
{
	if (before[key].is_null() || now[key].is_null() || threads == 0)
		return 0;
	return (now[key].get<double>() - before[key].get<double>()) / 1e9 / seconds / threads;
}

static double rate(const Json &before, const Json &now, const std::string &key, double seconds)
{
	return (now["counters"][key].get<double>() - before["counters"][key].get<double>()) /
	       seconds;
}

void Top::note(const Json &now, History &history, double seconds)
{
	remember(history.memory,
		 now["memory_used_bytes"].get<double>() / now["memory_total_bytes"].get<double>());
	if (seconds <= 0)
		return;
	const Json &before = history.before;
	remember(history.busy, share_of(before, now, "busy_ns", seconds, 1));
	remember(history.engines,
		 share_of(before, now, "engines_busy_ns", seconds, now["engines"].get<double>()));
	/* Kernels of several programs run beside each other. */
	remember(history.kernels,
		 std::min(1.0, share_of(before, now, "kernels_busy_ns", seconds, 1)));
	remember(history.packets, rate(before, now, "packets", seconds));
}

std::string Top::gauge(const char *name, const std::deque<double> &shares,
		       const std::string &note) const
{
	const double last = shares.empty() ? 0 : shares.back();
	return fmt::format("  {:<8} {} {:<22} {}\n", name, bar(style_, last, BAR_WIDTH), note,
			   history_bar(style_, shares, HISTORY_WIDTH));
}

/* The bar shows each rate of packets as a share of the highest rate in the history. */
std::string Top::packet_line(const Json &now, const History &history, double seconds) const
{
	double most = 1;
	std::deque<double> shares;
	for (const double packets : history.packets)
		most = std::max(most, packets);
	for (const double packets : history.packets)
		shares.push_back(packets / most);
	const double last = history.packets.empty() ? 0 : history.packets.back();
	std::string text =
		gauge("packets", shares, fmt::format("{:.0f}/s of {:.0f}/s", last, most)) + "  ";
	for (const auto &[key, value] : now["counters"].items()) {
		const auto count = value.get<uint64_t>();
		if (key == "faults" && count != 0)
			text += "  " + red(style_, fmt::format("faults {}", count));
		else if (key == "faults")
			text += "  faults 0";
		else if (key != "packets" && seconds > 0)
			text += fmt::format("  {}/s {:.0f}", key,
					    rate(history.before, now, key, seconds));
	}
	return text + "\n";
}

/* The streams of one process that wait, each with its call; nothing for a process that does not answer. */
static std::string calls_of_process(uint64_t pid, const Json &number)
{
	std::string text;
	const tool::Program program = tool::look_at_program(pid, PATIENCE_MS);
	if (program.code != tool::EXIT_SHOWN)
		return text;
	for (const Json &device : program.told["devices"]) {
		if (device.value("device", Json()) == number && !device["streams"].empty())
			text += tool::streams(device);
	}
	return text.empty() ? text
			    : fmt::format("  process {} ({})\n{}", pid,
					  program.told["program"].get<std::string>(), text);
}

static std::string calls(const Json &now)
{
	std::string text;
	std::set<uint64_t> processes;
	for (const Json &client : now["clients"]) {
		const auto pid = client["pid"].get<uint64_t>();
		const bool is_own = pid == static_cast<uint64_t>(getpid());
		if (!is_own && !client["channels"].empty() && processes.insert(pid).second)
			text += calls_of_process(pid, now["device"]);
	}
	return text;
}

/* A device may work although its own thread sleeps: an engine or another process works for it. */
static const char *state_of(const Json &now)
{
	for (const Json &client : now["clients"]) {
		for (const Json &channel : client["channels"]) {
			const std::string state = channel.value("state", "");
			if (state == "engine" || state == "kernel" || state == "file" ||
			    state == "running")
				return "working";
		}
	}
	return now["sleeping"].get<bool>() ? "asleep" : "awake";
}

std::string Top::device_text(const Json &now)
{
	History &history =
		histories_[{now.value("pid", uint64_t{0}), now["device"].get<uint64_t>()}];
	const double seconds = seconds_between(history.before, now);
	if (seconds <= 0)
		history = {};
	note(now, history, seconds);
	std::string text =
		bold(style_, fmt::format("device {}  {}  {}\n", now["device"].get<uint64_t>(),
					 now["name"].get<std::string>(), state_of(now)));
	const auto last = [](const std::deque<double> &shares) {
		return shares.empty() ? std::string("-") : percent(shares.back());
	};
	text += gauge("busy", history.busy, last(history.busy));
	text += gauge(
		"engines", history.engines,
		fmt::format("{} of {}", last(history.engines), now["engines"].get<uint64_t>()));
	text += gauge("kernels", history.kernels, last(history.kernels));
	text += gauge("memory", history.memory,
		      fmt::format("{} of {}",
				  tool::rounded(now["memory_used_bytes"].get<uint64_t>()),
				  tool::rounded(now["memory_total_bytes"].get<uint64_t>())));
	text += packet_line(now, history, seconds);
	if (shows_clients_)
		text += tool::clients(now) + calls(now);
	history.before = now;
	return text;
}

std::string Top::heading() const
{
	std::string text = bold(style_, "unpu top") + fmt::format("  every {} s{}", wishes_.seconds,
								  is_paused_ ? ", paused" : "");
	if (shows_keys_)
		text += "    q quit  p pause  + - pace  c clients  h help";
	text += "\n";
	if (shows_help_)
		text += "  busy     time that the device's own thread worked\n"
			"  engines  time that the threads for long work worked, of all together\n"
			"  kernels  time in which a kernel of a program ran\n"
			"  memory   memory handed out, in segments\n"
			"  packets  tasks done in a second, of the most since top began\n"
			"  Each history ends with the newest look, on the right.\n";
	return text;
}

std::string Top::picture(const std::vector<Json> &devices)
{
	std::string text = heading();
	for (const Json &device : devices)
		text += device_text(device);
	return text;
}

/* Return: whether a new picture must be drawn at once. */
bool Top::press(char key)
{
	switch (key) {
	case 'p':
	case ' ':
		/* Draw a last picture, which says that the display is paused. */
		is_paused_ = !is_paused_;
		return true;
	case '+':
		wishes_.seconds = std::max(MIN_SECONDS, wishes_.seconds / 2);
		return true;
	case '-':
		wishes_.seconds = std::min(MAX_SECONDS, wishes_.seconds * 2);
		return true;
	case 'c':
		shows_clients_ = !shows_clients_;
		return true;
	case 'h':
	case '?':
		shows_help_ = !shows_help_;
		return true;
	default:
		return false;
	}
}

static std::string fit_terminal(const std::string &text)
{
	winsize size = {};
	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		return text;
	return fit(text, size.ws_col, size.ws_row);
}

int Top::run()
{
	tool::Screen screen;
	style_ = style_of(wishes_.colour, screen.is_terminal());
	shows_keys_ = screen.has_keys();
	/* Rates need two snapshots. */
	const tool::Devices first = tool::look_around(wishes_.pids);
	char none = 0;
	if (first.code == tool::EXIT_SHOWN && !first.snapshots.empty()) {
		(void)picture(first.snapshots);
		if (!screen.wait(FIRST_SECONDS, &none))
			return tool::EXIT_SHOWN;
	}
	for (uint32_t looks = 1;; looks++) {
		const tool::Devices devices = tool::look_around(wishes_.pids);
		if (devices.code != tool::EXIT_SHOWN)
			return tool::complain(NAME, devices.why, devices.code);
		screen.draw(fit_terminal(picture(devices.snapshots)));
		if (looks == wishes_.looks)
			return tool::EXIT_SHOWN;
		char key = 0;
		do {
			if (!screen.wait(wishes_.seconds, &key))
				return tool::EXIT_SHOWN;
		} while (!press(key) && (is_paused_ || key != 0));
	}
}

int top(const TopWishes &options)
{
	tool::use_device(options.device);
	return Top(options).run();
}

} // namespace unpu_command

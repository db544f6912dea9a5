// SPDX-License-Identifier: MIT
/**
 * DOC: npu-smi info watch
 */
#include "base/json/text.h"
#include "common/screen.h"
#include "common/tool.h"
#include "views.h"

namespace smi {

using tool::Json;

namespace {

/* struct Column - a column of npu-smi info watch. */
struct Column {
	char letter;
	const char *heading;
	std::string (*value)(const Json &before, const Json &device);
};

} // namespace

static std::string nothing(const Json &, const Json &)
{
	return NOT_THERE;
}

static constexpr Column COLUMNS[] = {
	{'p', "Pwr(W)", nothing},
	{'t', "Temp(C)", nothing},
	{'a', "AI Core(%)", core_usage},
	{'i', "AI Cpu(%)", nothing},
	{'c', "Ctrl Cpu(%)",
	 [](const Json &before, const Json &device) {
		 return usage(before, device, "busy_ns", 1);
	 }},
	{'m', "Memory(%)",
	 [](const Json &, const Json &device) { return std::to_string(memory_rate(device)); }},
	{'b', "Memory BW(%)", nothing},
};

static std::string cell(const std::string &text)
{
	return fmt::format("{:<12}", text);
}

static std::string watch_heading(const std::string &letters)
{
	std::string text = cell("NpuID(Idx)") + cell("ChipId(Idx)");
	for (const Column &column : COLUMNS) {
		if (letters.find(column.letter) != letters.npos)
			text += cell(column.heading);
	}
	return text;
}

static std::string watch_row(const std::string &letters, const Json &before, const Json &device)
{
	std::string text = cell(base::write_json(device["device"])) + cell("0");
	for (const Column &column : COLUMNS) {
		if (letters.find(column.letter) != letters.npos)
			text += cell(column.value(before, device));
	}
	return text;
}

int watch(const Wishes &wishes)
{
	tool::Screen screen(false);
	tool::Devices before = chosen_devices(wishes);
	if (before.code != tool::EXIT_SHOWN)
		return tool::complain(NAME, before.why, before.code);
	screen.draw(watch_heading(wishes.fields));
	while (screen.wait(wishes.delay_seconds)) {
		tool::Devices now = chosen_devices(wishes);
		if (now.code != tool::EXIT_SHOWN)
			return tool::complain(NAME, now.why, now.code);
		for (const Json &device : now.snapshots)
			screen.draw(watch_row(wishes.fields, earlier(before, device), device));
		before = std::move(now);
	}
	return tool::EXIT_SHOWN;
}

} // namespace smi

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace umd {

/** struct ImageHead - what the head of a file of an image says. Numbers are as in the file, checked by nobody. */
struct ImageHead {
	/** struct Sampling - how many samples of a component are in a unit. */
	struct Sampling {
		uint8_t columns, rows;
	};

	uint32_t width = 0, height = 0;
	uint32_t components = 0;
	uint32_t coding =
		0; /* JPEG: the marker of the frame, 0xc0: baseline; PNG: the colour type */
	uint32_t depth = 0; /* bits of a sample */
	Sampling samplings[3] = {};
};

/** read_jpeg_head() - finds the frame of a JPEG file. It reads no byte behind @file. Nothing: there is none. */
std::optional<ImageHead> read_jpeg_head(std::span<const uint8_t> file);

/** read_png_head() - reads the first chunk of a PNG file. Nothing: it isn't one. */
std::optional<ImageHead> read_png_head(std::span<const uint8_t> file);

} // namespace umd

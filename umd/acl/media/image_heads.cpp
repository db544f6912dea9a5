// SPDX-License-Identifier: MIT
/**
 * DOC: Heads of files of images
 *
 * Both readers look at bytes of a program that may be anything: every length is checked before it is used, and nothing
 * is allocated.
 */
#include "image_heads.h"

#include <algorithm>

namespace umd {

namespace {

using Bytes = std::span<const uint8_t>;

uint32_t big_endian(Bytes bytes, size_t at, size_t count)
{
	uint32_t value = 0;
	for (size_t i = 0; i < count; i++)
		value = value << 8 | bytes[at + i];
	return value;
}

bool is_frame(uint8_t marker)
{
	/* Of these, three are tables, an extension and an arithmetic coder's conditions. */
	return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 &&
	       marker != 0xcc;
}

bool has_length(uint8_t marker)
{
	return marker != 0x01 && (marker < 0xd0 || marker > 0xd8);
}

/* read_frame() - @segment: behind the length */
std::optional<ImageHead> read_frame(uint8_t marker, Bytes segment)
{
	constexpr size_t FIXED = 6, EACH = 3;
	if (segment.size() < FIXED)
		return std::nullopt;
	ImageHead head{.width = big_endian(segment, 3, 2),
		       .height = big_endian(segment, 1, 2),
		       .components = segment[5],
		       .coding = marker,
		       .depth = segment[0]};
	if (segment.size() < FIXED + EACH * head.components)
		return std::nullopt;
	for (size_t i = 0; i < std::min<size_t>(head.components, std::size(head.samplings)); i++) {
		const uint8_t factors = segment[FIXED + EACH * i + 1];
		head.samplings[i] = {static_cast<uint8_t>(factors >> 4),
				     static_cast<uint8_t>(factors & 15)};
	}
	return head;
}

} // namespace

std::optional<ImageHead> read_jpeg_head(std::span<const uint8_t> file)
{
	if (file.size() < 2 || file[0] != 0xff || file[1] != 0xd8)
		return std::nullopt;
	for (size_t at = 2; at + 1 < file.size();) {
		if (file[at] != 0xff)
			return std::nullopt;
		const uint8_t marker = file[++at];
		if (marker == 0xff)
			continue;
		at++;
		if (!has_length(marker))
			continue;
		/* The first scan or the end of the image: a frame would have been before. */
		if (marker == 0xda || marker == 0xd9 || file.size() - at < 2)
			return std::nullopt;
		const size_t length = big_endian(file, at, 2);
		if (length < 2 || length > file.size() - at)
			return std::nullopt;
		if (is_frame(marker))
			return read_frame(marker, file.subspan(at + 2, length - 2));
		at += length;
	}
	return std::nullopt;
}

std::optional<ImageHead> read_png_head(std::span<const uint8_t> file)
{
	constexpr uint8_t START[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
				     0,	   0,	0,   13,  'I',	'H',  'D',  'R'};
	constexpr size_t HEAD = sizeof(START) + 13;
	constexpr uint32_t COMPONENTS[] = {1, 0, 3, 3, 2, 0, 4};
	if (file.size() < HEAD || !std::equal(std::begin(START), std::end(START), file.begin()))
		return std::nullopt;
	const uint8_t colours = file[sizeof(START) + 9];
	if (colours >= std::size(COMPONENTS) || COMPONENTS[colours] == 0)
		return std::nullopt;
	return ImageHead{.width = big_endian(file, sizeof(START), 4),
			 .height = big_endian(file, sizeof(START) + 4, 4),
			 .components = COMPONENTS[colours],
			 .coding = colours,
			 .depth = file[sizeof(START) + 8]};
}

} // namespace umd

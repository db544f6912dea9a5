// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "compile.h"

namespace models {

/* The texts of `atc`'s options. Each function adds a problem, with the code of its family, and returns false. */

/* parse_shapes() - "a:1,3,224,224;b:1~8,-1;c:" @text: --input_shape */
bool parse_shapes(std::string_view text, std::vector<InputShape> &shapes, Problems &problems);

/* parse_shape_ranges() - "a:[1,3,10~200,-1];b:[-1]" @text: --input_shape_range */
bool parse_shape_ranges(std::string_view text, std::vector<InputShape> &shapes, Problems &problems);

/* parse_choices() - "1,2,4" for a batch, "224,224;448,448" for other options. @option: the name of the option */
bool parse_choices(const char *option, std::string_view text, om::Dynamic dynamic,
		   std::vector<om::Profile> &choices, Problems &problems);

/* parse_fixed() - "sr:16000;shape:1,-1" @text: --fix_input */
bool parse_fixed(std::string_view text, std::vector<FixedInput> &fixed, Problems &problems);

/* parse_format() - @text: --input_format */
bool parse_format(std::string_view text, om::Format &format, Problems &problems);

/* split() - the parts of a list, without blanks around them and without empty ones. */
std::vector<std::string> split(std::string_view text, char between);

} // namespace models

// SPDX-License-Identifier: MIT
/*
 * DOC: Configuration of the preprocessing of images
 *
 * The file of --insert_op_conf is text: `aipp_op { name : value ... }` for each input that becomes one of images. A "#"
 * begins a comment. Any field that this list does not have, or has otherwise, is refused with its line.
 */
#include "aipp_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <string>

#include "base/aipp_image.h"

namespace models {

namespace {

constexpr double MOST_PIXELS = 4096;

/* enum class Form - what a field has. FORMAT, MODE: one of several words */
enum class Form : uint8_t { INTEGER, REAL, SWITCH, FORMAT, MODE };

/* struct Field - @least, @most: of a number @refused: why the field may have nothing but its usual value, which is 0 */
struct Field {
	const char *name;
	Form form;
	double least = 0, most = 0;
	const char *refused = nullptr;
};

constexpr const char *NO_RESIZE = "images are not resized here; give images of the right size";
constexpr const char *NO_EDGE = "all that read an input read the same image";

constexpr Field FIELDS[] = {
	{"aipp_mode", Form::MODE},
	{"related_input_rank", Form::INTEGER, 0, 1 << 14},
	{"input_edge_idx", Form::INTEGER, 0, 1 << 14, NO_EDGE},
	{"input_format", Form::FORMAT},
	{"csc_switch", Form::SWITCH},
	{"rbuv_swap_switch", Form::SWITCH},
	{"ax_swap_switch", Form::SWITCH},
	{"single_line_mode", Form::SWITCH, 0, 0, "it is for cameras that give line by line"},
	{"crop", Form::SWITCH},
	{"load_start_pos_h", Form::INTEGER, 0, MOST_PIXELS},
	{"load_start_pos_w", Form::INTEGER, 0, MOST_PIXELS},
	{"crop_size_h", Form::INTEGER, 0, MOST_PIXELS},
	{"crop_size_w", Form::INTEGER, 0, MOST_PIXELS},
	{"src_image_size_h", Form::INTEGER, 0, MOST_PIXELS},
	{"src_image_size_w", Form::INTEGER, 0, MOST_PIXELS},
	{"resize", Form::SWITCH, 0, 0, NO_RESIZE},
	{"resize_output_h", Form::INTEGER, 0, MOST_PIXELS, NO_RESIZE},
	{"resize_output_w", Form::INTEGER, 0, MOST_PIXELS, NO_RESIZE},
	{"padding", Form::SWITCH},
	{"left_padding_size", Form::INTEGER, 0, 32},
	{"right_padding_size", Form::INTEGER, 0, 32},
	{"top_padding_size", Form::INTEGER, 0, 32},
	{"bottom_padding_size", Form::INTEGER, 0, 32},
	{"padding_value", Form::REAL, -65504, 65504},
	{"max_src_image_size", Form::INTEGER, 0, 4294967295},
	{"support_rotation", Form::SWITCH, 0, 0, "images are not turned here"},
	{"raw_rgbir_to_f16_n", Form::SWITCH, 0, 0, "raw images of cameras are not read here"},
};

/* Fields whose name ends with a number. @count: how many there are */
struct Fields {
	Field field;
	unsigned count;
};

constexpr Fields NUMBERED[] = {
	{{"input_bias_", Form::INTEGER, 0, 255}, 3},
	{{"output_bias_", Form::INTEGER, 0, 255}, 3},
	{{"mean_chn_", Form::INTEGER, 0, 255}, 4},
	{{"min_chn_", Form::REAL, -65504, 65504}, 4},
	{{"var_reci_chn_", Form::REAL, -65504, 65504}, 4},
};

constexpr Field MATRIX = {"matrix_r0c0", Form::INTEGER, INT16_MIN, INT16_MAX};

constexpr struct {
	std::string_view word;
	unpu_aipp_format format;
} FORMATS[] = {{"YUV420SP_U8", UNPU_AIPP_YUV420SP}, {"XRGB8888_U8", UNPU_AIPP_XRGB8888},
	       {"RGB888_U8", UNPU_AIPP_RGB888},	    {"YUV400_U8", UNPU_AIPP_YUV400},
	       {"ARGB8888_U8", UNPU_AIPP_ARGB8888}, {"YUYV_U8", UNPU_AIPP_YUYV},
	       {"YUV422SP_U8", UNPU_AIPP_YUV422SP}, {"AYUV444_U8", UNPU_AIPP_AYUV444}};

/* What the fields of colours have where they are missing. */
constexpr int32_t USUAL_MATRIX[9] = {298, 516, 0, 298, -100, -208, 298, 0, 409};
constexpr int32_t USUAL_BIAS[3] = {16, 128, 128};

bool is_digit(char letter, unsigned end)
{
	return letter >= '0' && letter < static_cast<char>('0' + end);
}

/* find_field() - nullptr if there is none of the name. */
const Field *find_field(std::string_view name)
{
	for (const Field &field : FIELDS)
		if (name == field.name)
			return &field;
	for (const Fields &fields : NUMBERED) {
		const std::string_view stem(fields.field.name);
		if (name.size() == stem.size() + 1 && name.starts_with(stem) &&
		    is_digit(name.back(), fields.count))
			return &fields.field;
	}
	const bool is_matrix = name.size() == 11 && name.starts_with("matrix_r") &&
			       is_digit(name[8], 3) && name[9] == 'c' && is_digit(name[10], 3);
	return is_matrix ? &MATRIX : nullptr;
}

/* struct Token - a word, a number or a sign. "": the end */
struct Token {
	std::string_view text;
	unsigned line = 0;
};

std::vector<Token> tokens_of(std::string_view text)
{
	constexpr std::string_view SIGNS = "{}:", BLANKS = " \t\r\n";
	std::vector<Token> tokens;
	unsigned line = 1;
	for (size_t i = 0; i < text.size();) {
		size_t end = i + 1;
		if (text[i] == '#') {
			i = std::min(text.find('\n', i), text.size());
			continue;
		}
		if (BLANKS.find(text[i]) != BLANKS.npos) {
			line += text[i] == '\n';
			i = end;
			continue;
		}
		if (SIGNS.find(text[i]) == SIGNS.npos)
			end = std::min(text.find_first_of("{}:# \t\r\n", i), text.size());
		tokens.push_back({text.substr(i, end - i), line});
		i = end;
	}
	tokens.push_back({{}, line});
	return tokens;
}

/* class AippParser - one file. */
class AippParser {
public:
	AippParser(std::string_view text, Problems &problems)
		: tokens_(tokens_of(text)), problems_(problems)
	{
	}

	bool run(std::vector<AippOp> &ops);

private:
	const Token &now() const { return tokens_[at_]; }
	bool take(std::string_view sign)
	{
		const bool is_there = now().text == sign;
		at_ += is_there;
		return is_there;
	}
	bool fail(const Token &token, const std::string &why)
	{
		return problems_.add(bad_option, "--insert_op_conf, line " +
							 std::to_string(token.line) + ": " + why);
	}

	bool take_op(AippOp &op);
	bool take_field();
	bool read(const Token &name, const Field &field, const Token &value, double &number);
	bool read_number(const Token &name, const Field &field, const Token &value, double &number);
	double get(const std::string &name, double otherwise = 0) const
	{
		const auto at = given_.find(name);
		return at == given_.end() ? otherwise : at->second;
	}
	bool has(const std::string &name) const { return given_.count(name) != 0; }
	uint32_t size(const std::string &name) const { return static_cast<uint32_t>(get(name)); }
	bool check_dynamic(const Token &begin) const;
	bool make(const Token &begin, AippOp &op);
	void make_colours(unpu_aipp &steps) const;
	bool has_matrix() const;

	const std::vector<Token> tokens_;
	Problems &problems_;
	size_t at_ = 0;
	std::map<std::string, double, std::less<>> given_; /* fields of one aipp_op */
};

bool AippParser::read_number(const Token &name, const Field &field, const Token &value,
			     double &number)
{
	const char *const begin = value.text.data(), *const end = begin + value.text.size();
	const std::from_chars_result read = std::from_chars(begin, end, number);
	const bool is_whole = field.form == Form::REAL || std::floor(number) == number;
	if (read.ec == std::errc() && read.ptr == end && is_whole && number >= field.least &&
	    number <= field.most)
		return true;
	const auto text = [](double bound) { return std::to_string(static_cast<int64_t>(bound)); };
	return fail(value, std::string(name.text) + " is " + std::string(value.text) +
				   "; allowed are " +
				   (field.form == Form::REAL ? "numbers" : "integers") + " from " +
				   text(field.least) + " to " + text(field.most));
}

bool AippParser::read(const Token &name, const Field &field, const Token &value, double &number)
{
	const std::string is = std::string(name.text) + " is " + std::string(value.text);
	switch (field.form) {
	case Form::SWITCH:
		number = value.text == "true" || value.text == "1";
		if (number == 1 || value.text == "false" || value.text == "0")
			return true;
		return fail(value, is + "; allowed are true and false");
	case Form::MODE:
		number = value.text == "dynamic";
		if (number == 1 || value.text == "static")
			return true;
		return fail(value, is + "; allowed are static and dynamic");
	case Form::FORMAT: {
		std::string words;
		for (const auto &each : FORMATS) {
			if (value.text == each.word) {
				number = each.format;
				return true;
			}
			words += (words.empty() ? "" : ", ") + std::string(each.word);
		}
		return fail(value, is + "; allowed are " + words);
	}
	default:
		return read_number(name, field, value, number);
	}
}

/* "name : value" */
bool AippParser::take_field()
{
	const Token name = now();
	const Field *const field = find_field(name.text);
	at_ += !name.text.empty();
	if (name.text.empty() || !take(":"))
		return fail(name, name.text.empty()
					  ? "a } is missing"
					  : "behind " + std::string(name.text) + " there is no :");
	const Token value = now();
	if (value.text.empty() || value.text == "}" || value.text == "{" || value.text == ":")
		return fail(value, std::string(name.text) + " has no value");
	at_++;
	if (!field)
		return fail(name, "there is no field " + std::string(name.text));
	double number = 0;
	if (!read(name, *field, value, number))
		return false;
	if (field->refused && number != 0)
		return fail(name, std::string(name.text) + " is not supported: " + field->refused);
	if (!given_.try_emplace(std::string(name.text), number).second)
		return fail(name, std::string(name.text) + " is there twice");
	return true;
}

bool AippParser::has_matrix() const
{
	const auto at = given_.lower_bound("matrix_r");
	return at != given_.end() && at->first.starts_with("matrix_r");
}

/* An image of one channel, and without a word of it one of RGB without a matrix, stays as it is. */
void AippParser::make_colours(unpu_aipp &steps) const
{
	const bool can_convert = base::aipp_channels(steps.format) >= 3;
	const bool is_usual = can_convert && (base::aipp_is_yuv(steps.format) || has_matrix());
	if (get("csc_switch", is_usual) != 0)
		steps.flags |= UNPU_AIPP_CONVERT;
	if (get("rbuv_swap_switch") != 0)
		steps.flags |= UNPU_AIPP_SWAP_COLOURS;
	if (get("ax_swap_switch") != 0)
		steps.flags |= UNPU_AIPP_SWAP_ALPHA;
	for (unsigned k = 0; k < 9; k++)
		steps.matrix[k] = static_cast<int32_t>(
			get("matrix_r" + std::to_string(k / 3) + "c" + std::to_string(k % 3),
			    USUAL_MATRIX[k]));
	const auto bias = [this](const char *stem, unsigned k) {
		return static_cast<int32_t>(get(stem + std::to_string(k), USUAL_BIAS[k]));
	};
	/* Biases go with the direction of a conversion. */
	for (unsigned k = 0; k < 3; k++) {
		if (base::aipp_is_yuv(steps.format))
			steps.input_bias[k] = bias("input_bias_", k);
		else
			steps.output_bias[k] = bias("output_bias_", k);
	}
	for (unsigned c = 0; c < 4; c++) {
		const std::string number = std::to_string(c);
		steps.mean[c] = static_cast<int32_t>(get("mean_chn_" + number));
		steps.minimum[c] = static_cast<float>(get("min_chn_" + number));
		steps.factor[c] = static_cast<float>(get("var_reci_chn_" + number, 1));
	}
}

bool AippParser::make(const Token &begin, AippOp &op)
{
	op.input = size("related_input_rank");
	if (!has("aipp_mode"))
		return fail(begin, "aipp_mode is missing: static or dynamic");
	op.is_dynamic = get("aipp_mode") != 0;
	op.most_bytes = static_cast<uint64_t>(get("max_src_image_size"));
	if (op.is_dynamic)
		return op.most_bytes > 0 ||
		       fail(begin, "max_src_image_size is missing: how many bytes the images of "
				   "a run have at most");
	if (!has("input_format"))
		return fail(begin, "input_format is missing, as RGB888_U8");
	unpu_aipp &steps = op.steps;
	steps.magic = UNPU_AIPP_MAGIC;
	steps.format = size("input_format");
	make_colours(steps);
	if (steps.flags & UNPU_AIPP_CONVERT && base::aipp_channels(steps.format) < 3)
		return fail(begin, "csc_switch is true; an image of one channel has no colours");
	steps.width = size("src_image_size_w");
	steps.height = size("src_image_size_h");
	op.crops = get("crop") != 0;
	op.pads = get("padding") != 0;
	if (op.crops) {
		steps.crop_left = size("load_start_pos_w");
		steps.crop_top = size("load_start_pos_h");
		steps.crop_width = size("crop_size_w");
		steps.crop_height = size("crop_size_h");
	}
	if (op.pads) {
		steps.pad_left = size("left_padding_size");
		steps.pad_right = size("right_padding_size");
		steps.pad_top = size("top_padding_size");
		steps.pad_bottom = size("bottom_padding_size");
		steps.padding = static_cast<float>(get("padding_value"));
	}
	return true;
}

bool AippParser::take_op(AippOp &op)
{
	const Token begin = now();
	given_.clear();
	(void)take(":");
	if (!take("{"))
		return fail(begin, "behind aipp_op there is no {");
	bool is_good = true;
	while (!take("}")) {
		const bool is_end = now().text.empty();
		is_good &= take_field();
		if (is_end)
			return false;
	}
	return is_good && make(begin, op);
}

bool AippParser::run(std::vector<AippOp> &ops)
{
	bool is_good = true;
	while (!now().text.empty()) {
		const Token word = now();
		at_++;
		if (word.text != "aipp_op")
			return fail(word, "there is " + std::string(word.text) +
						  " in the place of aipp_op {");
		AippOp op;
		is_good &= take_op(op);
		ops.push_back(op);
	}
	return ops.empty() ? fail(now(), "there is no aipp_op { in the file") : is_good;
}

} // namespace

bool parse_aipp(std::string_view text, std::vector<AippOp> &ops, Problems &problems)
{
	return AippParser(text, problems).run(ops);
}

} // namespace models

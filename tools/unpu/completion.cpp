// SPDX-License-Identifier: MIT
/**
 * DOC: unpu completion
 *
 * The scripts run the tool of the command line with --help, so they offer exactly the options that the tool
 * has. They never run a program that stands after "--".
 */
#include "commands.h"
#include "common/tool.h"

namespace unpu_command {

/* What the scripts of bash and zsh share: a function that prints the words that --help of a command offers,
 * one per line. */
static constexpr const char *WORDS =
	R"sh(# Words that "TOOL COMMAND --help" lists: options, subcommands, and choices of an argument.
_unpu_words()
{
	"$@" --help 2>/dev/null | sed -n \
		-e 's/^  \(-[-A-Za-z_,]*\).*/\1/p' \
		-e '/^Subcommands:/,/^[A-Z]/s/^  \([a-z][a-z-]*\) .*/\1/p' \
		-e '/^Positionals:/,/^$/s/^  [^{]*{\([^}]*\)}.*/\1/p' |
		tr , '\n'
}

# _unpu_values OPTION TOOL COMMAND: the choices of an option, if --help lists them.
_unpu_values()
{
	local option=$1
	shift
	"$@" --help 2>/dev/null |
		sed -n "s/^  \\([^ ]*,\\)\\{0,1\\}$option\\([ ,].*\\)\\{0,1\\}:{\\([^}]*\\)}.*/\\3/p" |
		tr , '\n'
}

# Programs of this user that answer unpu-info --pid.
_unpu_programs()
{
	sed -n 's/.*@unpu-look-\([0-9]*\)$/\1/p' /proc/net/unix | sort -un
}
)sh";

static constexpr const char *BASH = R"sh(
_unpu_complete()
{
	local tool=$1 word=$2 before=$3 commands=() each values
	COMPREPLY=()
	# Bash has = as a word of its own.
	if [ "$word" = = ]; then
		word=
	elif [ "$before" = = ]; then
		before=${COMP_WORDS[COMP_CWORD-2]}
	fi
	case $before in
	--trace | --listen | --output | -o | --merge-trace | --log | --suppressions | --baseline | --keep | --svg)
		COMPREPLY=($(compgen -f -- "$word"))
		return
		;;
	--device | --device-string)
		COMPREPLY=($(compgen -W 'sim: sim:step sim+proc: unix: null:' -- "$word"))
		return
		;;
	--schedule)
		COMPREPLY=($(compgen -W 'fifo eager lazy starve random pct portfolio' -- "$word"))
		return
		;;
	--pid)
		COMPREPLY=($(compgen -W "$(_unpu_programs)" -- "$word"))
		return
		;;
	esac
	for each in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		case $each in
		--)
			COMPREPLY=($(compgen -c -f -- "$word"))
			return
			;;
		-*) ;;
		[a-z]*)
			if [ ${#commands[@]} -eq 0 ] || [[ ${commands[*]} == @(san|kernel|model) ]]; then
				commands+=("$each")
			fi
			;;
		esac
	done
	if [[ $before == -* ]]; then
		values=$(_unpu_values "$before" "$tool" "${commands[@]}")
		if [ -n "$values" ]; then
			COMPREPLY=($(compgen -W "$values" -- "$word"))
			return
		fi
	fi
	COMPREPLY=($(compgen -W "$(_unpu_words "$tool" "${commands[@]}")" -- "$word"))
}

complete -o default -F _unpu_complete unpu unpu-info unpu-san npu-smi firmware-sim hccl_bench unpu-ascendcc
)sh";

static constexpr const char *ZSH = R"sh(
_unpu()
{
	local each
	local -a commands offered values
	case ${words[CURRENT-1]} in
	--trace | --listen | --output | -o | --merge-trace | --log | --suppressions | --baseline | --keep | --svg)
		_files
		return
		;;
	--device | --device-string)
		compadd -- sim: sim:step sim+proc: unix: null:
		return
		;;
	--schedule)
		compadd -- fifo eager lazy starve random pct portfolio
		return
		;;
	--pid)
		compadd -- ${(f)"$(_unpu_programs)"}
		return
		;;
	esac
	# What follows is a command line of its own.
	local -i behind=${words[(i)--]}
	if (( behind < CURRENT )); then
		shift $behind words
		(( CURRENT -= behind ))
		_normal
		return
	fi
	for each in ${words[2,CURRENT-1]}; do
		case $each in
		-*) ;;
		[a-z]*)
			if [[ -z $commands || "$commands" == (san|kernel|model) ]]; then
				commands+=($each)
			fi
			;;
		esac
	done
	if [[ ${words[CURRENT-1]} == -* ]]; then
		values=(${(f)"$(_unpu_values ${words[CURRENT-1]} ${words[1]} $commands)"})
		if (( $#values )); then
			compadd -- $values
			return
		fi
	fi
	offered=(${(f)"$(_unpu_words ${words[1]} $commands)"})
	compadd -- $offered
}

if [[ ${funcstack[1]-} == _unpu ]]; then
	_unpu "$@"
else
	compdef _unpu unpu unpu-info unpu-san npu-smi firmware-sim hccl_bench unpu-ascendcc
fi
)sh";

/* Choices of an option follow it in --help, in braces. */
static constexpr const char *FISH = R"sh(
function __unpu_help
	set -l words (commandline -opc)
	set -l command $words[1]
	for each in $words[2..-1]
		if string match -qr '^[a-z]' -- $each
			set -a command $each
			contains -- "$each" san kernel model; or break
		end
	end
	$command --help 2>/dev/null
end

function __unpu_words
	__unpu_help | sed -n \
		-e 's/^  \(-[-A-Za-z_,]*\).*/\1/p' \
		-e '/^Subcommands:/,/^[A-Z]/s/^  \([a-z][a-z-]*\) .*/\1/p' \
		-e '/^Positionals:/,/^$/s/^  [^{]*{\([^}]*\)}.*/\1/p' | string split ,
end

function __unpu_complete
	set -l before (commandline -opc)[-1]
	# Files alone where an option takes one, and behind "--", where the program of the user begins.
	if contains -- -- (commandline -opc)
		__fish_complete_path (commandline -ct)
		return
	end
	switch $before
		case --trace --listen --output -o --merge-trace --log --suppressions --baseline --keep --svg
			__fish_complete_path (commandline -ct)
		case --device --device-string
			printf '%s\n' sim: sim:step sim+proc: unix: null:
		case --schedule
			printf '%s\n' fifo eager lazy starve random pct portfolio
		case --pid
			sed -n 's/.*@unpu-look-\([0-9]*\)$/\1/p' /proc/net/unix | sort -un
		case '-*'
			set -l values (__unpu_help | sed -n "s/^  \([^ ]*,\)\{0,1\}$before\([ ,].*\)\{0,1\}:{\([^}]*\)}.*/\3/p" |
				string split ,)
			if set -q values[1]
				printf '%s\n' $values
			else
				__unpu_words
			end
		case '*'
			__unpu_words
			if string match -qr '\b(run|debug|show|report|merge|diff|replay|confirm)\b' -- (commandline -pc)
				__fish_complete_path (commandline -ct)
			end
	end
end

for tool in unpu unpu-info unpu-san npu-smi firmware-sim hccl_bench unpu-ascendcc
	complete -c $tool -f -a '(__unpu_complete)'
end
)sh";

int complete(const std::string &shell)
{
	if (shell == "fish") {
		fmt::print("# SPDX-License-Identifier: MIT\n{}", FISH);
		return tool::EXIT_SHOWN;
	}
	if (shell == "zsh")
		fmt::print("#compdef unpu unpu-info unpu-san npu-smi firmware-sim hccl_bench "
			   "unpu-ascendcc\n");
	fmt::print("# SPDX-License-Identifier: MIT\n{}{}", WORDS, shell == "zsh" ? ZSH : BASH);
	return tool::EXIT_SHOWN;
}

} // namespace unpu_command

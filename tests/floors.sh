#!/usr/bin/env bash
# The layers of src/ (docs/development/architecture.md): a module includes its own headers and those of lower layers, never higher.
# The folders of src/emu and src/model are layers, too. What is in src/emu itself, such as observer.h, is below its folders; what is in
# src/model itself above them.
#
#     tests/floors.sh [SOURCE_ROOT]     as TAP; reads the #include "..." lines under src/
#
# The last tests plant lines that must be caught, so that this one cannot pass by reading nothing.
set -euo pipefail

root=${1:-$(cd "$(dirname "$0")/.." && pwd)}

# findings DIR: one "file:line: why" for each include that breaks the rules in DIR, a folder laid out like src/.
findings() {
	grep -rn --include='*.c' --include='*.h' --include='*.def' -E '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]' "$1" | sort |
		awk -v dir="$1/" '
		BEGIN {
			split("base 0 wire 1 ptx 1 gpu 1 replay 1 emu 2 model 2 compile 2 archive 2 device 3 measure 4 store 4 exec 4 bind 5 repl 6 main 7", w, " ")
			for (i = 1; i in w; i += 2) layer[w[i]] = w[i + 1]
			split("emu 0 emu/memory 1 emu/code 2 emu/check 3 emu/count 3 emu/warp 3 emu/exec 4 emu/lower 4 emu/machine 5 emu/step 6" \
				" model/code 0 model/traffic 0 model 1", w, " ")
			for (i = 1; i in w; i += 2) inside[w[i]] = w[i + 1]
			# within a layer, what is named here alone may be included
			sibling["model emu/observer.h"] = 1
		}
		function module(path) { return path ~ /\// ? substr(path, 1, index(path, "/") - 1) : "main" }
		function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
		function complain(why) { print file ":" line ": " why }
		{
			file = $0; sub(/:.*/, "", file)
			rest = substr($0, length(file) + 2); line = rest; sub(/:.*/, "", line)
			text = substr(rest, length(line) + 2)
			from = module(substr(file, length(dir) + 1))
			quoted = text ~ /include[ \t]*"/
			name = text; sub(/^[^"<]*["<]/, "", name); sub(/[">].*/, "", name)
			if (!(from in layer)) { complain("module " from " has no layer"); next }
			if (!quoted) {
				if (name ~ /^(lua|lualib|lauxlib)\.h$/ && from !~ /^(bind|repl|main)$/) complain(name " belongs to bind/ and repl/")
				if (name ~ /^(cuda|cuda_runtime|cuda_runtime_api|driver_types)\.h$/ && from !~ /^(device|exec)$/) complain(name " belongs to device/ and exec/")
				if (name == "nvrtc.h" && from != "compile") complain(name " belongs to compile/")
				if (name ~ /^readline\// && from != "repl") complain(name " belongs to repl/")
				if (name == "sqlite3.h" && from != "store") complain(name " belongs to store/")
				next
			}
			to = module(name)
			if (to == from) {
				own = folder(substr(file, length(dir) + 1)); other = folder(name)
				if (from !~ /^(emu|model)$/ || own == other) next
				if (!(own in inside)) complain("folder " own " has no layer")
				else if (!(other in inside)) complain("\"" name "\" is in no folder of " from "/")
				else if (inside[other] > inside[own]) complain(own "/ includes \"" name "\" of a higher layer")
				else if (inside[other] == inside[own]) complain(own "/ includes \"" name "\" of its own layer")
				next
			}
			if (!(to in layer)) complain("\"" name "\" is in no module of src/")
			else if (layer[to] > layer[from]) complain(from "/ includes \"" name "\" of a higher layer")
			else if (layer[to] == layer[from] && !((from " " name) in sibling)) complain(from "/ includes \"" name "\" of its own layer")
		}'
}

count=0
failed=0
# report NAME SHOWN TEST...: one point of TAP; where `test TEST...` fails, what is shown explains it.
report() {
	local name=$1 shown=$2
	shift 2
	count=$((count + 1))
	if test "$@"; then
		printf 'ok %d - %s\n' "$count" "$name"
		return
	fi
	failed=1
	printf 'not ok %d - %s\n' "$count" "$name"
	[ -z "$shown" ] || printf '# %s\n' "${shown//$'\n'/$'\n'# }"
}

# planted MODULE/FILE LINE WANTED: the line in that file must be complained of with a text holding WANTED ("" for not at all).
planted() {
	local source=$scratch/src out found
	rm -rf "$source"
	mkdir -p "$source/$(dirname "$1")"
	printf '/* a file */\n%s\n' "$2" >"$source/$1"
	out=$(findings "$source" || true)
	case $out in
	*"/$1:2: "*"$3"*) found=caught ;;
	*) found=missed ;;
	esac
	if [ -n "$3" ]; then
		report "caught: $2 in $1" "$out" "$found" = caught
	else
		report "allowed: $2 in $1" "$out" -z "$out"
	fi
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

files=$(find "$root/src" -name '*.[ch]' | wc -l)
report "there are files to read" "" "$files" -gt 0
broken=$(findings "$root/src" || true)
report "no include points upward" "$broken" -z "$broken"

planted base/err.c '#include "device/device.h"' 'higher layer'
planted emu/machine/machine.c '#  include "bind/bind.h"' 'higher layer'
planted ptx/module.h $'#include\t"gpu/gpu.h"' 'own layer'
planted compile/compile.c '#include <lua.h>' 'belongs to bind/'
planted emu/machine/machine.c '#include <cuda_runtime_api.h>' 'belongs to device/'
planted emu/machine/machine.c '#include "nowhere/nowhere.h"' 'no module'
planted newmodule/new.c '#include "base/err.h"' 'no layer'
planted model/code/lift.c '#include "model/model.h"' 'higher layer'
planted device/device.c '#include "emu/machine.h"' ''
planted model/model.c '#include "emu/observer.h"' ''
planted main.c '#include "repl/repl.h"' ''
printf '1..%d\n' "$count"
exit "$failed"

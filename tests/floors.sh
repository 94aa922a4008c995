#!/usr/bin/env bash
# The layers of src/ (docs/development/architecture.md): a module includes its own headers and those of lower layers, never higher.
# The folders of a module are layers, too, and so are the few headers that other folders of it share: the table is below. What is in
# src/emu itself, such as observer.h, is below its folders; what is in src/device itself above them.
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
			# folders within a module, and single files of one that are lower than their folder
			split("emu 0 emu/memory 1 emu/code 2 emu/check 3 emu/count 3 emu/warp 3 emu/exec 4 emu/lower 4 emu/machine 5 emu/step 6" \
				" model/code 0 model/traffic 0 model 1" \
				" device/library.h 0 device/types.h 1 device/backend 2 device/remote 3 device/device.h 3 device/transfer.h 4" \
				" device/contents 5 device/ask 6 device 7" \
				" ptx 0 ptx/analysis 1 base 0 base/values 1 base/text 2 base/limits.c 3" \
				" exec 1 exec/runtime 2 exec/runtime/memory 3 exec/driver 3" \
				" compile/compile.h 0 compile/names.h 1 compile/worker/service.h 1 compile/worker/ptxas.h 1 compile/source 2 compile/worker/calls.h 2" \
				" compile 3 compile/worker 4" \
				" bind/values/keys.h 0 bind/values/set.h 0 bind 1 bind/lua 2 bind/values 3 bind/gpu 4 bind/host 4 bind/source 4", w, " ")
			for (i = 1; i in w; i += 2) inside[w[i]] = w[i + 1]
			# within a layer, what is named here alone may be included
			sibling["model emu/observer.h"] = 1
		}
		function module(path) { return path ~ /\// ? substr(path, 1, index(path, "/") - 1) : "main" }
		function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
		function place(path) { return path in inside ? path : folder(path) }
		function stem(path) { sub(/\.[^.]*$/, "", path); return path }
		function same_stem(a, b) { return stem(substr(a, length(dir) + 1)) == stem(b) }
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
				own = place(substr(file, length(dir) + 1)); other = place(name)
				if (own == other || same_stem(file, name)) next
				if (!(own in inside)) { if (own != from && own !~ /\.[ch]$/) complain("folder " own " has no layer") }
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
planted model/code/issue_order.c '#include "model/model.h"' 'higher layer'
planted device/device.c '#include "emu/machine.h"' ''
planted device/backend/emu.c '#include "device/device.h"' 'higher layer'
planted device/contents/slots.c '#include "device/ask/ask.h"' 'higher layer'
planted exec/runtime/stream.c '#include "exec/runtime/memory/pool.h"' 'higher layer'
planted model/model.c '#include "emu/observer.h"' ''
planted main.c '#include "repl/repl.h"' ''
printf '1..%d\n' "$count"
exit "$failed"

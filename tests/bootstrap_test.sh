#!/usr/bin/env bash
# What ./bootstrap decides, without installing or fetching anything: as TAP.
# shellcheck disable=SC2030,SC2031,SC2119,SC2120,SC2034,SC2123,SC2154,SC2317 # subshells get a PATH of their own, functions are passed by name
set -uo pipefail

# shellcheck source=../bootstrap disable=SC1091
source "$(dirname "$0")/../bootstrap"
set +e

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset CUDA_HOME CUDA_PATH
driver_file=$scratch/driver
: >"$driver_file" # empty: whatever driver this machine has is not to matter
count=0
failed=0

report() { # name, test...
	local name=$1
	shift
	count=$((count + 1))
	if "$@"; then
		printf 'ok %d - %s\n' "$count" "$name"
	else
		printf 'not ok %d - %s\n' "$count" "$name"
		failed=1
	fi
}

fails() { ! "$@" 2>/dev/null; }

# toolkit FOLDER VERSION: a complete toolkit of empty files.
toolkit() {
	mkdir -p "$1/include/crt" "$1/include/cccl/cuda/std" "$1/lib64"
	printf '#define CUDART_VERSION  %s\n' "$2" >"$1/include/cuda_runtime_api.h"
	touch "$1/include/nvrtc.h" "$1/include/cooperative_groups.h" "$1/include/crt/host_defines.h" \
		"$1/include/cccl/cuda/std/array" "$1/lib64/libcudart_static.a" "$1/lib64/libnvrtc.so.13"
}

driver() { printf 'NVRM version: NVIDIA UNIX %s  %s  Release Build\n' "$1" "$2" >"$driver_file"; }

no_programs() { # runs a command where no program but the shell's own is found
	(
		PATH=$scratch/empty
		hash -r
		"$@"
	)
}

toolkit "$scratch/13" 13000
toolkit "$scratch/12.8" 12080
toolkit "$scratch/12.4" 12040
report "a complete toolkit serves" toolkit_serves "$scratch/13"
report "so does 12.8" toolkit_serves "$scratch/12.8"
report "12.4 is too old" fails toolkit_serves "$scratch/12.4"
report "no folder is no toolkit" fails toolkit_serves "$scratch/none"

for part in include/nvrtc.h include/crt/host_defines.h include/cooperative_groups.h include/cccl/cuda/std/array \
	lib64/libcudart_static.a lib64/libnvrtc.so.13; do
	mv "$scratch/13/$part" "$scratch/away"
	report "a toolkit without $part does not serve" fails toolkit_serves "$scratch/13"
	mv "$scratch/away" "$scratch/13/$part"
done

CUDA_HOME="$scratch/with blanks"
toolkit "$CUDA_HOME" 13000
report "CUDA_HOME comes first" test "$(find_toolkit)" = "$CUDA_HOME"
CUDA_HOME=$scratch/12.4 CUDA_PATH=$scratch/12.8
report "what CUDA_HOME cannot give CUDA_PATH may" test "$(find_toolkit)" = "$CUDA_PATH"
unset CUDA_HOME CUDA_PATH

report "without a driver none is old" fails driver_is_old
driver 'x86_64 Kernel Module' 535.129.03
report "535 is an old driver" driver_is_old
report "for which CUDA 13 is too new" fails toolkit_serves "$scratch/13"
report "and 12.8 is right" toolkit_serves "$scratch/12.8"
driver 'Open Kernel Module for x86_64' 580.65.06
report "580 is not old" fails driver_is_old
report "and takes CUDA 13" toolkit_serves "$scratch/13"
printf 'nonsense\n' >"$driver_file"
report "a driver that does not tell its version is not old" fails driver_is_old
of_windows() {
	(
		driver_file=$scratch/nothing
		nvidia-smi() { echo 566.36; }
		[ "$(driver_version)" = 566 ]
	)
}
report "under WSL nvidia-smi names the driver" of_windows

mkdir -p "$scratch/empty"
listed=$(root=$scratch no_programs missing_packages strict)
for package in gcc meson ninja-build pkg-config python3 liblua5.4-dev libreadline-dev libsqlite3-dev libcmocka-dev clang lua5.4 \
	lua-check python3-venv; do
	report "$package is missed where it is missing" grep -q "^$package:" <<<"$listed"
done
listed=$(no_programs missing_packages all)
report "the tests need Lua" grep -q '^lua5.4:' <<<"$listed"
report "but no second compiler and no analyzers" fails grep -qE '^(clang|lua-check|python3-venv):' <<<"$listed"
report "what only the tests need is not asked for otherwise" fails grep -q '^lua5.4:' <<<"$(no_programs missing_packages)"

listed_with() { # CC, where cc is the only compiler
	(
		CC=$1
		have() { [ "$1" = cc ]; }
		missing_packages 2>/dev/null
	)
}
report "the compiler that CC names is missed although there is another" grep -q '^clang-14:' <<<"$(listed_with clang-14)"
report "one that is there is not" fails grep -q '^cc:' <<<"$(listed_with 'cc -m64')"
without_toolkit() {
	(
		have_pip() { false; }
		have_venv() { false; }
		find_toolkit() { "$with"; }
		root=$scratch
		missing_packages 2>/dev/null | grep -q '^python3-pip:'
	)
}
with=false
report "what fetches a toolkit is asked for with the rest" without_toolkit
with=true
report "but not where there is a toolkit" fails without_toolkit

locked() {
	(
		root=$scratch/locked build=$root/build
		writable() { [ "$1" != "$root" ] || die "not writable"; }
		have() { false; }
		main --list 2>&1
	)
}
said=$(locked)
report "a checkout that cannot be written ends the set-up" test $? = 5
report "before anything is installed" test "$said" = "bootstrap: not writable"
said=$(writable "$scratch/none" "gpulab is built there" 2>&1)
report "and it is said what to do" grep -q 'none cannot be written, .* a folder of your own' <<<"$said"
said=$(
	apt() { seq 60 && false; }
	as_root() { "$@"; }
	have() { true; }
	id() { echo 0; }
	apt_install "a reason" some-package 2>&1
)
report "of apt's messages the last lines are shown" test "$(grep -cE '^[0-9]+$' <<<"$said")" = 6
report "and the network is named" grep -q 'apt could not install: some-package; is there a network?' <<<"$said"

said=$(no_programs install_missing 2>&1)
report "without apt nothing is installed" test $? = 5
report "and what to install is said" grep -q 'libreadline-dev' <<<"$said"
reasons_of() { # packages: the reasons that are said for installing them
	(
		missing_packages() { printf '%s\n' "$@"; }
		have() { :; }
		apt_install() { echo "$1"; }
		install_missing "$@"
	)
}
report "a reason that packages share is said once" test "$(reasons_of 'a:lists, trees' 'b:trees' 'c:trees, leaves')" = "lists, trees, leaves"

# gpulab's own output is all there is on standard output
build=$scratch/build
mkdir -p "$build/src" "$scratch/bin"
printf '#!/bin/sh\nprintf "{%%s}" "$*"\n' >"$build/src/gpulab"
printf '#!/bin/sh\necho "ninja: no work to do."\n' >"$scratch/bin/ninja"
chmod +x "$build/src/gpulab" "$scratch/bin/ninja"
touch "$build/build.ninja"
run_main() {
	(
		PATH=$scratch/bin:$PATH
		main "$@" 2>/dev/null
	)
}
report "arguments arrive as given" test "$(run_main --json - 'a b')" = "{--json - a b}"
report "-- lets a lab be called test" test "$(run_main -- test)" = "{test}"
report "no arguments are none" test "$(run_main)" = "{}"

# Which tests run: what is installed and which analyzers are fetched follows from it.
mkdir -p "$scratch/source/tests"
printf '#!/bin/sh\necho "run $*"\n' >"$scratch/source/tests/run"
chmod +x "$scratch/source/tests/run"
tests_of() { # CI's value, arguments of ./bootstrap test
	(
		CI=$1 root=$scratch/source cuda=/cuda
		install_missing() { echo "install $*"; }
		newer_meson() { :; }
		fetch_analyzers() { echo "analyzers"; }
		ensure_toolkit() { :; }
		main test "${@:2}" 2>/dev/null | tr '\n' ' '
		exit "${PIPESTATUS[0]}"
	)
}
report "test runs a selection" test "$(tests_of '')" = "install test run --test /cuda "
report "in CI they are strict" test "$(tests_of true)" = "install strict analyzers run --strict /cuda "
report "CI=false is no CI" test "$(tests_of false)" = "install test run --test /cuda "
report "--strict is strict anywhere" test "$(tests_of '' --strict)" = "install strict analyzers run --strict /cuda "
report "--all is every test, in CI too" test "$(tests_of true --all)" = "install all run --all /cuda "
tests_of '' --slow >/dev/null
report "other options are refused" test $? = 64
report "--help lists them" grep -q 'test --strict' <<<"$(main test --help)"

# Without root: nothing is built, and what is fetched goes where the account may write.
users() { # what is fetched, in a folder that is a bundle or none
	(
		HOME=$scratch/home XDG_DATA_HOME='' root=$1
		find_toolkit() { false; }
		have_pip() { true; }
		assemble_toolkit() { echo "$1"; }
		build_gpulab() { echo built; }
		main "${@:2}" 2>/dev/null
	)
}
mkdir -p "$scratch/home" "$scratch/bundle/lib"
touch "$scratch/bundle/lib/gpulab.bin"
printf '#!/bin/sh\nprintf "{%%s}" "$*"\n' >"$scratch/bundle/gpulab"
chmod +x "$scratch/bundle/gpulab"
report "--user fetches into the home folder" test "$(users "$scratch/source" --user)" = "$scratch/home/.local/share/gpulab/cuda"
report "and in a bundle into that" test "$(users "$scratch/bundle" --user)" = "$scratch/bundle/cuda"
report "a bundle is started, not built" test "$(users "$scratch/bundle" 3 --batch)" = "$scratch/bundle/cuda
{3 --batch}"

# The analyzers are the pinned ones, installed in .venv.
(
	root=$scratch/analyzers
	site=$root/.venv/lib/python3.11/site-packages
	mkdir -p "$site/clang_format-$clang_format_version.dist-info" "$site/clang_tidy-14.0.6.dist-info" "$root/.venv/bin"
	ln -s "$(type -P true)" "$root/.venv/bin/clang-tidy"
	! have_analyzers && mkdir "$site/clang_tidy-$clang_tidy_version.dist-info" && have_analyzers
)
report "an analyzer of another version is none" test $? = 0

printf '1..%d\n' "$count"
exit "$failed"

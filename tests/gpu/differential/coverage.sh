#!/bin/sh
# docs/ptx-coverage.md is what the program prints.
#     coverage.sh GPULAB SOURCE_ROOT
echo 1..1
if "$1" --ptx-coverage | diff - "$2/docs/ptx-coverage.md" >/dev/null; then
	echo "ok 1 - docs/ptx-coverage.md is what gpulab --ptx-coverage prints"
else
	echo "not ok 1 - docs/ptx-coverage.md is what gpulab --ptx-coverage prints"
	echo "# write it anew: gpulab --ptx-coverage >docs/ptx-coverage.md"
fi

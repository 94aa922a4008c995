#!/bin/sh
# docs/reference/ptx-coverage.md is what the program prints, and fits 80 columns but for names of forms that are longer.
#     coverage.sh GPULAB SOURCE_ROOT
echo 1..2
if "$1" --ptx-coverage | diff - "$2/docs/reference/ptx-coverage.md" >/dev/null; then
	echo "ok 1 - docs/reference/ptx-coverage.md is what gpulab --ptx-coverage prints"
else
	echo "not ok 1 - docs/reference/ptx-coverage.md is what gpulab --ptx-coverage prints"
	echo "# write it anew: gpulab --ptx-coverage >docs/reference/ptx-coverage.md"
fi
wide=$(grep -v '^- `[^` ]*`$' "$2/docs/reference/ptx-coverage.md" | awk 'length($0) > 80')
if [ -z "$wide" ]; then
	echo "ok 2 - it fits 80 columns"
else
	echo "not ok 2 - it fits 80 columns"
	echo "$wide" | sed 's/^/# /'
fi

#!/bin/sh
# docs/reference/ptx-coverage.md is what tests/forms/report prints, and fits 80 columns but for names of forms that are longer.
#     coverage.sh REPORT SOURCE_ROOT
echo 1..2
if "$1" | diff - "$2/docs/reference/ptx-coverage.md" >/dev/null; then
	echo "ok 1 - docs/reference/ptx-coverage.md is what tests/forms/report prints"
else
	echo "not ok 1 - docs/reference/ptx-coverage.md is what tests/forms/report prints"
	echo "# write it anew: tests/forms/report >docs/reference/ptx-coverage.md"
fi
wide=$(grep -v '^- `[^` ]*`$' "$2/docs/reference/ptx-coverage.md" | awk 'length($0) > 80')
if [ -z "$wide" ]; then
	echo "ok 2 - it fits 80 columns"
else
	echo "not ok 2 - it fits 80 columns"
	echo "$wide" | sed 's/^/# /'
fi

-- This program for a machine that has none: what runs there and here (src/device/remote/send.h has the lines that both
-- exchange). The files go to ~/.cache/gpulab/program/DIGEST there. The digest is that of the list of their digests, and
-- all are compared at each start.
local host = require "gpulab.host"

local sending = {}

-- One line without a quote or an exclamation mark, for the login shell may be any. What a folder holds is believed if
-- the folder is this user's and every file is whole. Folders that were not used for a month are removed.
local there <const> = table.concat({
  [[command -v gpulab >/dev/null && exec gpulab --worker gateway;]],
  [[lacks=; for t in tar gzip sha256sum mktemp head find;]],
  [[do command -v $t >/dev/null || lacks=$t; done;]],
  [[echo "gpulab-wanted system=$(uname -s) arch=$(uname -m) lacks=$lacks";]],
  [[read -r d || exit 1;]],
  [[umask 077; p=${XDG_CACHE_HOME:-$HOME/.cache}/gpulab/program;]],
  [[mkdir -p "$p" && chmod 700 "$p" || exit 1;]],
  [[whole() ( [ -d "$1" ] && [ -O "$1" ] && cd "$1" && [ "$(sha256sum <SUMS)" = "$d  -" ] &&]],
  [[sha256sum --status -c SUMS; ) 2>/dev/null;]],
  [[if whole "$p/$d"; then touch "$p/$d"; exec "$p/$d/gpulab" --worker gateway; fi;]],
  [[echo gpulab-send; read -r n || exit 1;]],
  [[find "$p" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf {} +;]],
  [[t=$(mktemp -d "$p/new.XXXXXX") || exit 1;]],
  [[head -c "$n" | tar -xzof - -C "$t";]],
  [[if whole "$t"; then rm -rf "$p/$d"; mv -T "$t" "$p/$d" || rm -rf "$t"; exec "$p/$d/gpulab" --worker gateway; fi;]],
  [[rm -rf "$t"; echo "gpulab did not arrive whole in $p: is its disk full?" >&2; exit 1]],
}, " ")

-- sh -c HERE gpulab PROGRAM LOADER LIBRARY... WORD. Of WORD: `digest` prints it, `archive` the files.
local here <const> = [=[
t=$(mktemp -d) || exit 1
trap 'rm -rf "$t"' EXIT
trap 'exit 1' HUP INT TERM
umask 077
n=0
for word; do
  n=$((n + 1))
  case $n-$# in
  1-*) ln -s "$word" "$t/gpulab.bin" ;;
  2-*) ln -s "$word" "$t/loader" ;;
  *) [ $n -eq $# ] || ln -s "$word" "$t/${word##*/}" ;;
  esac
done
cat >"$t/gpulab" <<'END'
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export GPULAB_WORKER="$here/gpulab"
exec "$here/loader" --library-path "$here" "$here/gpulab.bin" "$@"
END
chmod 700 "$t/gpulab"
cd "$t" && sums=$(LC_ALL=C; sha256sum -- *) && printf '%s\n' "$sums" >SUMS || exit 1
case $word in
digest) d=$(sha256sum <SUMS) && printf '%s\n' "${d%% *}" ;;
archive) tar -chzf - -- * ;;
esac
]=]

---The command that a login shell elsewhere starts a worker with: gpulab if it is in PATH, else what was sent.
---@return string
function sending.there()
  return "exec sh -c '" .. there .. "'"
end

---The words of the command that packs this program, or nil where its files are not known.
---@return string[]?
function sending.pack()
  local files = host.program_files()
  return files and { "sh", "-c", here, "gpulab", table.unpack(files) }
end

return sending

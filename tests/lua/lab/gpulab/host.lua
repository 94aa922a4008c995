-- What the C core says of the machine, for plain Lua, which finds this file by its path.
local host = { catch = pcall }

-- Edits (insert, delete, replace, swap) between two short words.
local function distance(a, b)
  local before, row = {}, {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local two_before = before
    before, row = row, { [0] = i }
    for j = 1, #b do
      local same = a:byte(i) == b:byte(j)
      row[j] = math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (same and 0 or 1))
      if i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j) then
        row[j] = math.min(row[j], two_before[j - 2] + 1)
      end
    end
  end
  return row[#b]
end

-- As base/text/nearest.c.
function host.nearest(word, candidates)
  local best, least = nil, #word <= 1 and 1 or #word <= 4 and 2 or 3
  for _, candidate in ipairs(candidates) do
    local d = distance(word:lower(), candidate:lower())
    if d < least then best, least = candidate, d end
  end
  return best
end

function host.on_launch() end

function host.list() return {} end

---The modules in a folder, as gpulab finds those built into it.
function host.modules(folder)
  local found = {}
  local here = package.searchpath("gpulab.base.commands", package.path):match("^(.*)/gpulab/")
  local files <close> = assert(io.popen(("ls '%s/%s'"):format(here, (folder:gsub("%.", "/")))))
  for name in files:read("a"):gmatch("([%w_]+)%.lua") do found[folder .. "." .. name] = true end
  return found
end

---Bytes that are not UTF-8, control characters, and overrides of the direction of writing.
function host.printable(s)
  local out, at = {}, 1
  while at <= #s do
    local c = utf8.len(s, at, at) and utf8.codepoint(s, at)
    local bytes = c and utf8.char(c) or s:sub(at, at)
    local plain = c and (c >= 32 and c < 127 or c == 9 or c == 10 or c >= 160 and (c < 0x2028 or c > 0x202e))
    out[#out + 1] = plain and bytes or (c or 0) > 127 and ("\\u{%X}"):format(c) or ("\\x%02X"):format(bytes:byte())
    at = at + #bytes
  end
  return table.concat(out)
end

return host

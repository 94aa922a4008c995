-- What the C core says of the machine, for plain Lua, which finds this file by its path.
local host = { catch = pcall }

function host.nearest() return nil end

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

-- Finds which element of a shared array an address is. PTX has its bytes alone, so the extents come from the source.
local files = require "gpulab.base.files"

local declared = {}

local SIZES <const> = { char = 1, bool = 1, short = 2, int = 4, unsigned = 4, float = 4, double = 8, int2 = 8,
  float2 = 8, int4 = 16, float4 = 16, uint4 = 16 }

-- A number, a named constant, or a sum or product of these; nil if it is more.
local function extent(content, expression)
  local numbers = expression:gsub("%a[%w_]*", function(name)
    return content:match("%f[%w_]" .. name .. "%s*=%s*(%d+)") or content:match("#define%s+" .. name .. "%s+(%d+)")
  end)
  if numbers:find "[^%d%s%+%-%*/()]" then return nil end
  local chunk = load("return " .. numbers:gsub("/", "//"), "extent", "t", {})
  local ok, value = pcall(chunk or error)
  return ok and math.tointeger(value) or nil
end

-- Bytes of an element, and the extents, of `__shared__ float tile[32][33];`.
local function array_of(content, name)
  local before, after = content:match("__shared__([^;]-)%f[%w_]" .. name .. "%s*(%b[][^;,]*)")
  local type_name = (before or ""):gsub("volatile", ""):gsub("__align__%s*%b()", "")
    :gsub("unsigned%s+(%l+)", "%1"):match "^%s*(%a[%w_]*)"
  local size = SIZES[type_name or ""]
  local extents = {}
  for inner in (after or ""):gmatch "%b[]" do
    extents[#extents + 1] = extent(content, inner:sub(2, -2))
    if not extents[#extents] then return nil end
  end
  return size, extents
end

---The element of a shared array at an offset in bytes: "tile[0][-1], 4 bytes before its start"; nil if the source does
---not say, or says something else than `bytes`.
---@param content string source text @param name string @param offset integer @param bytes integer of the array
---@return string?
function declared.shared(content, name, offset, bytes)
  local size, extents = array_of(content, name)
  if not size or #extents < 1 or #extents > 2 or size * extents[1] * (extents[2] or 1) ~= bytes then return nil end
  local wraps = offset >= size << 31 -- an unsigned index that is below 0
  if wraps then offset = offset - (size << 32) end
  local e, row = offset // size, extents[2]
  local at = not row and ("[%d]"):format(e) or e < 0 and e > -row and ("[0][%d]"):format(e)
    or ("[%d][%d]"):format(e // row, e % row)
  local beyond = offset < 0
    and ("%d bytes before its start%s"):format(-offset, wraps and "; the index is unsigned and wraps around" or "")
    or offset == bytes and "just past its end" or offset > bytes and ("%d bytes past its end"):format(offset - bytes)
    or "inside it"
  return ("%s%s, %s"):format(name, at, beyond)
end

---The same of what a fault or an issue is about, by the source that it names; nil if that cannot be read.
---@param found {space: string, buffer: string?, offset: integer, bytes: integer} @param path string? @return string?
function declared.element(found, path)
  if found.space ~= "shared" or not path or (found.buffer or "") == "" then return nil end
  local content = files.read(path)
  return content and declared.shared(content, found.buffer, found.offset, found.bytes)
end

return declared

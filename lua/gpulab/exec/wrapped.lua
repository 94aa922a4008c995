-- An index that was computed as an int and did not fit: the access is 2^32 elements below where it should have been.
local files = require "gpulab.base.files"
local text = require "gpulab.base.text"

local wrapped = {}

local BACK <const> = 200      -- lines in which a variable's value is looked for
local NEAR <const> = 1 << 24  -- elements: an access so close before its buffer has another cause

-- The index that was meant, if it is in the buffer: an int that wrapped is negative, and not by a little. An access of
-- a vector may be indexed by its elements.
local function meant(offset, bytes, access)
  local width, least = access, math.min(access, 4)
  while width >= least do
    local index = offset // width
    local fits = index + (1 << 32) < bytes // width
    if offset % width == 0 and index < -NEAR and index >= -(1 << 31) and fits then return index + (1 << 32) end
    width = width // 2
  end
end

local function has_product(s) return s:find "[%w_%)%]]%s*%*%s*[%w_%(]" end

-- "row * width + col", in a subscript of the line, or what a variable of one was set to before it.
local function expression(lines, number)
  for subscript in (lines[number] or ""):gmatch "%b[]" do
    local inner = subscript:sub(2, -2):match "^%s*(.-)%s*$"
    if has_product(inner) then return inner end
    for name in inner:gmatch "[%a_][%w_]*" do
      for i = number, math.max(1, number - BACK), -1 do
        local value = lines[i]:match("%f[%w_]" .. name .. "%s*=%s*([^=;][^;]*);")
        if value and has_product(value) then return value end
      end
    end
  end
end

local function lines_of(path)
  local ok, source = pcall(files.read, path)
  return text.lines(ok and source or "")
end

---@param at {file?: string, line?: integer} @param offset integer of the access, from the buffer's beginning
---@param bytes integer the buffer's @param width integer of the access
---@return string? sentence, string? hint nil: no int that wrapped explains it
function wrapped.sentence(at, offset, bytes, width)
  if not offset or not bytes or (width or 0) <= 0 then return nil end
  local index = meant(offset, bytes, width)
  local far = offset % width == 0 and offset // width or 0
  if not index and (far >= -NEAR or far < -(1 << 31)) then return nil end
  local said = at.file and expression(lines_of(at.file), at.line) or index and "the index"
  if not said then return nil end -- the index that was meant is beyond the end, too: only a product explains that
  index = index or far + (1 << 32)
  return ("%s = %s does not fit an int."):format(said, text.count(index)),
    ("compute it in 64 bits: (size_t)%s"):format(said == "the index" and "..." or said)
end

return wrapped

-- The comment at the head of a CUDA file that says how it is launched, for files that belong to no lab:
--
--   // gpulab: scale<<<64, 256>>>(random float n, out float n, 2.5, n)
--
-- n is the number of threads. An array is [random|iota|zero|out] TYPE COUNT, by default random; any other argument is a
-- number. COUNT and numbers are sums and products of integers and n. A grid or block of more dimensions is (8, 8).
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local head = {}

local MOST <const> = 4096 -- bytes of the file that may have it
local EXAMPLE <const> = "for example: // gpulab: scale<<<64, 256>>>(random float n, out float n, 2.5)"
local fill_of <const> = { random = "random", iota = "iota", zero = 0, out = "sentinel" }

local function fail(what) failure.usage("the comment // gpulab: " .. text.printable(what), EXAMPLE) end

-- The parts between commas that are in no brackets; those of brackets become semicolons.
local function split(said)
  local hidden, parts = said:gsub("%b()", function(inside) return (inside:gsub(",", ";")) end), {}
  for part in (hidden .. ","):gmatch "(.-)," do parts[#parts + 1] = text.trim(part) end
  return parts
end

local function value(said, n)
  local whole = said:find "[.eE]" and said or said:gsub("/", "//")
  local chunk = said:match "^[%dn%s+*/().eE-]+$" and load("local n = ... return " .. whole, "=head", "t", {})
  local ok, number = pcall(chunk, n)
  return ok and type(number) == "number" and number or fail(("has %q, which is no number"):format(said))
end

-- A grid or a block: 64, (8, 8), dim3(8, 8), in which split made the commas semicolons.
local function extent(said)
  local inside = said:gsub("^dim3", ""):gsub(";", ","):match "^%s*%((.*)%)$" or said
  local sizes = lists.map(split(inside), function(part)
    return math.tointeger(value(part)) or fail(("has %q, which is no number of blocks or threads"):format(part))
  end)
  return #sizes <= 3 and sizes or fail "has a grid or block of more than three dimensions"
end

-- An array, or a number.
local function argument(said, n)
  local fill = fill_of[said:match "^%a+"]
  local kind, rest = (fill and said:gsub("^%a+%s*", "") or said):match "^(%a[%w_ ]-)%s+([%dn(][^%a]*n?[^%a]*)$"
  if not kind and not fill then return { number = value(said, n) } end
  if not kind then fail(("has %q, which is no array: random float n"):format(said)) end
  return { type = kind, count = math.tointeger(value(rest, n)) or fail(("has a count %s"):format(rest)),
    fill = fill or "random" }
end

---The launch that a file asks for; nil without the comment. Raises if it cannot be read.
---@param source string
---@return {kernel: string, grid: integer[], block: integer[], shared: integer?, arguments: table[], line: integer}?
function head.launch(source)
  for number, line in ipairs(text.lines(source:sub(1, MOST))) do
    local said = line:match "^%s*//%s*gpulab:%s*(.-)%s*$"
    if said then
      local kernel, config, arguments = said:match "^([%a_][%w_:<>, ]-)%s*<<<(.-)>>>%s*%((.*)%)$"
      if not kernel then fail("is not KERNEL<<<GRID, BLOCK>>>(ARGUMENTS)") end
      local shape = split(config)
      if #shape < 2 or #shape > 3 then fail("needs a grid and a block between <<< and >>>") end
      local grid, block = extent(shape[1]), extent(shape[2])
      local n = 1
      for _, size in ipairs(lists.joined(grid, block)) do n = n * size end
      return { kernel = kernel, grid = grid, block = block, shared = shape[3] and extent(shape[3])[1], line = number,
        arguments = lists.map(arguments:find "%S" and split(arguments), function(part) return argument(part, n) end) }
    end
  end
end

---Launches it with kernels in k.
---@param launch table of head.launch @param kernels table
function head.run(launch, kernels)
  local arguments = lists.map(launch.arguments, function(one, i)
    if one.number then return one.number end
    local ok, made = pcall(gpu.buffer, one.type, one.count, { fill = one.fill, seed = i })
    return ok and made or fail(("has an array that cannot be made: %s"):format(text.said(made)))
  end)
  kernels[launch.kernel] { grid = launch.grid, block = launch.block, shared = launch.shared }(table.unpack(arguments))
end

return head

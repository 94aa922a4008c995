-- The option --trace: blocks of a step's launch in a file, or as text on standard output.
local context = require "gpulab.run.context"
local debugger = require "gpulab.warp.debugger"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local step_record = require "gpulab.record.step"
local timeline = require "gpulab.warp.timeline"
local trace = require "gpulab.warp.trace"

local trace_option = {}

local BLOCKS <const> = 256 -- at most: each begins the launch again

local FORM <const> = "STEP[:BLOCK[-LAST][:WARP]][=FILE], for example tile:0-3=blocks.json or tile:5:2"

-- "tile:0-3=blocks.json": {step, first, last, warp?, path?}.
local function read(given)
  local what, path = given:match("^(.-)=(.+)$")
  local step, blocks, warp = (what or given):match("^([^:]+):?([^:]*):?(%d*)$")
  local first, last = (blocks or ""):match("^(%d+)-(%d+)$")
  first = first or (blocks or ""):match("^%d+$") or blocks == "" and "0"
  if not step or not first then
    failure.usage(("--trace %s: a step and its blocks expected"):format(given), FORM)
  end
  local order = { step = step, path = path, first = math.tointeger(tonumber(first)),
    last = math.tointeger(tonumber(last or first)), warp = math.tointeger(tonumber(warp)) }
  if order.last < order.first or order.last - order.first >= BLOCKS then
    failure.usage(("--trace %s: at most %d blocks, the lower number first"):format(given, BLOCKS), FORM)
  end
  return order
end

-- To the block; raises if the grid has no such block, or the block no such warp.
local function focus(d, block, warp)
  local blocks = d.grid[1] * d.grid[2] * d.grid[3]
  if block >= blocks then
    failure.usage(("the grid has no block %d: it has %d"):format(block, blocks))
  end
  if warp and warp >= #d.moment.warps then
    failure.usage(("the block has no warp %d: it has %d"):format(warp, #d.moment.warps))
  end
  d:focus(block, 0)
end

local function write(d, order)
  local as_json, parts = order.path and order.path:match("%.json$"), {}
  for block = order.first, order.last do
    focus(d, block, order.warp)
    parts[#parts + 1] = as_json and timeline.of_operations(d) or trace.text(d, order.warp)
  end
  local content = as_json and trace.json(parts, d.kernel.name, order.warp) or table.concat(parts)
  if order.path then files.write(order.path, content) else io.stdout:write(content) end
end

---Writes what each --trace names. Raises for a step, block or warp that there is not.
---@param lab Lab @param options table @return integer status
function trace_option.run(lab, options)
  local device = gpu.device
  local params = lab:parameters(options.set, { emulated = device.emulates })
  local whole = context.new(lab, device, params, {})
  for _, given in ipairs(options.traces) do
    local order = read(given)
    local d, close = debugger.of_record(step_record.of({ step = lab:step(order.step) }, whole))
    local ok, e = pcall(write, d, order)
    d:close()
    close()
    if not ok then error(e, 0) end
  end
  whole:close()
  return 0
end

return trace_option

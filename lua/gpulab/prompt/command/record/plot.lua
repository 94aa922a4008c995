-- The command plot where there is no lab, and in Lua at every prompt: launches over a parameter.
local lazy = require "gpulab.base.lazy"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local pager = require "gpulab.base.pager"
local sweep = lazy "gpulab.show.sweep"
local text = require "gpulab.base.text"
local view = require "gpulab.prompt.view"

local FORM <const> = "for example: plot(function(n) k.scale{grid=n//256, block=256}(x, 5) end, {256, 512, 1024})"

local function values_of(list)
  if type(list) ~= "table" or #list == 0 then failure.usage("plot takes a function and a list of numbers", FORM) end
  local values = {}
  for i, x in ipairs(list) do
    if type(x) ~= "number" then failure.usage(("value %d of the list is not a number"):format(i), FORM) end
    values[i] = x
  end
  table.sort(values)
  return values
end

-- plot(f, {256, 512}, "FILE.svg"): f(x) launches a kernel, which is counted and not made.
local function call(prompt, f, list, path)
  if type(f) ~= "function" then failure.usage("plot takes a function and a list of numbers", FORM) end
  local points = {}
  for i, x in ipairs(values_of(list)) do
    local record = prompt.records:captured(f, x)
    if not record then failure.usage(("the function launches nothing for %s"):format(text.said(x)), FORM) end
    points[i] = { x = x, record = record:counted() }
  end
  local found = sweep.of(points)
  if path == nil then return pager.show(sweep.lines(found, view.options(prompt))) end
  files.write(tostring(path), sweep.svg(found))
  text.say(("  wrote %s"):format(text.printable(tostring(path))))
end

return { name = "plot", usage = "plot(FUNCTION, VALUES [, \"FILE.svg\"])", topic = "results",
  summary = "draw the time of a launch over a parameter",
  help = "Calls the Lua function with each of the values and draws the predicted time of the launch that it writes:"
    .. " plot(function(n) k.scale{grid=n//256, block=256}(x, 5) end, {256, 512, 1024}). The launches are counted and"
    .. " leave the buffers as they are; `launches` lists them.",
  run = function() failure.usage("plot takes a function and a list of numbers", FORM) end,
  call = function(prompt, f, ...)
    call(prompt, f, ...)
  end }

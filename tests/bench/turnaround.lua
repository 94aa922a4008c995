-- Loaded before a lab by tests/bench/turnaround, as a module of gpulab's own, for which debug is whole: measures where the
-- time between a save and its number goes, by wrapping what Lua calls in C. `print(turnaround())` tells it in milliseconds and
-- begins anew.
local host = require "gpulab.host"
local json = require "gpulab.base.json"

local spent, first, last = {}, nil, nil

local function add(what, seconds) spent[what] = (spent[what] or 0) + seconds * 1e3 end

-- The method, with its time added to `what`. More may be taken from its result.
local function timed(method, what, more)
  return function(...)
    local began = host.seconds()
    first = first or began
    local results = table.pack(method(...))
    last = host.seconds()
    add(what, last - began)
    if more then more(results[1]) end
    return table.unpack(results, 1, results.n)
  end
end

local function compiled(kernel)
  local ms = kernel.module.ms
  add("NVRTC", ms / 1e3)
  add("load", -ms / 1e3)
end

local wrapped = {
  ["gpulab.device"] = { kernel = { "load", compiled }, compile_ahead = { "NVRTC" }, buffer = { "fill" }, time = { "samples" },
    count = { "count" }, run = { "launch" }, check = { "check" } },
  ["gpulab.buffer"] = { fill = { "fill" }, upload = { "fill" }, download = { "download" },
    digest = { "verify" }, mismatch = { "verify" } },
  ["gpulab.kernel"] = { launch = { "launch" } },
  ["gpulab.array"] = { mismatch = { "verify" } },
}

local registry = debug.getregistry()
for class, methods in pairs(wrapped) do
  local index = registry[class].__index
  registry[class].__index = function(box, name)
    local value, how = index(box, name), methods[name]
    return how and timed(value, how[1], how[2]) or value
  end
end

rawset(_G, "seconds", host.seconds)
rawset(_G, "turnaround", function()
  spent.between = first and (last - first) * 1e3 or 0
  local row = json.encode(spent):gsub("%s*\n%s*", " ")
  spent, first, last = {}, nil, nil
  return row
end)

-- Arrays of a client as arguments of a launch: bytes in base64, little endian, with NumPy's name of the type.
local failure = require "gpulab.base.failure"
local frames = require "gpulab.frames"
local host = require "gpulab.host"
local json = require "gpulab.base.json"
local lists = require "gpulab.base.lists"

local types_of <const> = { float32 = "float", float64 = "double", float16 = "half", int8 = "char",
  uint8 = "unsigned char", int16 = "short", uint16 = "unsigned short", int32 = "int", uint32 = "unsigned",
  int64 = "long long", uint64 = "unsigned long long", bool = "unsigned char" }

local arrays = {}

local function buffer_of(argument, i)
  local name = types_of[argument.dtype]
  if not name then
    failure.usage(("argument %d: dtype %s is not known"):format(i, tostring(argument.dtype)),
      "it is one of float16, float32, float64, int8 to int64, uint8 to uint64, and bool")
  end
  local bytes = type(argument.data) == "string" and frames.bytes(argument.data) or ""
  local size = tonumber(argument.dtype:match "%d+" or 8) // 8
  if bytes == "" or #bytes % size ~= 0 then
    failure.usage(("argument %d is no array with elements"):format(i), "data has the bytes of all elements in base64")
  end
  local buffer = gpu.buffer(name, #bytes // size, { name = "argument " .. i })
  buffer:upload(bytes)
  return buffer
end

---@param arguments table[] @return table for a launch
function arrays.buffers(arguments)
  return lists.map(arguments, function(argument, i)
    return type(argument) == "table" and buffer_of(argument, i) or argument
  end)
end

---The arrays whose bytes the launch changed, with the index of the argument, from 0.
---@param arguments table[] @param list table what arrays.buffers made of them
function arrays.written(arguments, list)
  local out = json.list {}
  for i, argument in ipairs(arguments) do
    local bytes = type(argument) == "table" and host.array_bytes(list[i]:download())
    if bytes and bytes ~= frames.bytes(argument.data) then
      out[#out + 1] = json.object("index", i - 1, "dtype", argument.dtype, "data", frames.base64(bytes))
    end
  end
  return out
end

return arrays

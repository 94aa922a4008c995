-- Arrays of a client as arguments of a launch: bytes in base64, little endian, with NumPy's name of the type.
local failure = require "gpulab.base.failure"
local frames = require "gpulab.frames"
local host = require "gpulab.host"
local json = require "gpulab.base.json"

local types_of <const> = { float32 = "float", float64 = "double", float16 = "half", int8 = "char",
  uint8 = "unsigned char", int16 = "short", uint16 = "unsigned short", int32 = "int", uint32 = "unsigned",
  int64 = "long long", uint64 = "unsigned long long", bool = "unsigned char" }

local arrays = {}

local function count_of(argument, i)
  local count = 1
  if type(argument.shape) ~= "table" then failure.usage(("argument %d has no shape, a list of numbers"):format(i)) end
  for _, n in ipairs(argument.shape) do
    if math.type(n) ~= "integer" or n < 0 or n > 1 << 31 then
      failure.usage(("argument %d: shape is a list of numbers of elements"):format(i))
    end
    count = math.min(count * n, 1 << 31) -- more than a message holds
  end
  return count
end

local function buffer_of(argument, i)
  local name = types_of[argument.dtype]
  if not name then
    failure.usage(("argument %d: dtype %s is not known"):format(i, tostring(argument.dtype)),
      "it is one of float16, float32, float64, int8 to int64, uint8 to uint64, and bool")
  end
  local bytes = type(argument.data) == "string" and frames.bytes(argument.data)
  if not bytes then failure.usage(("argument %d: data is base64"):format(i)) end
  local count = count_of(argument, i)
  local buffer = count <= #bytes and gpu.buffer(name, count)
  if not buffer or #bytes ~= buffer.bytes then
    failure.usage(("argument %d has %d bytes, which do not fit its shape and dtype"):format(i, #bytes))
  end
  buffer:upload(bytes)
  return buffer, bytes
end

local sent = setmetatable({}, { __mode = "k" }) -- by buffer: the bytes that it had

---@param arguments table[] @return table for a launch
function arrays.buffers(arguments)
  local list = {}
  for i, argument in ipairs(arguments) do
    list[i] = argument
    if type(argument) == "table" then
      local bytes
      list[i], bytes = buffer_of(argument, i)
      sent[list[i]] = bytes
    end
  end
  return list
end

---The arrays whose bytes the launch changed, with the index of the argument, from 0.
---@param arguments table[] @param list table what arrays.buffers made of them
function arrays.written(arguments, list)
  local out = json.list {}
  for i, argument in ipairs(arguments) do
    local bytes = type(argument) == "table" and host.array_bytes(list[i]:download())
    if bytes and bytes ~= sent[list[i]] then
      out[#out + 1] = json.object("index", i - 1, "dtype", argument.dtype, "shape", json.list(argument.shape),
        "data", frames.base64(bytes))
    end
  end
  return out
end

return arrays

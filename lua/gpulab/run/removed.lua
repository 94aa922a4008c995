-- What CUDA 12 and 13 removed or changed, by what nvcc says of code that has it: what to write, and where there is
-- one, the flag with which the file compiles as it is.
local removed = {}

-- Members of cudaDeviceProp, with the attributes that replace them.
local ATTRIBUTES <const> = { clockRate = "cudaDevAttrClockRate", memoryClockRate = "cudaDevAttrMemoryClockRate",
  deviceOverlap = "cudaDevAttrGpuOverlap", computeMode = "cudaDevAttrComputeMode",
  kernelExecTimeoutEnabled = "cudaDevAttrKernelExecTimeout",
  singleToDoublePrecisionPerfRatio = "cudaDevAttrSingleToDoublePrecisionPerfRatio",
  cooperativeMultiDeviceLaunch = "cudaDevAttrCooperativeLaunch" }

local FUNCTIONS <const> = { cudaThreadSynchronize = "cudaDeviceSynchronize", cudaThreadExit = "cudaDeviceReset",
  cudaThreadSetLimit = "cudaDeviceSetLimit", cudaThreadGetLimit = "cudaDeviceGetLimit",
  cudaThreadSetCacheConfig = "cudaDeviceSetCacheConfig", cudaThreadGetCacheConfig = "cudaDeviceGetCacheConfig" }

local function of_member(name)
  return ("CUDA 13 has no cudaDeviceProp::%s: cudaDeviceGetAttribute(&value, %s, 0) gives it; to compile the file as "
    .. "it is, with a wrong value: --nvcc \"-D%s=warpSize\""):format(name, ATTRIBUTES[name], name)
end

local function of_function(name)
  return ("CUDA 13 has no %s: call %s, or compile with --nvcc \"-D%s=%s\""):format(name, FUNCTIONS[name], name,
    FUNCTIONS[name])
end

-- What nvcc says, and what it means. A text of the source, which nvcc shows, counts only in an error's lines.
local CHANGES <const> = {
  { "to \"cudaMemLocation\"", "since CUDA 13 cudaMemPrefetchAsync and cudaMemAdvise take a cudaMemLocation for the "
    .. "device: cudaMemLocation to = { cudaMemLocationTypeDevice, device }; cudaMemPrefetchAsync(p, bytes, to, 0, "
    .. "stream); for the host { cudaMemLocationTypeHost, 0 }" },
  { "cuCtxCreate", "since CUDA 13 cuCtxCreate takes parameters before the flags: cuCtxCreate(&context, NULL, flags, "
    .. "device)" },
  { "function(\"cudaDeviceSynchronize", "CUDA 12 removed cudaDeviceSynchronize from kernels: end the kernel there, and "
    .. "launch the rest from the host in the same stream" },
  { "texture is not a template", "CUDA 12 removed texture references: make a texture object "
    .. "(cudaCreateTextureObject), and pass the cudaTextureObject_t to the kernel" } }

---@param said string what nvcc printed @return string[] one sentence for each thing that was removed
function removed.hints(said)
  local hints, known = {}, {}
  local function add(hint)
    if hint and not known[hint] then hints[#hints + 1], known[hint] = hint, true end
  end
  for name in said:gmatch "cudaDeviceProp\"? has no member \"([%w_]+)\"" do
    add(ATTRIBUTES[name] and of_member(name))
  end
  for name in said:gmatch "identifier \"([%w_]+)\" is undefined" do add(FUNCTIONS[name] and of_function(name)) end
  for _, change in ipairs(CHANGES) do
    add(said:find(change[1], 1, true) and change[2])
  end
  return hints
end

return removed

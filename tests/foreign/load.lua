-- How many .cu files of public repositories load as they are. By hand:
--
--     find FOLDER -name '*.cu' | gpulab --device emu tests/foreign/load.lua [INCLUDE FOLDER...]
--
-- Prints one line per file, with the reason where a file does not load, and the totals.
local loaded, refused, kernels = 0, 0, 0
local include = { table.unpack(arg) }

-- The first line of a message, without the path in front.
local function reason(problem)
  local message = type(problem) == "table" and problem.message or tostring(problem)
  return message:match("error: ([^\n]*)") or message:match("[^\n]*")
end

for path in io.lines() do
  local ok, module = pcall(gpu.compile, path, { include = include })
  if ok then
    loaded, kernels = loaded + 1, kernels + math.max(#module.names, #module.kernels)
    print(("loads    %s: %d kernels"):format(path, math.max(#module.names, #module.kernels)))
  else
    refused = refused + 1
    print(("refused  %s: %s"):format(path, reason(module)))
  end
end
print(("%d files load, with %d kernels; %d are refused"):format(loaded, kernels, refused))

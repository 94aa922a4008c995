-- Whether .cu files load as they are, for tests/foreign/run: load.lua [INCLUDE FOLDER...] < LIST
--
-- A line for each file of the list: "loads" and how many kernels it has, or "does not compile" and the first error, with a
-- tab between them.
local include = { table.unpack(arg) }

-- The first line of a message, without the path in front.
local function reason(problem)
  local message = type(problem) == "table" and problem.message or tostring(problem)
  return message:match("error: ([^\n]*)") or message:match("[^\n]*")
end

for path in io.lines() do
  local ok, module = pcall(gpu.compile, path, { include = include })
  if ok then
    print(("loads\t%d"):format(math.max(#module.names, #module.kernels)))
  else
    print("does not compile\t" .. reason(module))
  end
end

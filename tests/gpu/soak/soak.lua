-- What tests/gpu/soak/soak.py calls at the prompt, loaded with the folder it lies in: soak.NAME() goes wrong in one way each,
-- soak.right(n) is the correct launch that has to work afterwards.
local folder = ...
local soak = {}
local COUNT <const> = 1024

local module = gpu.compile(folder .. "/soak.cu")
local odata = gpu.buffer("int", COUNT, { name = "odata", fill = 0 })
local bytes = gpu.buffer("char", COUNT, { name = "bytes", fill = 0 })
local kept = gpu.buffer("int", COUNT, { name = "kept", fill = "iota" })

local function launch(name, config, ...)
  return module:kernel(name)(config)(...)
end

local one, all = { grid = 1, block = 32, timeout = 5000 }, { grid = COUNT // 256, block = 256 }

function soak.past_end() launch("past_end", all, odata) end
function soak.far_away() launch("far_away", one, odata) end
function soak.misaligned() launch("misaligned", one, bytes) end
function soak.trapped() launch("trapped", one, odata) end
function soak.asserted() launch("asserted", one, odata) end
function soak.stack() launch("stack", { grid = 1, block = 32, timeout = 2000 }, odata) end
function soak.timeout() launch("forever", { grid = 1, block = 32, timeout = 300 }, odata) end
function soak.hang() launch("forever", { grid = 1, block = 32, timeout = 600000 }, odata) end
function soak.threads() launch("put", { grid = 1, block = 2000 }, odata, 1) end
function soak.shared() launch("put", { grid = 1, block = 32, shared = 1 << 20 }, odata, 1) end
function soak.memory() gpu.buffer("double", 1 << 45, { name = "huge" }) end
function soak.compile() gpu.compile_text("__global__ void broken(int *odata) { odata[0] = 1 }") end
function soak.arguments() launch("put", all, odata) end
function soak.number() launch("put", all, odata, 1.5) end

-- Prints "round N right" if a correct launch gives what it should, and a buffer that no kernel wrote holds what it did.
function soak.right(round)
  launch("put", all, odata, round)
  local sum = odata:download():sum()
  print(("round %d %s"):format(round, sum == COUNT * round and kept[COUNT - 1] == COUNT - 1 and "right" or "WRONG"))
end

-- So that what is left is not what the collector has not come to.
function soak.tidy()
  collectgarbage()
  collectgarbage()
  print "tidied"
end

return soak

-- The labs together: none is missing, and no file of an exercise is left over. Each by itself: `--verify-labs NN`.
local found = require("gpulab.author.verify_labs").whole()
print("1..1")
print((#found == 0 and "ok" or "not ok") .. " 1 - labs as a whole")
for _, problem in ipairs(found) do print("# " .. problem) end

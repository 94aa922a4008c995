-- A lab with one racy step whose result is right on the emulator by luck, and one that is in order: for --check.
local function reversed(params)
  local want = gpu.array("int", params.n)
  for i = 1, params.n do want[i - 1] = params.n - i end
  return want
end

local function step(id, title, name)
  return { id = id, title = title, text = "Reverses a block.", kernel = { file = "reverse.cu", name = name }, grid = 1, block = 32,
    args = { "out", "input" }, output = "out", reference = reversed,
    useful_bytes = function(params) return 8 * params.n end }
end

return lab.define {
  id = "reverse", number = 99, title = "Reverse", intro = "A block is reversed in shared memory.",
  params = { n = { default = 32, min = 32, max = 32, help = "elements" } },
  buffers = { out = { type = "int", count = "n" }, input = { type = "int", count = "n", fill = "iota" } },
  steps = { step("racy", "no barrier", "reverse"), step("ordered", "with a barrier", "ordered") },
}

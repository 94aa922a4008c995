-- The numbers of the lectures. Each is one record here and nowhere else; labs name it by its id.
--
--   id      SOURCE.topic.name
--   value   the number as it stands on the slide, in unit
--   gpu     the GPU it was measured on or computed for; nil where it holds for a whole generation
--   n       problem size (elements on a side for matrices); nil where the slide gives none or it means nothing
--   block   threads in x and y; nil where the slide gives none: then assumed says what a reproduction has to suppose
--   source  short name of the lecture (lecture.sources), slide its title there
--   also    further lectures that repeat the number
--   note    what a reader has to know beside the number
local text = require "gpulab.text"

local lecture = {}

lecture.sources = {
  F10 = { file = "002_60558f90cc30f0e7.txt", author = "Jiří Filipovič",
    title = "GPU Hardware and Parallelism", year = 2010 },
  F22 = { file = "000_19b27caea07a567b.txt", author = "Jiří Filipovič",
    title = "GPU Hardware Performance II", year = 2022 },
  F24 = { file = "003_4145153925a3a05d.txt", author = "Jiří Filipovič",
    title = "GPU Hardware Performance II", year = 2024 },
  O24 = { file = "004_2733cb6020922064.txt", author = "Jiří Filipovič",
    title = "Code optimization for GPUs", year = 2024 },
  CSU = { file = "001_a8f4e2e1356b6c11.txt", author = "Wim Bohm and Sanjay Rajopadhye",
    title = "CUDA Matmult Reg / Shared", year = 2010 },
}

lecture.units = { ["GB/s"] = "bandwidth", GFLOPS = "arithmetic", ["×"] = "ratio", banks = "count", way = "count",
  threads = "count", ["Gelem/s"] = "elements" }

local claims, order = {}, {}

-- Adds records that share what `common` says.
local function add(common, records)
  for _, record in ipairs(records) do
    for key, value in pairs(common) do
      if record[key] == nil then record[key] = value end
    end
    assert(not claims[record.id], record.id)
    claims[record.id] = record
    order[#order + 1] = record
  end
end

-- Shared memory banks -----------------------------------------------------------------------------

add({ source = "O24", slide = "HW Organization of Shared Memory", unit = "banks" }, {
  { id = "O24.banks.cc1", value = 16, note = "compute capability 1.x" },
  { id = "O24.banks.cc2", value = 32, note = "compute capability 2.0 and later" },
})
add({ source = "O24", slide = "Access Patterns", also = {} }, {
  { id = "O24.banks.broadcast_cc1", value = 16, unit = "threads",
    note = "cc 1.x: one variable is read without conflict only by a multiple of so many threads" },
})
add({ source = "F22", slide = "Shared Memory", also = { "F24", "O24" }, gpu = "GTX 280", block = { 32, 8 } }, {
  { id = "F22.transpose.conflict", value = 16, unit = "way", n = 4000,
    note = "for the 16 banks of the GTX 280; 32-way since Fermi" },
})

-- Matrix transposition ----------------------------------------------------------------------------

local transpose = { source = "F22", also = { "F24", "O24" }, unit = "GB/s", gpu = "GTX 280", n = 4000 }

add(transpose, {
  { id = "F22.transpose.naive", value = 5.3, slide = "Performance", assumed = "blocks of 256 × 1 threads" },
  { id = "F22.transpose.copy", value = 112.4, slide = "Performance", assumed = "blocks of 256 × 1 threads" },
  { id = "F22.transpose.both_strided", value = 2.7, slide = "Performance", assumed = "blocks of 256 × 1 threads" },
  { id = "F22.transpose.tile32", value = 75.1, slide = "Performance", block = { 32, 8 },
    note = "the best tile and block found" },
  { id = "F22.transpose.copy_tile", value = 94.9, slide = "Performance", block = { 32, 8 } },
  { id = "F22.transpose.tile33", value = 93.4, slide = "Performance", block = { 32, 8 } },
})
-- Which multiple was measured is not said: n is one that the slide's wording admits.
local drops = { source = "F22", also = { "F24" }, slide = "Performance Drops", unit = "GB/s", gpu = "GTX 280",
  block = { 32, 8 } }
add(drops, {
  { id = "F22.transpose.camping512", value = 19, n = 4096, note = "n a multiple of 512: here 4096" },
  { id = "F22.transpose.camping256", value = 35, n = 3840, note = "n a multiple of 256, not of 512: here 3840" },
  { id = "F22.transpose.camping128", value = 62, n = 3968, note = "n a multiple of 128, not of 256: here 3968" },
})
add({ source = "F22", also = { "F24" }, gpu = "GTX 280" }, {
  { id = "F22.transpose.diagonal", value = 80, unit = "GB/s", slide = "Performance", n = 4096, block = { 32, 8 },
    note = "no drop at the multiples of 128; 4096 stands for them" },
  { id = "F22.transpose.speedup", value = 17.6, unit = "×", slide = "Performance Summary", n = 4000,
    note = "naive to best: 93.4 over 5.3" },
})

-- Reduction ---------------------------------------------------------------------------------------

local elements_note = "the slide prints MElem/s; 4-byte elements at this bandwidth are so many G elements/s"
local reduction = {
  { "modulo", 3.77, 0.94, "Performance" },
  { "strided", 8.33, 2.08, "Implementation" },
  { "sequential", 16.34, 4.08, "Implementation 3" },
  { "add_on_load", 27.16, 6.79, "Implementation 4" },
  { "last_warp", 37.68, 9.42, "Implementation 5" },
  { "unrolled", 50.64, 12.66, "Implementation 6" },
  { "many_per_thread", 77.21, 19.3, "Implementation 7" },
}
for step, row in ipairs(reduction) do
  local name, bandwidth, elements, slide = table.unpack(row)
  local common = { source = "O24", slide = slide, gpu = "GTX 280",
    assumed = (step == #reduction and "64 " or "") .. "blocks of 128 × 1 threads, 2^24 elements" }
  add(common, {
    { id = ("O24.reduce%d.%s"):format(step, name), value = bandwidth, unit = "GB/s" },
    { id = ("O24.reduce%d.%s.elements"):format(step, name), value = elements, unit = "Gelem/s", note = elements_note },
  })
end

-- Matrix multiplication ---------------------------------------------------------------------------

local square = "n = 2048"

local matmul = { source = "F22", also = { "F24" }, gpu = "GTX 280", unit = "GFLOPS", assumed = square }
add(matmul, {
  { id = "F22.matmul.naive_1x128", value = 3.9, slide = "Recapitulation", block = { 1, 128 } },
  { id = "F22.matmul.naive_128x1", value = 36.6, slide = "Recapitulation", block = { 128, 1 } },
  { id = "F22.matmul.tiled", value = 198, slide = "Recapitulation", block = { 16, 16 } },
  { id = "F22.matmul.two_per_thread", value = 235.4, slide = "Searching for Better Implementation",
    block = { 32, 16 } },
  { id = "F22.matmul.transposed_b", value = 276.2, slide = "Removing the ADD instruction", block = { 32, 16 } },
  { id = "F22.matmul.one_operand", value = 375, slide = "Can we Reach Better Performance?", block = { 64, 1 } },
})
local bound = { source = "F22", also = { "F24" }, gpu = "GTX 280", unit = "GFLOPS",
  note = "a computed bound, not a measurement" }
add(bound, {
  { id = "F22.matmul.bound.naive", value = 66.8, slide = "Recapitulation" },
  { id = "F22.matmul.bound.tiled", value = 568, slide = "Recapitulation" },
  { id = "F22.matmul.bound.peak", value = 622, slide = "Theoretical Peak" },
  { id = "F22.matmul.bound.shared_operand", value = 415, slide = "Theoretical Peak" },
  { id = "F22.matmul.bound.load_per_mad", value = 244, slide = "Performance Pitfalls" },
  { id = "F22.matmul.bound.load_per_two_mads", value = 311, slide = "Searching for Better Implementation" },
})

add({ source = "CSU", gpu = "Tesla C1060", unit = "GFLOPS", n = 2048, slide = "Performance" }, {
  { id = "CSU.matmul.reg_shared", value = 265, block = { 64, 1 } },
  { id = "CSU.matmul.unrolled", value = 321, block = { 64, 1 } },
  { id = "CSU.matmul.wide", value = 372, block = { 16, 4 },
    note = "the slide's 4x16 is rows by columns, like its C and A" },
  { id = "CSU.matmul.cublas", value = 354, assumed = "the library's own blocks" },
})

-- Asking ------------------------------------------------------------------------------------------

---The record of a claim, or nil and a sentence that says which id may have been meant.
---@param id string
function lecture.find(id)
  if claims[id] then return claims[id] end
  local ids = {}
  for i, record in ipairs(order) do ids[i] = record.id end
  local near = type(id) == "string" and text.nearest(id, ids)
  return nil, ("no claim %q in lecture.lua%s"):format(tostring(id), near and (", did you mean %q?"):format(near) or "")
end

---Every record, in the order of the file.
function lecture.all()
  return table.move(order, 1, #order, 1, {})
end

---Where a claim stands, for people: Filipovič, GPU Hardware Performance II (2022), slide "Performance".
function lecture.cite(claim)
  local source = lecture.sources[claim.source]
  return ("%s, %s (%d), slide “%s”"):format(source.author, source.title, source.year, claim.slide)
end

---What is wrong with a record, as a sentence, or nil.
function lecture.fault(claim)
  local function bad(what) return ("%s: %s"):format(tostring(claim.id), what) end
  if type(claim.id) ~= "string" or not claim.id:match("^%w+%.[%w_.]+$") then
    return bad("id is not SOURCE.topic.name")
  end
  if not (type(claim.value) == "number" and claim.value > 0) then return bad("value is not positive") end
  if not lecture.units[claim.unit] then return bad("unknown unit " .. tostring(claim.unit)) end
  if not lecture.sources[claim.source] then return bad("unknown source " .. tostring(claim.source)) end
  if claim.id:match("^%w+") ~= claim.source then return bad("id does not begin with its source") end
  if type(claim.slide) ~= "string" or claim.slide == "" then return bad("no slide title") end
  for _, short in ipairs(claim.also or {}) do
    if not lecture.sources[short] then return bad("unknown source " .. short) end
  end
  local block = claim.block
  if block and not (math.type(block[1]) == "integer" and math.type(block[2]) == "integer" and #block == 2) then
    return bad("block is not two integers")
  end
  local a_rate = claim.unit == "GB/s" or claim.unit == "GFLOPS"
  local computed = claim.note == bound.note
  if a_rate and not computed and not block and not claim.assumed then return bad("neither block nor assumed") end
end

return lecture

-- The claims of the lectures. Each is one record in claims/NN.lua, the file of the lab that shows it; labs refer to it
-- by its id.
--
--   id         SOURCE.topic.name
--   value      the number on the slide, in unit (lecture.units)
--   statement  instead of a value: the claim in our words
--   gpu        the GPU it was measured on or computed for; nil if it holds for a whole generation
--   n          problem size (elements on a side for matrices); nil where the slide gives none or it means nothing
--   every      the number holds for each multiple of this, of which n is one
--   block      threads in x and y; nil where the slide gives none: then assumed says what a reproduction has to suppose
--   computed   true of a number that the lecturer computed and did not measure
--   source     short name of the lecture or paper (lecture.sources)
--   slide      the title of the slide; or place, where a paper has it: "page 7", "Table 1"
--   also       further lectures that repeat it
--   note       a remark for the reader
--   lab        the number of its lab: the file's, set here
--
-- A file returns function(add); add(common, records) adds records that share the fields of `common`.
local lists = require "gpulab.base.lists"
local modules = require "gpulab.base.modules"
local text = require "gpulab.base.text"

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
  H07 = { author = "Mark Harris", title = "Parallel Prefix Sum (Scan) with CUDA", year = 2007 },
  MG16 = { author = "Duane Merrill and Michael Garland",
    title = "Single-pass Parallel Prefix Scan with Decoupled Look-back", year = 2016 },
  PTX = { author = "NVIDIA", title = "Parallel Thread Execution ISA 9.0", year = 2025 },
  CUDA = { author = "NVIDIA", title = "CUDA C++ Programming Guide", year = 2025 },
  Luo24 = { author = "Weile Luo et al.", title = "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture",
    year = 2024 },
  W07 = { author = "Victor Podlozhnyuk", title = "Image Convolution with CUDA", year = 2007 },
  DS24 = { file = "arXiv:2412.19437", author = "DeepSeek-AI", title = "DeepSeek-V3 Technical Report", year = 2024 },
}

lecture.units = { ["GB/s"] = "bandwidth", GFLOPS = "arithmetic", ["×"] = "ratio", banks = "count", way = "count",
  threads = "count", ["Gelem/s"] = "elements", ["%"] = "count", ms = "duration", cycles = "count", transfers = "count",
  sectors = "count", bytes = "count", ["flops/float"] = "count" }

lecture.labs = {} -- the numbers of the labs that have claims, in order

local claims, order = {}, {}

local function adder(lab)
  return function(common, records)
    for _, record in ipairs(records) do
      for key, value in pairs(common) do
        if record[key] == nil then record[key] = value end
      end
      record.lab = lab
      assert(not claims[record.id], record.id)
      claims[record.id] = record
      order[#order + 1] = record
    end
  end
end

for _, name in ipairs(lists.keys(modules "gpulab.claims")) do
  local number = assert(math.tointeger(tonumber(name:match "%d+$")), name)
  lecture.labs[#lecture.labs + 1] = number
  require(name)(adder(number))
end

-- Asking ------------------------------------------------------------------------------------------

---The record of a claim, or nil and a message with the nearest id. A table is a claim of a lab's own (lecture.own).
---@param id string|OwnClaim
function lecture.find(id)
  if type(id) == "table" then return id end
  if claims[id] then return claims[id] end
  local ids = lists.map(order, "id")
  local near = type(id) == "string" and text.nearest(id, ids)
  return nil, ("there is no claim %q%s"):format(tostring(id),
    near and (", did you mean %q?"):format(near) or "")
end

---Every record, in the order of the labs.
function lecture.all()
  return lists.append({}, order)
end

---The claim as a table shows it: its number, or "" where it has none.
function lecture.number(claim)
  return claim and claim.value and text.number(claim.value) or ""
end

---Where a source has the claim: slide “Performance”, or page 7.
function lecture.place(claim)
  return claim.place or ("slide “%s”"):format(claim.slide)
end

---The source of a claim, for people: Filipovič, GPU Hardware Performance II (2022), slide “Performance”; of a lab's own
---what it says.
function lecture.cite(claim)
  local source = lecture.sources[claim.source]
  if not claim.id or not source then return claim.source end
  return ("%s, %s (%d), %s"):format(source.author, source.title, source.year, lecture.place(claim))
end

---A claim with a number in one line: its value and unit, the GPU, its size, and the source.
function lecture.line(claim)
  local gpu, n = claim.gpu and ", " .. claim.gpu or "", claim.n and (", n = %d"):format(claim.n) or ""
  return ("%s %s%s%s; %s"):format(text.number(claim.value), claim.unit, gpu, n, lecture.cite(claim))
end

-- The fields of a claim that a lab makes itself, and the type of each.
local OWN <const> = { value = "number", unit = "string", gpu = "string", source = "string", n = "number" }
local OPTIONAL <const> = { n = true }

local function fault_of_field(claim, name)
  local given = claim[name]
  if given == nil then return not OPTIONAL[name] and ("%s is missing"):format(name) or nil end
  if type(given) ~= OWN[name] then return ("%s must be a %s, got a %s"):format(name, OWN[name], type(given)) end
  if type(given) == "string" and (given:match "^%s*$" or given:find "%c" or #given > 80) then
    return name .. " must be a text of one line, at most 80 bytes"
  end
end

-- Far beyond what any GPU does, and what a column of a table has room for.
local LEAST <const>, MOST <const> = 1e-6, 1e12

local function fault_of_range(claim)
  if not (claim.value >= LEAST and claim.value <= MOST) then
    return ("value must be from %g to %g"):format(LEAST, MOST)
  end
  if claim.n and not (claim.n >= 1 and claim.n <= MOST) then return ("n must be from 1 to %g"):format(MOST) end
  if not lecture.units[claim.unit] then
    return ("unit must be one of %s"):format(text.list(lists.keys(lecture.units)))
  end
  if not claim.gpu:match "^%w" then return "gpu must begin with a letter or digit" end
end

---What is wrong with a claim of a lab's own, {value, unit, gpu, source, n?}, as a sentence, or nil. A GPU that has a
---model is also predicted.
---@param claim table @return string?
function lecture.own(claim)
  local known = lists.keys(OWN)
  for name in pairs(claim) do
    local near = not OWN[name] and text.nearest(tostring(name), known)
    if not OWN[name] then
      return ("a claim has no field %s%s"):format(text.printable(tostring(name)),
        near and (", did you mean %s?"):format(near) or ": it has " .. text.list(known))
    end
  end
  for _, name in ipairs(known) do
    local reason = fault_of_field(claim, name)
    if reason then return reason end
  end
  return fault_of_range(claim)
end

return lecture

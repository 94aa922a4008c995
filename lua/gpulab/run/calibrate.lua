-- What a GPU reaches on this machine: a large copy, reads from L2, an empty launch. The values are stored in
-- GPULAB_HOME, loaded at every start, and given to the model of that GPU.
--
-- GPULAB_HOME/calibration/NAME.txt: lines of the form "value = number", and nothing else.
local failure = require "gpulab.base.failure"
local fs = require "gpulab.fs"
local host = require "gpulab.host"
local journal = require "gpulab.run.journal"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local calibrate = {}

local VALUES <const> = { "copy_gbps", "l2_gbps", "launch_us" }
local WORDS <const> = { copy_gbps = { "large copy", "GB/s" }, l2_gbps = { "L2 read", "GB/s" },
  launch_us = { "empty launch", "µs" } }

local ATTAINED <const> = 0.82  -- of l2_gbps, by loads; as in src/model/internal.h
local COPIED <const> = 1 << 28 -- bytes: several times any L2
local ITERATIONS <const>, THREADS <const> = 65, 256
local WALL <const> = 0.5 -- seconds for each value, at most
local LONGEST <const> = 4096 -- bytes of a profile

-- Measuring ---------------------------------------------------------------------------------------

local function peak_kernel(device, name)
  local options = { defines = { ITERATIONS = 16 }, names = { name } }
  return device:compile(where.find("peaks.cu", "kernels"), options):kernel(name)
end

local function copy_rate(device)
  local kernel = peak_kernel(device, "copy")
  local from = device:buffer("float", COPIED // 4, { name = "from", fill = 0 })
  local to = device:buffer("float", COPIED // 4, { name = "to" })
  local n = COPIED // 16
  local ms = device:time(kernel, { grid = (n + THREADS - 1) // THREADS, block = THREADS }, { to, from, n },
    { wall = WALL }).ms
  from:free()
  to:free()
  return 2 * COPIED / ms / 1e6
end

-- The time of many iterations minus that of one: both include the first iteration, which reads from DRAM.
local function l2_rate(device)
  local bytes = device.l2_bytes // 2 // 4096 * 4096
  if bytes == 0 then return nil end
  local kernel = device:kernel(where.find("calibrate.cu", "kernels"), "read_l2")
  local config = { grid = device.sms * 8, block = THREADS }
  local from = device:buffer("float", bytes // 4, { name = "from", fill = 0 })
  local sums = device:buffer("float", config.grid * THREADS, { name = "sums" })
  local function time(iterations)
    return device:time(kernel, config, { sums, from, bytes // 16, iterations }, { wall = WALL }).ms
  end
  local ms = time(ITERATIONS) - time(1)
  from:free()
  sums:free()
  return ms > 0 and (ITERATIONS - 1) * bytes / ms / 1e6 / ATTAINED or nil
end

local function launch_time(device)
  local empty = device:time(peak_kernel(device, "nothing"), { grid = 1, block = 32 }, {}, { wall = WALL })
  return (empty.cold or empty.ms) * 1e3
end

---The values of a real GPU: GB/s and microseconds. Raises on the emulator.
---@param device Device @return table<string, number>
function calibrate.measure(device)
  if not device.measures then
    failure.raise("setup", "calibrate needs a real GPU; the current device is the emulator", nil,
      "run it on a machine with a GPU: gpulab --device cuda:0")
  end
  if not device.model then
    failure.raise("setup", ("there is no model of the %s to calibrate"):format(device.gpu), nil,
      "gpu.models() lists the GPUs with a model")
  end
  local found = { copy_gbps = copy_rate(device), l2_gbps = l2_rate(device), launch_us = launch_time(device) }
  local peak = gpu.model(device.model).dram_gbps
  if found.copy_gbps > peak then found.copy_gbps = peak end -- a datasheet's number is a rounded one
  return found
end

-- Profiles ----------------------------------------------------------------------------------------

local function folder()
  local home, reason = journal.folder()
  return home and home .. "/calibration", reason
end

local function path_of(name)
  local kept, reason = folder()
  return kept and ("%s/%s.txt"):format(kept, (name:gsub("[^%w]", "-"))), reason
end

---The values of a profile's text, or nil and what is wrong with it.
---@param content string @return table?, string?
function calibrate.parse(content)
  local profile = {}
  for line in content:gmatch("[^\r\n]+") do
    local key, given = line:match("^([%w_]+) = (.+)$")
    if key == "gpu" then
      profile.gpu = given
    elseif WORDS[key or ""] then
      local number = given:match("^%d+%.?%d*$") and tonumber(given)
      if not number then return nil, ("%s is not a number: %s"):format(key, text.clip(given, 30)) end
      profile[key] = number
    else
      return nil, "not a value: " .. text.clip(line, 40)
    end
  end
  if not profile.gpu then return nil, "it does not name a GPU" end
  return profile
end

local function write(name, found)
  local kept, path = folder(), path_of(name)
  if not kept then return nil end
  local lines = { "gpu = " .. name }
  for _, key in ipairs(VALUES) do
    if found[key] then lines[#lines + 1] = ("%s = %.6f"):format(key, found[key]) end
  end
  fs.make_folder(kept)
  fs.write(path, table.concat(lines, "\n") .. "\n")
  return path
end

local function read(path)
  local content, reason = fs.read(path, LONGEST)
  if not content then return nil, reason end
  return calibrate.parse(content)
end

---Gives the models the values measured on this machine. Skips profiles it cannot use; returns a warning for each.
---@return string[]
function calibrate.load()
  local kept = folder()
  local warnings = {}
  if not kept or host.kind(kept) ~= "folder" then return warnings end
  for _, name in ipairs(host.list(kept)) do
    local path = kept .. "/" .. name
    if name:match("%.txt$") then
      local profile, wrong = read(path)
      local ok, e = profile ~= nil, wrong
      if profile then ok, e = pcall(gpu.calibrate, profile) end
      if not ok then
        local reason = type(e) == "table" and e.message or tostring(e)
        warnings[#warnings + 1] = ("skipped the calibration %s: %s"):format(path, reason)
      end
    end
  end
  return warnings
end

-- The command -------------------------------------------------------------------------------------

---What was changed, as a table.
---@param name string @param before table the GPU's values before @param now table @param found table
---@return string[]
function calibrate.lines(name, before, now, found, options)
  local rows = {}
  for _, key in ipairs(VALUES) do
    local was, is = before[key], now[key]
    if found[key] then
      rows[#rows + 1] = { WORDS[key][1], WORDS[key][2], was > 0 and ("%.4g"):format(was) or "unknown",
        ("%.4g"):format(is), was > 0 and ("%+.1f %%"):format(100 * (is / was - 1)) or "–" }
    end
  end
  local columns = tables.columns { { header = { name } }, "", ">before", ">measured here", ">" }
  return tables.render(columns, rows, options or {})
end

---Measures the device's GPU, keeps the values and gives them to its model; returns what to say.
---@param device Device @param options? table of table.render @return string[]
function calibrate.run(device, options)
  local found = calibrate.measure(device)
  local name = device.model
  local before = gpu.model(name)
  local now = gpu.calibrate { gpu = name, copy_gbps = found.copy_gbps, l2_gbps = found.l2_gbps,
    launch_us = found.launch_us }
  local path = write(name, found)
  local lines = calibrate.lines(name, before, now, found, options)
  local said = ("The model of the %s now uses these values. "):format(name) .. (path
    and ("They are stored in %s; delete the file to return to the built-in values."):format(path)
    or "They are not stored: no folder is set for them (GPULAB_HOME).")
  if before.copy_gbps == 0 then
    said = said .. " Until now the model assumed the fraction of the datasheet's bandwidth that other GPUs reach."
  end
  text.add(lines, said)
  return lines
end

return calibrate

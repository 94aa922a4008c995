-- Every seeded bug of bugs/: `show it` leads to the access that its issues are about, in the thread that the checker
-- names.
-- usage: gpulab --device emu show_it.lua FOLDER
local debugger = require "gpulab.warp.debugger"
local host = require "gpulab.host"

local folder = arg[1]
local types <const> = { f32 = "float", f64 = "double", i32 = "int", u32 = "unsigned", i64 = "long long",
  u8 = "unsigned char",
  u16 = "unsigned short" }

-- What a file says in comments, as checks.c explains.
local function read(path)
  local file = assert(io.open(path))
  local bug = { config = { grid = { 1 }, block = { 1 }, timeout = 20000 }, buffers = {}, args = {} }
  for line in file:lines() do
    local word, rest = line:match("^// @(%w+) (.+)$")
    local function numbers()
      local list = {}
      for n in rest:gmatch("%d+") do list[#list + 1] = tonumber(n) end
      return list
    end
    if word == "kernel" then bug.kernel = rest
    elseif word == "grid" or word == "block" then bug.config[word] = numbers()
    elseif word == "shared" then bug.config.shared = tonumber(rest)
    elseif word == "free" then bug.skip = "a freed buffer cannot be passed from Lua"
    elseif word == "arg" then bug.args[#bug.args + 1] = rest
    elseif word == "buffer" then
      local name, of, count, formula = rest:match("^(%S+) (%S+) (%d+) (.+)$")
      bug.buffers[name] = { type = types[of], count = tonumber(count), formula = formula }
    end
  end
  file:close()
  return bug
end

local function fill(b)
  if b.formula == "poison" then return "sentinel" end
  local f, values = assert(load("local i = ... return " .. b.formula)), {}
  for i = 0, b.count - 1 do values[i + 1] = f(i) end
  return values
end

local function open(path, bug)
  local k = gpu.kernel(path, bug.kernel)
  local made, args = {}, {}
  for i, text in ipairs(bug.args) do
    local b = bug.buffers[text]
    made[text] = made[text] or b and gpu.buffer(b.type, b.count, { name = text, fill = fill(b) })
    args[i] = made[text] or tonumber(text:match("^%w+ (.+)$"))
  end
  return debugger.open(k, bug.config, args, bug.kernel)
end

-- Is the thread there, and if bytes are known does it access them? Returns what is wrong.
local function wrong(d, issue, number)
  local site = issue.sites[number]
  local ok, m = pcall(d.show, d, issue, number)
  if not ok then
    if issue.check == "unused" and tostring(m):match("does not get to line") then return nil end -- that is the bug
    return tostring(m)
  end
  if m.line ~= site.line then return ("at line %d, not %d"):format(m.line, site.line) end
  if not site.block then return nil end
  local _, warp, lane = d:place_of(site.block, site.thread)
  if m.warp ~= warp or m.mask >> lane & 1 == 0 then return "another thread" end
  for i = 1, 3 do
    if m.block[i] ~= site.block[i] then return "another block" end
  end
  return m.halt ~= "fault" and not d:is_about(issue, { line = site.line }) and "other bytes" or nil
end

local function judged(path)
  local bug = read(path)
  if bug.skip then return true, " # SKIP " .. bug.skip end
  local opened, d = pcall(open, path, bug)
  if not opened then
    if tostring(d):match("expected, got the buffer") then return true, " # SKIP the argument's type is refused" end
    error(d, 0)
  end
  local trouble, sites = {}, 0
  for _, issue in ipairs(d:issues()) do
    for number, site in ipairs(issue.sites) do
      if site.line then
        sites = sites + 1
        local problem = wrong(d, issue, number)
        if problem then
          trouble[#trouble + 1] = ("%s at line %d, site %d: %s"):format(issue.check, site.line, number, problem)
        end
      end
    end
  end
  d:close()
  return #trouble == 0, "", trouble, sites
end

local names = {}
for _, name in ipairs(host.list(folder)) do
  if name:match("%.cu$") then names[#names + 1] = name end
end
table.sort(names)
print("1.." .. #names)
local failed = 0
for i, name in ipairs(names) do
  local ok, good, note, trouble = pcall(judged, folder .. "/" .. name)
  if not ok then good, note, trouble = false, "", { tostring(good) } end
  print(("%s %d - %s%s"):format(good and "ok" or "not ok", i, name, note))
  for _, line in ipairs(trouble or {}) do print("#   " .. line:gsub("\n", " ")) end
  if not good then failed = failed + 1 end
end
os.exit(failed == 0, true)

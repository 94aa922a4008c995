-- What each quantity of the acceptance checks is worth: how many kernels it alone refuses.
--
--     gpulab --device emu tests/verify/acceptance_tags.lua LAB [FOLDER ...] >tags.tsv     a row per kernel
--     gpulab tests/verify/acceptance_tags.lua --sum tags.tsv ...                          a row per quantity
--
-- A FOLDER has NN-exercise.cu with kernels cheat-NAME and honest-NAME; without one it is tests/exercises. The kernels
-- that the program makes itself (cheats, mutants) are tried with the first folder. Columns: exercise, kind, name, the
-- stage that refuses it, and the quantities that do.
local mutation = require "gpulab.author.mutation"
local targets = require "gpulab.lab.targets"

local function refusing(rows)
  local names = {}
  for _, row in ipairs(rows or {}) do
    if not row.ok and not names[row.name] then
      names[row.name] = true
      names[#names + 1] = row.name
    end
  end
  table.sort(names)
  return table.concat(names, ",")
end

local function try(lab, ex, folder, own)
  for _, r in ipairs(mutation.run(lab, gpu.device, ex, folder)) do
    local made = r.kind == "mutant" or r.kind == "starter" or not r.name:find "^%a+%-"
    if own or not made then
      print(table.concat({ ("%02d-%s"):format(lab.number, ex.id), r.kind, r.what or r.name, r.stage,
        refusing(r.rows) }, "\t"))
    end
  end
end

local function sum(paths)
  local kernels, alone, among = { honest = 0, solution = 0, cheat = 0, mutant = 0, starter = 0 }, {}, {}
  for _, path in ipairs(paths) do
    for line in io.lines(path) do
      local kind, stage, names = line:match "^[^\t]*\t([^\t]*)\t[^\t]*\t([^\t]*)\t(.*)$"
      kernels[kind] = kernels[kind] + 1
      local list = {}
      for name in (stage == "accept" and names or ""):gmatch "[^,]+" do
        list[#list + 1] = name
        among[name] = (among[name] or 0) + 1
      end
      if #list == 1 then alone[list[1]] = (alone[list[1]] or 0) + 1 end
    end
  end
  local names = {}
  for name in pairs(among) do names[#names + 1] = name end
  table.sort(names, function(a, b) return (alone[a] or 0) > (alone[b] or 0) end)
  print(("%d cheats, %d mutants, %d starters"):format(kernels.cheat, kernels.mutant, kernels.starter))
  print(("%-24s %8s %8s"):format("quantity", "alone", "among"))
  for _, name in ipairs(names) do print(("%-24s %8d %8d"):format(name, alone[name] or 0, among[name])) end
end

if arg[1] == "--sum" then
  sum(table.move(arg, 2, #arg, 1, {}))
else
  local path = targets.resolve(arg[1])
  local lab = targets.load(path)()
  local folders = #arg > 1 and table.move(arg, 2, #arg, 1, {}) or { mutation.folder(path) }
  for _, ex in ipairs(lab.exercises) do
    for i, folder in ipairs(folders) do try(lab, ex, folder, i == 1) end
  end
end

-- Texts of steps have at most 90 words; notes on slides and papers, and where to look in the warp view, are extra.
-- usage: gpulab --device emu texts.lua LAB...
local where = require "gpulab.base.where"

local MOST <const> = 90

-- Without paragraphs that begin with a note, or that send the reader to the warp view.
local function words(text)
  local n = 0
  for paragraph in (text .. "\n\n"):gmatch("(.-)\n%s*\n") do
    if not paragraph:match("^%s*Note on the ") and not paragraph:match("`debug ") then
      n = n + select(2, paragraph:gsub("%S+", ""))
    end
  end
  return n
end

print("1.." .. #arg)
local failed = 0
for i, path in ipairs(arg) do
  local folder = path:match("^(.*)/") or "."
  where.enter(folder)
  package.path = folder .. "/?.lua;" .. package.path
  local opened, long = dofile(path), {}
  for _, step in ipairs(opened.steps) do
    local n = type(step.text) == "string" and words(step.text) or 0
    if n > MOST then long[#long + 1] = ("%s: %d"):format(step.id, n) end
  end
  print(("%s %d - texts of %s"):format(#long == 0 and "ok" or "not ok", i, opened.title or path))
  for _, line in ipairs(long) do print("#   " .. line .. " words") end
  failed = failed + (#long > 0 and 1 or 0)
end
os.exit(failed == 0, true)

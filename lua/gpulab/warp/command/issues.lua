-- The commands that go to what the checkers report: show it, other, stop at.
local failure = require "gpulab.base.failure"
local issues = require "gpulab.warp.issues"
local moves = require "gpulab.warp.moves"
local text = require "gpulab.base.text"

local function show(s, words)
  if words[1] ~= "it" then
    failure.usage("show it [N] shows the access an issue is about", "`kill` ends stepping; then show STEP")
  end
  issues.show(s, words[2])
end

local function to_fault(s)
  local before = s.dbg.moment
  if not s.dbg:to_fault() then return text.say "  No thread of this launch faults." end
  moves.show_place(s, before)
end

local checkers <const> = { race = true, init = true, memory = true, sync = true }

local function stop(s, words)
  local what = words[1] == "at" and words[2]
  if what == "barrier" then return moves.go(s, "barrier") end
  if what == "fault" then return to_fault(s) end
  if not checkers[what] then failure.usage("stop at takes race, init, memory, sync, fault or barrier") end
  issues.show(s, what)
end

return {
  { name = "show", usage = "show it [N]", most = 2,
    summary = "run the checkers; go to the access that an issue is about", run = show },
  { name = "other", usage = "other", most = 0, summary = "the other access of that issue", run = issues.other },
  { name = "stop", usage = "stop at race|init|memory|sync|fault|barrier", most = 2,
    summary = "go to the first issue of a checker, a fault, or a barrier", run = stop },
}

-- From what a run found to its moment: issues of the checkers, wrong elements, lines that acceptance checks name.
local moves = require "gpulab.warp.moves"
local text = require "gpulab.base.text"

local say <const>, usage <const>, show_place <const> = moves.say, moves.usage, moves.show_place

local verbs = {}

local function show_site(s, issue, number)
  local d = s.dbg
  local before = d.moment
  s.issue, s.site = issue, number
  say(text.wrap(("%s: %s"):format(issue.check:gsub("^%l", string.upper), issue.message), "  "))
  d:show(issue, number)
  show_place(s, before)
  if #issue.sites > 1 then
    say(text.wrap(("`other` shows the other access, at line %d."):format(issue.sites[3 - number].line), "  "))
  end
end

-- The first issue of a checker, or the numbered one.
local function find_issue(s, which)
  local list = s.dbg:issues()
  if #list == 0 then usage("the checkers report nothing about this launch") end
  local n = math.tointeger(tonumber(which))
  if n then return list[n] or usage(("there is no issue %d"):format(n), "`info issues` lists them") end
  for _, issue in ipairs(list) do
    if not which and issue.sites[1] and issue.sites[1].line or issue.check == which then return issue end
  end
  return usage(which and ("no issue of the %s checker"):format(which) or "no issue has a place in the code",
    "`info issues` lists them")
end

function verbs.show(s, words)
  if words[1] ~= "it" then usage("show it [N] shows the access an issue is about",
    "`kill` ends stepping; then show STEP") end
  show_site(s, find_issue(s, words[2]), 1)
end

function verbs.other(s)
  if not s.issue or #s.issue.sites < 2 then
    usage("there is no other access", "`show it` shows one first")
  end
  show_site(s, s.issue, 3 - s.site)
end

function verbs.stop(s, words)
  local what = words[1] == "at" and words[2]
  if what == "barrier" then return moves.go(s, "barrier") end
  if what == "fault" then
    local before = s.dbg.moment
    if not s.dbg:to_fault() then return say "  No thread of this launch faults." end
    return show_place(s, before)
  end
  if what ~= "race" and what ~= "init" and what ~= "memory" and what ~= "sync" then
    usage("stop at takes race, init, memory, sync, fault or barrier")
  end
  show_site(s, find_issue(s, what), 1)
end

---To the store that left a wrong element in the output.
---@param s Stepped @param step table @param mismatch table
function verbs.element(s, step, mismatch)
  local index, before = mismatch.first[1].index, s.dbg.moment
  say(text.wrap(("%s[%d] is wrong; looking for the thread that stored it."):format(step.output, index), "  "))
  if not s.dbg:last_store(s.dbg:element(s.output, index)) then
    return say(text.wrap("No thread of this launch changes it: the element is as it was before.", "  "))
  end
  say(("  Stored by lane %d of warp %d in block %s:"):format(s.dbg.lane, s.dbg.moment.warp, s.dbg:block_text()))
  show_place(s, before)
end

---To the line that an acceptance check names.
---@param s Stepped @param place table
function verbs.line(s, place)
  local before = s.dbg.moment
  say(text.wrap(("%s Most of it comes from this line:"):format(place.why), "  "))
  s.dbg:stop_at(("%s:%d"):format(text.file_name(place.file), place.line), nil, true)
  s.dbg:go "on"
  show_place(s, before)
end

return verbs

-- From what a run found to its moment: issues of the checkers, wrong elements, lines that acceptance checks name.
local check = require "gpulab.check"
local failure = require "gpulab.base.failure"
local moves = require "gpulab.warp.moves"
local text = require "gpulab.base.text"

local issues = {}

local function thread_of(site) return site.thread and ("thread (%d,%d,%d)"):format(table.unpack(site.thread)) end

local function ordinal(n)
  return n .. (n % 100 // 10 ~= 1 and ({ "st", "nd", "rd" })[n % 10] or "th")
end

-- Which of the accesses it is, and the way to the other one.
local function where_it_is(issue, number, nth)
  local site, other = issue.sites[number], issue.sites[3 - number]
  local thread = thread_of(site)
  local said = thread and ("%s is at this line for the %s time, about to %s."):format(thread:gsub("^t", "T"),
    ordinal(nth), site.access == "atomic" and "update" or site.access or "run it")
  if not other then return nth > 1 and said or nil end
  return ("%s`other` shows the other access, %sat line %d."):format(said and said .. " " or "",
    thread_of(other) and ("by %s "):format(thread_of(other)) or "", other.line)
end

local function show_site(s, issue, number)
  local d = s.dbg
  local before = d.moment
  s.issue, s.site = issue, number
  text.say_wrapped(("%s: %s"):format(issue.check:gsub("^%l", string.upper), issue.message))
  local _, nth = d:show(issue, number)
  moves.show_place(s, before)
  local said = where_it_is(issue, number, nth)
  if said then text.say_wrapped(said) end
end

-- The first issue of a checker, or the numbered one.
local function find_issue(s, which)
  local list = s.dbg:issues()
  if #list == 0 then failure.usage("the checkers report nothing about this launch") end
  local n = math.tointeger(tonumber(which))
  if n then return list[n] or failure.usage(("there is no issue %d"):format(n), "`info issues` lists them") end
  for _, issue in ipairs(list) do
    if not which and issue.sites[1] and issue.sites[1].line or issue.check == which then return issue end
  end
  return failure.usage(which and ("no issue of the %s checker"):format(which) or "no issue has a place in the code",
    "`info issues` lists them")
end

---To the access that an issue is about: the numbered one, the first of a checker, or the first that has a place.
---@param s Stepped @param which string?
function issues.show(s, which) show_site(s, find_issue(s, which), 1) end

---To the other access of that issue.
function issues.other(s)
  if not s.issue or #s.issue.sites < 2 then
    failure.usage("there is no other access", "`show it` shows one first")
  end
  show_site(s, s.issue, 3 - s.site)
end

---To the store that left a wrong element in the output.
function issues.element(s, step, mismatch)
  local index, before = mismatch.first[1].index, s.dbg.moment
  local said = ("`%s` is wrong at %s; looking for the thread that stored it."):format(step.output,
    check.place(mismatch.first[1]))
  text.say_wrapped(s.dbg.named and s.dbg.named(said) or said)
  if not s.dbg:last_store(s.dbg:element(s.output, index)) then
    return text.say_wrapped("No thread of this launch changes it: the element is as it was before.")
  end
  text.say(("  Stored by lane %d of warp %d in block %s:"):format(s.dbg.lane, s.dbg.moment.warp, s.dbg:block_text()))
  moves.show_place(s, before)
end

---To the line that an acceptance check names.
function issues.line(s, place)
  local before = s.dbg.moment
  text.say_wrapped(("%s Most of it comes from this line:"):format(place.why))
  s.dbg:stop_at(("%s:%d"):format(text.file_name(place.file), place.line), nil, true)
  s.dbg:go "on"
  moves.show_place(s, before)
end

return issues

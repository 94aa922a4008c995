-- From what a run found to its moment: issues of the checkers, wrong elements, lines that acceptance checks name.
local check = require "gpulab.check"
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local moves = require "gpulab.warp.moves"
local text = require "gpulab.base.text"

local issues = {}

local function thread_of(site) return site.thread and ("thread (%d,%d,%d)"):format(table.unpack(site.thread)) end

local function ordinal(n)
  return n .. (n % 100 // 10 ~= 1 and ({ "st", "nd", "rd" })[n % 10] or "th")
end

local TO <const> = { load = " from", store = " to", update = " of" }

-- Which of the accesses it is, and the way to the other one.
local function where_it_is(issue, number, nth, accesses)
  local site, other = issue.sites[number], issue.sites[3 - number]
  local thread = thread_of(site)
  local block = thread and not other and site.block and (" of block (%d,%d,%d)"):format(table.unpack(site.block)) or ""
  local kind = site.access == "atomic" and "update" or site.access or "run it"
  local said = thread and thread:gsub("^t", "T") .. block .. (accesses
    and (" is at this line, about to make its %s %s that array."):format(ordinal(accesses), kind .. TO[kind])
    or (" is at this line for the %s time, about to %s."):format(ordinal(nth), kind))
  if not other then return said end
  return ("%s`other` shows the other access, %sat line %d."):format(said and said .. " " or "",
    thread_of(other) and ("by %s "):format(thread_of(other)) or "", other.line)
end

local function said_of(issue) return ("%s: %s"):format(issue.check:gsub("^%l", string.upper), issue.message) end

-- To an access of an issue. False, and what happens: a fault ends the launch before.
local function show_site(s, issue, number)
  local d = s.dbg
  local before = d.moment
  local moment, nth, accesses = d:show(issue, number)
  if not moment then return false, nth end
  s.issue, s.site = issue, number
  if moment.halt ~= "fault" then text.say_wrapped(said_of(issue)) end -- a fault says the same itself
  moves.show_place(s, before)
  local said = where_it_is(issue, number, nth, accesses)
  if said then text.say_wrapped(said) end
  return true
end

-- The issues that are meant: the numbered one, those of a checker, or all that have a place.
local function meant(s, which)
  local list = s.dbg:issues()
  if #list == 0 then failure.usage("the checkers report nothing about this launch") end
  local n = math.tointeger(tonumber(which))
  if n then
    return { list[n] or failure.usage(("there is no issue %d"):format(n), "`info issues` lists them") }
  end
  local found = lists.select(list, function(issue)
    return which and issue.check == which or not which and issue.sites[1] and issue.sites[1].line
  end)
  if #found > 0 then return found end
  return failure.usage(which and ("no issue of the %s checker"):format(which) or "no issue has a place in the code",
    "`info issues` lists them")
end

---To the access that an issue is about: the numbered one, or the first one that the launch gets to, of a checker or of
---those that have a place.
---@param s Stepped @param which string?
function issues.show(s, which)
  local MOST <const> = 16
  local list, fault = meant(s, which), nil
  for i = 1, math.min(#list, MOST) do
    local shown, why = show_site(s, list[i], 1)
    if shown then return end
    fault = fault or why
  end
  text.say_wrapped(said_of(list[1]))
  text.say_wrapped(("The launch ends before this access. Fault: %s `stop at fault` goes there."):format(fault))
end

---To the other access of that issue.
function issues.other(s)
  if not s.issue or #s.issue.sites < 2 then
    failure.usage("there is no other access", "`show it` shows one first")
  end
  local shown, fault = show_site(s, s.issue, 3 - s.site)
  if not shown then failure.usage("the launch ends before the other access: " .. fault) end
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

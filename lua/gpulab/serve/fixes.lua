-- Changes of the source that an issue or an access asks for, where they are mechanical. Each is one edit of one line:
-- { title, line, old, new }: the text of the line before and after, of which the editor gets the difference.

local fixes = {}

-- The name of the array in shared memory that a line indexes twice, and where it is declared: "float tile[32][32];".
local function declared_tile(lines, number)
  for name in (lines[number] or ""):gmatch "([%a_][%w_]*)%s*%b[]%s*%b[]" do
    for at = number, 1, -1 do
      local line = lines[at]
      if line:find("__shared__", 1, true) and line:match("%f[%w_]" .. name .. "%s*%b[]%s*%b[]") then return name, at end
    end
  end
end

-- One padding word per row of the two-dimensional array in shared memory that a line accesses with conflicts.
local function pad(lines, number)
  local name, at = declared_tile(lines, number)
  if not name then return nil end
  local old = lines[at]
  local new, n = old:gsub("(%f[%w_]" .. name .. "%s*%b[]%s*)%[%s*([^%]]-)%s*%]", function(before, pitch)
    return ("%s[%s]"):format(before, pitch:match "^%d+$" and tonumber(pitch) + 1 or pitch .. " + 1")
  end, 1)
  return n == 1 and { title = ("Pad each row of %s by one word"):format(name), line = at, old = old, new = new } or nil
end

local function depth(line) return #line:match "^%s*":gsub("\t", "    ") end

-- The first of the outermost lines behind one line, up to another: no loop or branch is open there that was not before.
local function outermost(lines, first, last)
  local best
  for at = first + 1, last do
    if lines[at]:match "%S" and (not best or depth(lines[at]) < depth(lines[best])) then best = at end
  end
  if best and lines[best]:match "^%s*}%s*$" and best < last then best = best + 1 end
  return best and not lines[best]:match "^%s*}?%s*else" and best or nil
end

-- The barrier that a race's hint asks for, between its two lines.
local function barrier(lines, issue)
  local call = (issue.hint or ""):match "put (__sync%a+%(%)) between"
  if issue.check ~= "race" or not call then return nil end
  local first, last = math.huge, 0
  for _, site in ipairs(issue.sites or {}) do
    first, last = math.min(first, site.line or 0), math.max(last, site.line or 0)
  end
  local at = first >= 1 and first < last and lines[last] and outermost(lines, first, last)
  if not at then return nil end
  return { title = ("Insert %s before line %d"):format(call, at), line = at, old = lines[at],
    new = ("%s%s;\n%s"):format(lines[at]:match "^%s*", call, lines[at]) }
end

-- The full mask, where the mask of a warp function does not name the lanes that take part.
local function mask(lines, issue)
  local site = issue.sites and issue.sites[1]
  if issue.check ~= "sync" or not issue.message:find("mask", 1, true) or not site then return nil end
  local old = lines[site.line or 0]
  local new, n = (old or ""):gsub("(%f[%w_]__%w+_sync%s*%(%s*)0[xX]%x+[uU]?%s*,", "%10xffffffff,", 1)
  if n == 0 or new == old then return nil end
  return { title = "Name all lanes in the mask", line = site.line, old = old, new = new }
end

---The fix of a finding or a hint of a file: padding for accesses that conflict, and what an issue asks for; nil: none.
---@param one table @param found Found
function fixes.of(one, found)
  local issue, worst = one.issue, one.worst
  if one.file ~= found.file then return nil end
  if issue then return barrier(found.lines, issue) or mask(found.lines, issue) end
  return worst and worst.space == "shared" and worst.cost > worst.ideal and pad(found.lines, one.line) or nil
end

return fixes

-- Calls of those functions of Lua's libraries that gpulab has its own of; prints what came of each. gpulab and lua have to print
-- the same (library_alike.py).
local function show(...)
  local parts = {}
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    parts[i] = type(value) == "string" and #value > 200 and #value .. value:sub(1, 20) .. value:sub(-20) or ("%q"):format(value)
  end
  print(table.concat(parts, " "))
end

-- string.rep
for _, text in ipairs { "", "x", "ab", "\0\255c", ("y"):rep(3000001), ("z"):rep(5000000) } do
  for _, separator in ipairs { "", "-", ", ", ("s"):rep(70001) } do
    for _, n in ipairs { -1, 0, 1, 2, 3, 7, 64 } do
      if n * (#text + #separator) <= 3e7 then
        local all = text:rep(n, separator)
        show(#all, all)
        local parts = {}
        for i = 1, n do parts[i] = text end
        show(all == table.concat(parts, separator))
      end
    end
  end
end
for _, case in ipairs { { "x", 5000011 }, { "abc", 2000003 }, { "", 3000001, "-" }, { "ab", 1500001, ", " }, { "q", 1 << 20 } } do
  local parts = {}
  for i = 1, case[2] do parts[i] = case[1] end
  show(string.rep(table.unpack(case)) == table.concat(parts, case[3]))
end
show(string.rep(5, 1, nil), ("x"):rep(2, 7))

-- table.concat and table.sort
local many = {}
for i = 1, 100003 do many[i] = i * 7919 % 32749 end
show(#table.concat(many), #table.concat(many, ", "), table.concat(many, ",", 40000, 56390):sub(-40), table.concat(many, "-", 9, 8))
table.sort(many)
show(table.concat(many, " ", 1, 20), table.concat(many, " ", 99980, 100003))
table.sort(many, function(a, b) return a > b end)
show(many[1], many[100003])
many[70000] = "x"

-- Patterns, on texts short and long: find, match, gmatch, gsub
local texts = { "", "a", "hello world", "THE (quick) fox", "x = [1], y = {2}", "key=value; other = thing", "a\0b\0\0c",
  "((a)(b))", "aaa",
  "  trim me  ", "^a^", ("ab "):rep(9) .. "END", ("a"):rep(70), ("x=1,"):rep(9) .. "\0y", (" "):rep(50) .. "word" .. (" "):rep(50) }
local patterns = { "", "a", "a*", "a-", "a+", "a?b?", ".-b", "(a)(b?)", "()a()", "%s*(%w+)%s*", "^a", "^(.-)%s*$",
  "^%s*(.-)%s*$", "[%w_]+", "[^%s]*",
  "[]a]+", "[%]-]", "%f[%w]%w+", "%b()", "%b{}", "(%w)%1", "((.)(.))", "%z", "\0", "$", "a$", "^", "^a^", "%^a",
  "(%w+) ?= ?(%w+)", ".-.-END", "(a*(.)%w(%s*))",
  "()", "(()())", "%", "(", "%1", "[a", "%f", "(a", "a)", "%b", "[%", ("(.)"):rep(33), ("a?"):rep(40) .. ("a"):rep(40), ".-.-\0y" }
local swaps = { "", "<%0>", "%1", "%%", "%2%1", "%9", "%", "%z", 7, { a = "A", hello = 1, b = false }, { [1] = "one" },
  function(...) return select("#", ...) > 1 and select(2, ...) or nil end,
  function(x) return #tostring(x) end, function() return {} end, function(x) error("in the function: " .. #tostring(x), 0) end, true }
local function digest(ok, ...)
  local parts = { tostring(ok) }
  for i = 1, select("#", ...) do parts[#parts + 1] = ("%q"):format((select(i, ...))) end
  local all, sum = table.concat(parts, " "), 7
  for i = 1, #all do sum = (sum * 31 + all:byte(i)) % 1000000007 end
  return #all > 120 and #all .. " " .. sum .. all:sub(-40) or all
end
local function words(text, pattern, init)
  local all = {}
  for a, b, c in string.gmatch(text, pattern, init) do
    all[#all + 1] = ("%q,%q,%q"):format(a, b, c)
    if #all > 3000 then break end
  end
  return table.concat(all, ";")
end
for t, text in ipairs(texts) do
  for p, pattern in ipairs(patterns) do
    if (t + p) % 3 > 0 then pattern = pattern .. ("~?"):rep(24) end -- it may then take long, which gpulab has a way of its own for
    local init = ({ 1, 2, -3, 0, 1 << 40, -(1 << 40) })[(t + p) % 6 + 1]
    print(t, p, digest(pcall(string.find, text, pattern, init)), digest(pcall(string.match, text, pattern, init)))
    print(digest(pcall(string.find, text, pattern, init, true)), digest(pcall(words, text, pattern)), digest(pcall(words, text,
  pattern, init)))
    -- Lua's gsub sees that a capture is not finished only where the replacement asks for it; gpulab's may see it before.
    for _, swap in ipairs((patterns[p] == "(" or patterns[p] == "(a") and {} or swaps) do print(digest(pcall(string.gsub, text,
  pattern, swap, (t + p) % 5 == 0 and 2 or nil))) end
  end
end
local long = ("a"):rep(5000)
for _, call in ipairs { function() long:find("a-b", {}) end, function() long:find("a-b", 1.5) end,
  function() long:gsub("a-b") end, function() long:gsub("a-b", "", {}) end,
  function() long:gmatch("a-b", {}) end, function() long:gmatch("a-(")() end, function() long:match("a-%f") end,
  function() long.find(long, "a-b", "x") end,
  function() long:gsub("a-", "%2") end, function() long:gsub("a*", function() return print end) end } do
  show(pcall(call))
end
show(long:find("a-b", "3"), long:match("a-$", -2), long:gsub("(a)(a*)", "%2", "1"), long:gsub("a", "", -1), long:gsub("a-", "", 0))
local next_one = long:gmatch("a-a-(b?)")
show(next_one(), next_one(), #table.pack(next_one()))
collectgarbage()

-- What they refuse
for _, call in ipairs { function() table.sort(many) end, function() table.concat(nil) end, function() table.concat({ {} }) end,
  function() table.sort({ 1, nil, 3, n = 1 }, 4) end, function() table.sort({ 3, 2, "x", 1 }) end,
  function() table.sort({ 3, 1, 2, 5, 4, 9, 8 }, function() return true end) end, function() string.rep() end,
  function() string.rep("x", 1 << 62, "yyy") end, function() ("x"):rep({}) end, function() ("x"):rep(2000000, {}) end,
  function() load(nil) end, function() pcall() end, function() xpcall() end, function() xpcall(print) end,
  function() coroutine.resume(7) end, function() coroutine.wrap(7) end, function() coroutine.wrap() end,
  function() os.execute({}) end } do
  show(pcall(call))
end

-- load
show(load("return " .. (" "):rep(3000000) .. "7")())
show(load("return " .. (" "):rep(3000000) .. "7 7", nil, "t"))
show(type(load(function() error("a piece", 0) end)), select("#", load(function() error() end)))

-- pcall and xpcall, with results that are nil, and with a yield in between
show(xpcall(error, function(m) return "handled " .. m end, "e"), select("#", pcall(function(...) return ... end, nil, nil)))
show(pcall(error), select("#", pcall(print)))
show(xpcall(function(...) return select("#", ...), ... end, print, 1, nil, 3, nil))
show(coroutine.wrap(function() return pcall(function() return coroutine.yield(1) + 1 end) end)())
for _, catch in ipairs { pcall, function(f) return xpcall(f, function(m) return "handled " .. tostring(m) end) end } do
  local co = coroutine.wrap(function() return "end", catch(function() return coroutine.yield(1) + 1, nil end) end)
  show(co())
  show(co(41))
  co = coroutine.wrap(function() return "end", catch(function() error(coroutine.yield(2), 0) end) end)
  show(co())
  show(co("after a yield"))
end

-- coroutines
local co = coroutine.create(function(...) show(...) show(coroutine.yield(1, nil, nil)) error("over", 0) end)
show(coroutine.resume(co, "a", nil))
show(coroutine.status(co), coroutine.resume(co, nil, "b"))
show(coroutine.status(co), coroutine.resume(co))
show(select(2, coroutine.resume((coroutine.running()))))
local wrapped = coroutine.wrap(function(...) return ..., coroutine.yield(...) end)
show(wrapped(3, 4))
show(wrapped(5, 6))
show(pcall(wrapped))
local closed
wrapped = coroutine.wrap(function()
  local _ <close> = setmetatable({}, { __close = function(_, e) closed = e end })
  error({ "raised" })
end)
local ok, raised = pcall(wrapped)
show(ok, raised[1], closed == raised, pcall(wrapped))
wrapped = coroutine.wrap(function()
  local _ <close> = setmetatable({}, { __close = function() error({ "closing" }) end })
  error("first", 0)
end)
ok, raised = pcall(wrapped)
show(ok, raised[1])
wrapped = coroutine.wrap(function() return pcall(wrapped) end)
show(wrapped())
show(pcall(coroutine.wrap(function() error({}) end)) == false)
local again
again = coroutine.wrap(function() show(pcall(again)) coroutine.yield("alive") return "still" end)
show(again())
show(again())

-- Calls of those functions of Lua's libraries that gpulab has its own of; prints what came of each. gpulab and lua have to print
-- the same (library_alike.py).
local function show(...)
  local parts = {}
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    parts[i] = type(value) == "table" and "a table" or ("%q"):format(value)
  end
  print(table.concat(parts, " "))
end

-- What they refuse
for _, call in ipairs { function() coroutine.resume(7) end, function() coroutine.wrap(7) end, function() coroutine.wrap() end,
  function() coroutine.close(7) end, function() coroutine.close(coroutine.running()) end, function() setmetatable(7, {}) end,
  function() setmetatable({}, 7) end, function() setmetatable({}) end, function() os.execute({}) end } do
  show(pcall(call))
end
show(os.execute(), os.execute("exit 3"), os.execute("kill -9 $$"))

-- Catching, with a yield in between
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

-- closing
co = coroutine.create(function()
  local _ <close> = setmetatable({}, { __close = function(_, e) show("closed", e) end })
  coroutine.yield()
end)
show(coroutine.resume(co))
show(coroutine.close(co), coroutine.status(co), coroutine.close(co))
co = coroutine.create(function()
  local _ <close> = setmetatable({}, { __close = function() error("closing", 0) end })
  coroutine.yield()
end)
coroutine.resume(co)
show(coroutine.close(co))
show(pcall(coroutine.wrap(function() error("with a place") end)))
show(pcall(coroutine.wrap(function() local x = nil + 1 return x end)))

-- finalizers
local collected = 0
local class = { __gc = function(self) collected = collected + self.n end }
for _ = 1, 3 do setmetatable({ n = 2 }, class) end
collectgarbage()
show(collected, pcall(class.__gc, { n = 3 }), collected)
setmetatable({}, { __gc = function() error("kept quiet") end })
collectgarbage()
show(#setmetatable({}, { __gc = true, __len = function() return 9 end }), getmetatable(setmetatable({}, { __metatable = "mine" })))
show("still")

-- The loops of a list of instructions (machine_code.lua): natural loops, each formed by a back edge to a dominator of
-- its block (Aho, Lam, Sethi, Ullman, "Compilers", 9.6). A backward branch alone is not a loop: compilers place cold
-- code after the end of a function, and it jumps back from there.
local loops = {}

-- Can control reach the next instruction? A branch that cannot fall through ends a block.
local function falls_through(instr)
  local conditional = instr.text:match("^@") ~= nil
  local op = instr.op
  if op:match("^EXIT") or op:match("^RET") or op == "ret" or op == "exit" or op == "trap" then return conditional end
  if op:match("^BRX") or op:match("^JMX") or op:match("^brx") then return conditional end
  if op:match("^BRA") or op:match("^JMP") or op:match("^bra") then
    return conditional or op:match("%.DIV") ~= nil or instr.text:match(",") ~= nil -- a predicate among the operands
  end
  return true
end

-- Blocks {first, last, next = {block numbers}}, and each instruction's block.
local function blocks_of(instrs)
  local leads = { [1] = true }
  for i, instr in ipairs(instrs) do
    if instr.to then leads[instr.to] = true end
    if instr.to or not falls_through(instr) then leads[i + 1] = true end
  end
  local blocks, block_of = {}, {}
  for i = 1, #instrs do
    if leads[i] then blocks[#blocks + 1] = { first = i, next = {} } end
    blocks[#blocks].last, block_of[i] = i, #blocks
  end
  for _, block in ipairs(blocks) do
    local last = instrs[block.last]
    if falls_through(last) and instrs[block.last + 1] then block.next[1] = block_of[block.last + 1] end
    if last.to then block.next[#block.next + 1] = block_of[last.to] end
  end
  return blocks
end

-- The reachable blocks in reverse postorder.
local function in_order(blocks)
  local order, seen, stack = {}, { true }, { { 1, 0 } }
  while #stack > 0 do
    local top = stack[#stack]
    top[2] = top[2] + 1
    local next_one = blocks[top[1]].next[top[2]]
    if not next_one then
      order[#order + 1] = top[1]
      stack[#stack] = nil
    elseif not seen[next_one] then
      seen[next_one] = true
      stack[#stack + 1] = { next_one, 0 }
    end
  end
  for i = 1, #order // 2 do order[i], order[#order + 1 - i] = order[#order + 1 - i], order[i] end
  return order
end

local function predecessors(blocks, order)
  local before = {}
  for _, b in ipairs(order) do
    for _, n in ipairs(blocks[b].next) do
      before[n] = before[n] or {}
      table.insert(before[n], b)
    end
  end
  return before
end

-- Each block's immediate dominator (Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm").
local function dominators(order, before)
  local place, above = {}, { [order[1]] = order[1] }
  for i, b in ipairs(order) do place[b] = i end
  local function meet(a, b)
    while a ~= b do
      while place[a] > place[b] do a = above[a] end
      while place[b] > place[a] do b = above[b] end
    end
    return a
  end
  repeat
    local changed = false
    for i = 2, #order do
      local b, nearest = order[i], nil
      for _, p in ipairs(before[b]) do
        if above[p] then nearest = nearest and meet(nearest, p) or p end
      end
      if above[b] ~= nearest then above[b], changed = nearest, true end
    end
  until not changed
  return above
end

local function dominates(above, a, b)
  while b ~= a and above[b] ~= b do b = above[b] end
  return a == b
end

-- Adds the blocks from which `tail` can be reached without passing the head.
local function add_body(body, before, tail)
  local waiting = { tail }
  while #waiting > 0 do
    local b = table.remove(waiting)
    if not body[b] then
      body[b] = true
      for _, p in ipairs(before[b] or {}) do waiting[#waiting + 1] = p end
    end
  end
end

---All loops: {head = index, body = set of indices, list = them in order}. Branches back to one head are one loop.
---@param instrs table[] @return table[]
function loops.all(instrs)
  if #instrs == 0 then return {} end
  local blocks = blocks_of(instrs)
  local order = in_order(blocks)
  local before = predecessors(blocks, order)
  local above = dominators(order, before)
  local by_head, found = {}, {}
  for _, b in ipairs(order) do
    for _, head in ipairs(blocks[b].next) do
      if dominates(above, head, b) then
        if not by_head[head] then
          by_head[head] = { head = blocks[head].first, blocks = { [head] = true } }
          found[#found + 1] = by_head[head]
        end
        add_body(by_head[head].blocks, before, b)
      end
    end
  end
  for _, loop in ipairs(found) do
    loop.body, loop.list = {}, {}
    for number, block in ipairs(blocks) do
      for i = block.first, loop.blocks[number] and block.last or 0 do
        loop.body[i], loop.list[#loop.list + 1] = true, i
      end
    end
    loop.blocks = nil
  end
  return found
end

---The innermost loop: of the deepest ones that with most instructions; its depth, and how many loops there are.
---@param instrs table[] @return table?
function loops.inner(instrs)
  local found, best = loops.all(instrs), nil
  for _, loop in ipairs(found) do
    loop.depth, loop.count = 0, #found
    for _, other in ipairs(found) do
      if other.body[loop.head] then loop.depth = loop.depth + 1 end
    end
    local longer = best and #loop.list > #best.list
    if not best or loop.depth > best.depth or loop.depth == best.depth and longer then best = loop end
  end
  return best
end

return loops

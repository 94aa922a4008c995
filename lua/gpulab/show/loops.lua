-- The loops of a list of instructions (machine_code.lua): natural loops, each formed by an edge that leads back (Aho,
-- Lam, Sethi, Ullman, "Compilers", 9.6). A backward branch alone is not a loop: compilers place cold code after the end
-- of a function, and it jumps back from there.
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

-- The edges {from, to} that lead back: to a block on the path by which control first got there. In code whose loops
-- have one entry, as compilers make it, these are the edges to a dominator. Also the blocks that control can reach.
local function back_edges(blocks)
  local edges, state, path = {}, { "open" }, { { 1, 0 } }
  while #path > 0 do
    local top = path[#path]
    top[2] = top[2] + 1
    local following = blocks[top[1]].next[top[2]]
    if not following then
      state[top[1]], path[#path] = "done", nil
    elseif state[following] == "open" then
      edges[#edges + 1] = { top[1], following }
    elseif not state[following] then
      state[following], path[#path + 1] = "open", { following, 0 }
    end
  end
  return edges, state
end

local function predecessors(blocks, reached)
  local before = {}
  for b in pairs(reached) do
    for _, n in ipairs(blocks[b].next) do
      before[n] = before[n] or {}
      table.insert(before[n], b)
    end
  end
  return before
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
  local edges, reached = back_edges(blocks)
  local before, by_head, found = predecessors(blocks, reached), {}, {}
  for _, edge in ipairs(edges) do
    local head = edge[2]
    if not by_head[head] then
      by_head[head] = { head = blocks[head].first, blocks = { [head] = true } }
      found[#found + 1] = by_head[head]
    end
    add_body(by_head[head].blocks, before, edge[1])
  end
  table.sort(found, function(a, b) return a.head < b.head end)
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

-- The command origin: from a place in memory to the store that wrote it, from there to the loads that fed the store,
-- from a load to the store before it, and so on.
local lazy = require "gpulab.base.lazy"
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local moves = require "gpulab.warp.moves"
local provenance = lazy "gpulab.warp.source.provenance"
local text = require "gpulab.base.text"

local LISTED <const> = 8

-- "element 5 of x": by the size of the access; "" of what has no name.
local function element(name, offset, bytes)
  name = name:match("E%d+([%a_][%w_]*)$") or name
  if name == "" or name:match("^_Z") or not offset or offset < 0 then return "" end
  return (" element %d of %s"):format(offset // bytes, name)
end

local function arrive(s, at, loads)
  s.chain = { moment = s.dbg.moment, lane = s.dbg.lane, at = at, loads = loads }
end

-- Where origin came to, if nothing has moved since.
local function here(s)
  local chain = s.chain
  return chain and chain.moment == s.dbg.moment and chain.lane == s.dbg.lane and chain or nil
end

-- To the last store to the bytes before this moment; else, in global memory, to the launch's last one.
local function to_store(s, at, what, anywhere)
  local d, before = s.dbg, s.dbg.moment
  if d:to_last_store(at) then
    text.say_wrapped(("Written by lane %d of warp %d:"):format(d.lane, d.moment.warp))
  elseif anywhere and at.space == "global" and d:last_store(at) then
    text.say_wrapped(("Not written by this block before this moment. The launch's last store to it, by lane %d of warp"
      .. " %d of block %s:"):format(d.lane, d.moment.warp, d:block_text()))
  else
    failure.usage(("no thread of this block has written %s before this moment"):format(what),
      at.space == "global" and (anywhere and "no block of the launch changes it" or "it was there when the block began")
      or "`origin EXPRESSION` goes back from another place in memory")
  end
  arrive(s, at)
  moves.show_place(s, before)
end

local function to_load(s, loads, number)
  local d, before = s.dbg, s.dbg.moment
  local load = loads[number]
  d:go("time", { count = load.time })
  d.lane = load.lane
  text.say_wrapped(("Loaded by lane %d:%s"):format(load.lane, element(load.name, load.offset, load.bytes or 1)))
  arrive(s, load.address and { address = load.address, bytes = load.bytes, space = load.space }, loads)
  moves.show_place(s, before)
end

-- What else feeds the value, in a line each.
local function list_others(loads, more)
  for i = 2, math.min(#loads, LISTED) do
    local load = loads[i]
    text.say(("  %2d  lane %d, line %d:%s"):format(i, load.lane, load.line,
      element(load.name, load.offset, load.bytes or 1)))
  end
  if #loads > 1 then
    text.say_wrapped("`origin 2` goes to that load instead"
      .. ((more or #loads > LISTED) and "; others are not listed." or "."))
  end
end

-- From a store to the loads that fed it.
local function to_loads(s, at)
  local loads, others, more = provenance.of_store(s.dbg, at)
  if #loads > 0 then
    to_load(s, loads, 1)
    return list_others(loads, more)
  end
  local parts = {}
  for _, from in ipairs(others) do
    lists.add_new(parts, from.kind == "parameter" and "a parameter of the kernel"
      or ("line %d: %s"):format(from.line, from.instruction))
  end
  if more then return text.say_wrapped "The loads that fed this value are further back than `origin` follows." end
  text.say_wrapped(#parts == 0 and "No load fed this value: it is computed from constants and indices."
    or ("No load fed this value: it comes from %s."):format(text.list(parts, "and")))
end

-- Without words on from where it came to.
local function run(s, words, rest)
  local chain = here(s)
  local number = math.tointeger(tonumber(words[1]))
  if number then
    if not chain or not chain.loads or not chain.loads[number] then
      failure.usage(("there is no load %d to choose"):format(number), "`origin` at a store lists the loads that fed it")
    end
    return to_load(s, chain.loads, number)
  end
  if words[1] then return to_store(s, s.dbg:place_in_memory(rest), rest, true) end
  local access = provenance.access(s.dbg)
  if not access then
    failure.usage("origin takes an expression in memory, where the next instruction accesses none",
      "for example: origin tile[3][0]; then origin alone goes on from there")
  end
  if access.access == "load" then
    return to_store(s, chain and chain.at or access, "what is loaded here")
  end
  to_loads(s, chain and chain.at and chain.at.address)
end

return { name = "origin", usage = "origin [EXPRESSION | N]",
  summary = "back to the store to this place in memory; then to the loads that fed it",
  help = "origin y[5] goes back to the last store to y[5], in another block if this one has not stored to it. origin"
    .. " alone goes on: from a store to the load that fed it, from a load to the store before it. Where several loads"
    .. " fed a store, origin N goes to another one.",
  run = run }

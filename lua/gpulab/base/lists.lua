-- What is done to lists everywhere. `by` is a function of an item or the name of a field; a list that is nil is empty.
local lists = {}

local function of(by, item, i)
  if type(by) == "function" then return by(item, i) end
  return item[by]
end

---A list of what `by` gives for each item.
function lists.map(items, by)
  local made = {}
  for i, item in ipairs(items or {}) do made[i] = of(by, item, i) end
  return made
end

---The items for which `by` is true, in order.
function lists.select(items, by)
  local found = {}
  for _, item in ipairs(items or {}) do
    if of(by, item) then found[#found + 1] = item end
  end
  return found
end

---The first item for which `by` is true; with a value, the first for which `by` gives that.
function lists.find(items, by, value)
  for _, item in ipairs(items or {}) do
    local v = of(by, item)
    if value ~= nil and v == value or value == nil and v then return item end
  end
end

---Is `by` true for an item?
function lists.any(items, by)
  for _, item in ipairs(items or {}) do
    if of(by, item) then return true end
  end
  return false
end

---Appends the items of another list; returns the longer list.
function lists.append(items, more)
  return table.move(more, 1, #more, #items + 1, items)
end

---Appends an item unless the list has it.
function lists.add_new(items, item)
  for _, known in ipairs(items) do
    if known == item then return end
  end
  items[#items + 1] = item
end

---A list of the items of several lists.
function lists.joined(...)
  local all = {}
  for _, items in ipairs { ... } do lists.append(all, items) end
  return all
end

---The runs of consecutive integers in an ascending list: {first, last} each.
function lists.runs(ascending)
  local runs = {}
  for _, n in ipairs(ascending) do
    local run = runs[#runs]
    if run and n == run[2] + 1 then run[2] = n else runs[#runs + 1] = { n, n } end
  end
  return runs
end

---The keys of a table in order.
function lists.keys(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

---A table in which each item is true; of a text, each word.
---@param items any[]|string|nil
function lists.set(items)
  local set = {}
  if type(items) == "string" then
    for word in items:gmatch "%S+" do set[word] = true end
    return set
  end
  for _, item in ipairs(items or {}) do set[item] = true end
  return set
end

return lists

-- The glossary (docs/guide/glossary.md) at the prompt: the terms that a word means.
local lists = require "gpulab.base.lists"
local terms = require "gpulab.base.terms"

local glossary = {}

local ENDINGS <const> = { "ations?", "ences?", "ents?", "ing", "ed", "es", "s", "e" }

-- What a word has in common with its other forms: coalesced and coalescing, warp and warps.
local function stem(word)
  for _, ending in ipairs(ENDINGS) do
    local root = word:match("^(%w%w%w+)" .. ending .. "$")
    if root then return root end
  end
  return word
end

local function stems(phrase)
  local found = {}
  for word in phrase:lower():gmatch("%w+") do found[#found + 1] = stem(word) end
  return found
end

-- "compute capability (cc)" is also "cc", and "hot and cold" either of them.
local function names_of(term)
  local names = { (term:gsub("%s*%b()", "")) }
  for other in term:gmatch("%((.-)%)") do names[#names + 1] = other end
  local first, second = term:match("^(%w+) and (%w+)$")
  names[#names + 1], names[#names + 2] = first, second
  return names
end

local function contains(list, part)
  for i = 0, #list - #part do
    local same = #part > 0
    for k, root in ipairs(part) do same = same and list[i + k] == root end
    if same then return true end
  end
  return false
end

---The terms that have this name, and those that only contain it.
---@param phrase string @return table[] named, table[] others lists of {term, what it means}
function glossary.find(phrase)
  local wanted, named, others = stems(phrase), {}, {}
  for _, entry in ipairs(terms) do
    local is_name, is_part = false, false
    for _, name in ipairs(names_of(entry[1])) do
      local own = stems(name)
      local part = contains(own, wanted)
      is_name, is_part = is_name or part and #own == #wanted, is_part or part
    end
    if is_part then table.insert(is_name and named or others, entry) end
  end
  return named, others
end

---The terms named by the first words of a phrase, as many as name one, or by its last one: "latency at 12 warps",
---"shared load requests".
---@param phrase string @return table[]
function glossary.beginning(phrase)
  local shorter, named = phrase
  repeat
    shorter = shorter:match "^(.*)%f[%w]%w+%W*$" or ""
    named = shorter:find "%w" and glossary.find(shorter) or {}
  until #named > 0 or shorter == ""
  return #named > 0 and named or (glossary.find(phrase:match "%w+$" or ""))
end

---The terms of one word, for completion.
---@return string[]
function glossary.words()
  local words = {}
  for _, entry in ipairs(terms) do
    lists.append(words, lists.select(names_of(entry[1]), function(name) return name:match("^%w+$") end))
  end
  return words
end

return glossary

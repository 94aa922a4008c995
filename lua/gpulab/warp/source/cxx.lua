-- What a .cu file declares, as far as a debugger has to know: functions, their parameters and variables with type,
-- scope and dimensions, and the lines that assign to them. Not a C++ parser: what it does not recognize it leaves out.
local lists = require "gpulab.base.lists"

local cxx = {}

---@class CxxVariable
---@field name string @field type string "float" @field pointer boolean @field indirect boolean to a pointer
---@field dims string[][] of an array: each the tokens of one dimension @field shared boolean @field external boolean
---@field line integer of the declaration @field first integer @field last integer its scope, in lines
---@field assigned table<integer, boolean> lines that assign to it
---@field param integer? its number, from 1

---@class CxxFunction
---@field name string @field first integer @field last integer @field kernel boolean
---@field params CxxVariable[] @field variables CxxVariable[] parameters first
---@field templates string[] names of template parameters

local words <const> = lists.set [[const volatile static register constexpr extern __shared__ __restrict__ __restrict
  struct inline __align__]]
local basic <const> = lists.set [[int unsigned signed float double char short long bool half __half size_t auto int8_t
  uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t half2 __half2]]
for _, t in ipairs { "float", "int", "double", "uint", "char", "uchar" } do
  for n = 2, 4 do basic[t .. n] = true end
end
local statements <const> = lists.set [[return if else while do goto break continue switch case using typedef for asm
  template namespace default]]

local tokens = require("gpulab.source").code -- {text, line, kind} each, without directives
cxx.tokens = tokens

local closing <const> = { ["("] = ")", ["["] = "]", ["{"] = "}" }

-- The index of the bracket that closes the one at i.
local function close_of(list, i)
  local open, depth = list[i].text, 0
  for k = i, #list do
    if list[k].text == open then depth = depth + 1 end
    if list[k].text == closing[open] then
      depth = depth - 1
      if depth == 0 then return k end
    end
  end
  return #list
end

-- The type at i: its text and the index after it; nil if there is none.
local function type_at(list, i)
  local parts, shared, external, any = {}, false, false, false
  while list[i] and list[i].kind == "word" do
    local word = list[i].text
    if word == "__align__" and list[i + 1] and list[i + 1].text == "(" then i = close_of(list, i + 1) end
    if words[word] then
      shared, external = shared or word == "__shared__", external or word == "extern"
    elseif basic[word] then
      parts[#parts + 1] = word
      any = true
    elseif not any and list[i + 1] and (list[i + 1].kind == "word" and not statements[word]
        or list[i + 1].text == "*" and list[i + 2] and list[i + 2].kind == "word" and list[i + 3]
          and list[i + 3].text:match("^[=;,)%[]$")) then
      parts[#parts + 1] = word -- a name of a type
      any = true
      i = i + 1
      break
    else
      break
    end
    i = i + 1
  end
  if not any then return nil end
  return { text = table.concat(parts, " "), shared = shared, external = external }, i
end

-- Declarators from i on; returns the index after them.
local function declarators(list, i, kind, add)
  while list[i] do
    local pointer, indirect = false, false
    while list[i] and (list[i].text == "*" or list[i].text == "&" or words[list[i].text]) do
      indirect = indirect or pointer and list[i].text == "*" -- to a pointer
      pointer = pointer or list[i].text == "*"
      i = i + 1
    end
    local name = list[i]
    if not name or name.kind ~= "word" then return i end
    local variable = { name = name.text, type = kind.text, pointer = pointer, indirect = indirect, dims = {},
      shared = kind.shared, external = kind.external, line = name.line, assigned = {} }
    i = i + 1
    while list[i] and list[i].text == "[" do
      local last, dim = close_of(list, i), {}
      for k = i + 1, last - 1 do dim[#dim + 1] = list[k].text end
      variable.dims[#variable.dims + 1] = dim
      i = last + 1
    end
    local after = list[i] and list[i].text
    if not after or not after:match("^[=;,:(){]$") and after ~= "]" then return i end
    if after == "=" or after == "(" or after == "{" then variable.assigned[name.line] = true end
    add(variable)
    if after == "=" then
      while list[i] and not list[i].text:match("^[;,)]$") do
        i = closing[list[i].text] and close_of(list, i) + 1 or i + 1
      end
    elseif closing[after] then
      i = close_of(list, i) + 1
    end
    if not list[i] or list[i].text ~= "," then return i end
    i = i + 1
  end
  return i
end

local function parameters(list, from, to, f)
  local i = from
  while i < to do
    local kind, after = type_at(list, i)
    if not kind then return end
    local part = {}
    local stop = after
    while stop < to and list[stop].text ~= "," do stop = stop + 1 end
    for k = after, stop - 1 do part[#part + 1] = list[k] end
    part[#part + 1] = { text = ";", line = list[after] and list[after].line or 0, kind = "sign" }
    declarators(part, 1, kind, function(v)
      v.param = #f.params + 1
      v.pointer = v.pointer or #v.dims > 0
      v.dims = {}
      f.params[v.param], f.variables[#f.variables + 1] = v, v
    end)
    i = stop + 1
  end
end

local assigns <const> = lists.set "= += -= *= /= %= &= |= ^= ++ --"

-- Variables and assignments between two braces.
local function body(list, from, to, f)
  local scopes = { { last = list[to].line } }
  local i = from
  local start = true -- of a statement
  while i < to do
    local text = list[i].text
    if text == "{" then
      scopes[#scopes + 1] = { last = list[close_of(list, i)].line }
      start = true
    elseif text == "}" then
      if #scopes > 1 then scopes[#scopes] = nil end
      start = true
    elseif text == ";" then
      start = true
    elseif text == "for" and list[i + 1] and list[i + 1].text == "(" then
      -- The variable of a loop is in scope in its body, whose end is the brace or the statement after the header.
      local close = close_of(list, i + 1)
      local last = list[close + 1] and list[close + 1].text == "{" and list[close_of(list, close + 1)].line
      for k = close + 1, to do
        if last then break end
        if list[k].text == "{" then last = list[close_of(list, k)].line end
        if list[k].text == ";" then last = list[k].line end
      end
      local kind, after = type_at(list, i + 2)
      if kind then
        declarators(list, after, kind, function(v)
          v.first, v.last = v.line, last or v.line
          f.variables[#f.variables + 1] = v
        end)
      end
      i, start = i + 1, false
    else
      local kind, after
      if start and not statements[text] then kind, after = type_at(list, i) end
      if kind then
        local stop = declarators(list, after, kind, function(v)
          v.first, v.last = v.line, scopes[#scopes].last
          f.variables[#f.variables + 1] = v
        end)
        i = math.max(stop, i + 1) - 1
      end
      start = text == ")" or text == "else" or text == ":"
    end
    i = i + 1
  end
  for k = from, to do
    local token, after = list[k], k + 1
    while list[after + 1] and list[after].text == "." do after = after + 2 end -- v.x = 1 assigns to v
    local nearby, before = list[after], list[k - 1] and list[k - 1].text
    local taken = false -- its address: f(&v), = &v, (float4 *)&v
    if before == "&" and list[k - 2] then
      local earlier = list[k - 2].text
      taken = earlier:match("^[(,=*]$") ~= nil or earlier == ")" and list[k - 3] ~= nil and list[k - 3].text == "*"
      taken = taken and not (nearby and nearby.text:match("^[-%[]")) -- &p->x and &p[i] are of what p points to
    end
    if token.kind == "word" and before ~= "." and before ~= "->"
        and (nearby and assigns[nearby.text] or before == "++" or before == "--" or taken) then
      local found
      for _, v in ipairs(f.variables) do
        if v.name == token.text and v.first <= token.line and token.line <= v.last then found = v end
      end
      if found then found.assigned[token.line] = true end
    end
  end
end

---The functions of a file, in order.
---@param content string @return CxxFunction[]
function cxx.functions(content)
  local list, functions = tokens(content), {}
  local i, header = 1, 1
  while i <= #list do
    local text = list[i].text
    if text == ";" or text == "}" then
      header = i + 1
    elseif text == "{" then
      -- A function's body follows a bracket: NAME ( ... ) {
      local open, name
      for k = header, i - 1 do
        local before = list[k - 1]
        if list[k].text == "(" and before and before.kind == "word" and before.text ~= "__launch_bounds__"
            and before.text ~= "__align__" then
          open, name = k, before.text
          break
        end
      end
      if open and close_of(list, open) < i then
        local last = close_of(list, i)
        local f = { name = name, first = list[open].line, last = list[last].line, kernel = false, params = {},
          variables = {}, templates = {} }
        for k = header, open do
          f.kernel = f.kernel or list[k].text == "__global__"
          if list[k].text == "template" then
            for t = k + 2, open do
              if list[t].text == ">" then break end
              if list[t].text == "," or list[t + 1].text == ">" then
                f.templates[#f.templates + 1] = list[list[t].text == "," and t - 1 or t].text
              end
            end
          end
        end
        parameters(list, open + 1, close_of(list, open), f)
        for _, v in ipairs(f.params) do v.first, v.last = f.first, f.last end
        body(list, i + 1, last, f)
        functions[#functions + 1] = f
        i, header = last, last + 1
      else
        header = i + 1 -- namespace, extern "C", a structure
      end
    end
    i = i + 1
  end
  return functions
end

local composite <const> = lists.set "struct class union"
local members_between

-- Where the body of the structure at i begins, and the token of its name if it has one; nil: only named, or aligned.
local function structure_at(list, i)
  if not composite[list[i].text] then return nil end
  local name = list[i + 1] and list[i + 1].kind == "word" and list[i + 1] or nil
  local open = name and i + 2 or i + 1
  if list[open] and list[open].text == "{" then return open, name end
end

-- A structure inside of another one: its members become those of the variables that follow it. nil: one without a name
-- and variables, whose members are those of the outer one; else the index after it.
local function nested(list, i, open, name, found)
  local close = close_of(list, open)
  local inner = members_between(list, open + 1, close)
  if list[close + 1].text == ";" then return name and close + 2 or nil end
  local after = declarators(list, close + 1, { text = "" }, function(v)
    v.members, v.union = inner, list[i].text == "union"
    found[#found + 1] = v
  end)
  return inner and after + 1 or nil
end

-- Members from i to before `to`; what has a parameter list or a body of its own is none. nil: not known.
function members_between(list, i, to)
  local found = {}
  while i < to do
    local open, name = structure_at(list, i)
    if open then
      i = nested(list, i, open, name, found)
      if not i then return nil end
      goto next
    end
    local stop, skip = i, false
    while stop < to and list[stop].text ~= ";" and list[stop].text ~= "{" do
      skip = skip or list[stop].text == "(" or list[stop].text == "static"
      stop = list[stop].text == "(" and close_of(list, stop) + 1 or stop + 1
    end
    if list[stop] and list[stop].text == "{" then skip, stop = true, close_of(list, stop) end
    local kind, after = type_at(list, i)
    if kind and not skip then declarators(list, after, kind, function(v) found[#found + 1] = v end) end
    if not kind and not skip and stop > i then return nil end
    i = stop + 1
    ::next::
  end
  return found
end

---Structures of a file by name: their members in order; aligned ones and those with base classes are left out.
---@param content string @return table<string, {union: boolean, [integer]: CxxVariable}>
function cxx.structures(content)
  local list, found = tokens(content), {}
  for i, token in ipairs(list) do
    local open, name = structure_at(list, i)
    if open then
      local close = close_of(list, open)
      local members, alias = members_between(list, open + 1, close), list[close + 1]
      if members then members.union = token.text == "union" end
      if name then found[name.text] = members end
      if list[i - 1] and list[i - 1].text == "typedef" and alias and alias.kind == "word" then
        found[alias.text] = members
      end
    end
  end
  return found
end

local spaces <const> = { __device__ = "global", __managed__ = "global", __constant__ = "const",
  __shared__ = "shared" }

---Variables at file scope by name, with their space: `__device__ float table[64];`.
---@param content string @return table<string, CxxVariable>
function cxx.file_scope(content)
  local list, found, i, start = tokens(content), {}, 1, true
  while i <= #list do
    local at, space = i, nil
    while start and list[at] and (spaces[list[at].text] or words[list[at].text]) do
      space = spaces[list[at].text] or space
      at = at + 1
    end
    local kind, after = nil, nil
    if space then kind, after = type_at(list, at) end
    local name = after
    while name and list[name] and list[name].text == "*" do name = name + 1 end
    if kind and list[name + 1] and list[name + 1].text ~= "(" then
      i = declarators(list, after, kind, function(v)
        v.space = space
        found[v.name] = found[v.name] or v
      end)
    end
    local text = list[i] and list[i].text
    start = text == ";" or text == "}" or text == "{"
    i = i + 1
  end
  return found
end

-- The enumerators between two braces.
local function enumerators(list, open, close, found)
  local value, i = nil, open + 1
  while i < close do
    local name, parts = list[i].text, {}
    i = i + 1
    local explicit = list[i].text == "="
    while i < close and list[i].text ~= "," do
      if explicit then parts[#parts + 1] = list[i].text end
      i = i + 1
    end
    value = explicit and table.concat(parts, " ", 2) or value and ("(%s) + 1"):format(value) or "0"
    found[name] = found[name] or value
    i = i + 1
  end
end

---Enumerations of a file: their names; `constants` gets their enumerators.
---@param content string @param constants table<string, string> @return table<string, boolean>
function cxx.enumerations(content, constants)
  local list, found = tokens(content), {}
  for i, token in ipairs(list) do
    if token.text == "enum" then
      local open = i + 1
      while list[open] and not list[open].text:match("^[{;]$") do open = open + 1 end
      local scoped = composite[list[i + 1] and list[i + 1].text or ""]
      local name = list[scoped and i + 2 or i + 1]
      if name and name.kind == "word" then found[name.text] = true end
      if list[open] and list[open].text == "{" then
        enumerators(list, open, close_of(list, open), scoped and {} or constants)
      end
    end
  end
  return found
end

---Constants of a file by name: `constexpr int N = 32;`, `const int N = 32;`, `#define N 32`.
---@param content string @return table<string, string> their text
function cxx.constants(content)
  local found = {}
  for name, v in content:gmatch("#[ \t]*define[ \t]+([%a_][%w_]*)[ \t]+([^\n]+)") do
    found[name] = v:gsub("//.*", ""):match("^%s*(.-)%s*$")
  end
  local at = 1
  while true do
    local s, e, name, v = content:find("const%a*%s+[%a_ ]-([%a_][%w_]*)%s*=%s*([^;{}]+);", at)
    if not s then return found end
    found[name] = found[name] or v
    at = e
  end
end

return cxx

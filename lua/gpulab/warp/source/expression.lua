-- C expressions over the lanes of a warp, compiled to the postfix notation of gpu.step (src/emu/step/value.c).
local cxx = require "gpulab.warp.source.cxx"
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local literal = require "gpulab.warp.source.literal"

local expression = {}

---@class Value
---@field code string postfix @field type string of the value: "s32", "f32", ...
---@field element CxxType? of a pointer or an array: what it refers to @field dims integer[]? dimensions still to index
---@field address string? of something in memory: code of its address @field space string?
---@field refers CxxType? what a pointer to it refers to
---@field truth boolean? it is 0 or 1 @field small boolean? an unsigned type narrower than int
---@field bytes integer? of a thing that has a type of its own
---@field record {names: string[], member: fun(name: string): Value?}? a structure or vector: its members

---@class CxxType
---@field value string "s32" @field memory string "s8" @field bytes integer @field truth boolean? bool: 0 or 1
---@field members CxxMember[]? of a structure or vector, which has no value and memory
---@class CxxMember
---@field name string @field type CxxType @field offset integer @field dims integer[]?
---@field pointer boolean? to the type

local sizes <const> = {
  ["int"] = { "s32", "s32", 4 }, ["unsigned"] = { "u32", "u32", 4 }, ["float"] = { "f32", "f32", 4 },
  ["double"] = { "f64", "f64", 8 }, ["char"] = { "s32", "s8", 1 }, ["signed char"] = { "s32", "s8", 1 },
  ["unsigned char"] = { "u32", "u8", 1 }, ["short"] = { "s32", "s16", 2 }, ["unsigned short"] = { "u32", "u16", 2 },
  ["long"] = { "s64", "s64", 8 }, ["unsigned long"] = { "u64", "u64", 8 }, ["bool"] = { "u32", "u8", 1, true } }
local same <const> = { ["unsigned int"] = "unsigned", signed = "int", ["signed int"] = "int", ["long long"] = "long",
  ["unsigned long long"] = "unsigned long", ["long long int"] = "long", ["long int"] = "long", size_t = "unsigned long",
  int8_t = "signed char", uint8_t = "unsigned char", int16_t = "short", uint16_t = "unsigned short", int32_t = "int",
  uint32_t = "unsigned", int64_t = "long", uint64_t = "unsigned long", ["short int"] = "short",
  ["unsigned short int"] = "unsigned short", ["unsigned long int"] = "unsigned long", ["auto"] = "int" }

---What a type of C++ is to the emulator; nil: a structure, or unknown.
---@param name string @return CxxType?
function expression.type(name)
  local row = sizes[same[name] or name]
  return row and { value = row[1], memory = row[2], bytes = row[3], truth = row[2] == "u8" and row[4] } or nil
end

local AXES <const> = { "x", "y", "z", "w" }
local vectors <const> = { float = "float", double = "double", int = "int", uint = "unsigned", char = "signed char",
  uchar = "unsigned char", short = "short", ushort = "unsigned short", longlong = "long", ulonglong = "unsigned long",
  long = "long", ulong = "unsigned long" }

---What a structure is: members in order, at the offsets that they have by their sizes unless they say where they are.
---@param members {name: string, type: CxxType, pointer: boolean?, dims: integer[]?, offset: integer?}[]
---@param bytes integer? of the whole @return CxxType
function expression.structure(members, bytes)
  local at, widest = 0, 1
  for _, m in ipairs(members) do
    local each = m.pointer and 8 or m.type.bytes
    local align = m.pointer and 8 or m.type.align or m.type.bytes
    for _, n in ipairs(m.dims or {}) do each = each * n end
    m.offset = m.offset or (at + align - 1) // align * align
    at, widest = m.offset + each, math.max(widest, align)
  end
  return { members = members, bytes = bytes or (at + widest - 1) // widest * widest, align = widest }
end

---float4 and the like; nil for another type. @param name string @return CxxType?
function expression.vector(name)
  local base, n = name:match("^(%a+)([1-4])$")
  local of = vectors[base or ""] and expression.type(vectors[base])
  if not of or name == "long1" then return nil end
  local members = {}
  for i = 1, tonumber(n) do members[i] = { name = AXES[i], type = of } end
  local made = expression.structure(members)
  if n ~= "3" then made.align = math.min(16, made.bytes) end
  return made
end

local SMALL <const> = 8 -- elements of an array that are members of their own

---A type that is looked up when something of it is asked for: what a member points to, perhaps the structure itself.
---@param find fun(): CxxType? @return CxxType
function expression.later(find)
  local known
  return setmetatable({}, { __index = function(_, key)
    known = known or find() or expression.type "char"
    return known[key]
  end })
end

---What a structure consists of, down to numbers, pointers and large arrays.
---@param of CxxType with members
---@return {path: string, offset: integer, type: CxxType, dims: integer[]?}[] path: ".a[3].y"
function expression.leaves(of, into, path, base)
  into, path, base = into or {}, path or "", base or 0
  local function add(m, type_, name, at, dims)
    if dims and #dims == 1 and dims[1] <= SMALL then
      for i = 0, dims[1] - 1 do add(m, type_, ("%s[%d]"):format(name, i), at + i * type_.bytes) end
    elseif not dims and type_.members then
      expression.leaves(type_, into, name, at)
    else
      into[#into + 1] = { path = name, offset = at, type = type_, dims = dims }
    end
  end
  for _, m in ipairs(of.members) do
    add(m, m.pointer and expression.POINTER or m.type, path .. "." .. m.name, base + m.offset, m.dims)
  end
  return into
end

expression.POINTER = { value = "u64", memory = "u64", bytes = 8 }

local function wrong(what, ...)
  failure.usage(what:format(...))
end

local function need_number(v)
  if v.record then
    wrong("this is a structure: name a member, one of %s", table.concat(v.record.names, ", "))
  end
end

-- Values ------------------------------------------------------------------------------------------

local ranks <const> = { s32 = 1, u32 = 2, s64 = 3, u64 = 4, f32 = 5, f64 = 6 }

---Code that gives the value as another type.
function expression.convert(v, to)
  need_number(v)
  if v.type == to then return v.code end
  return ("%s cvt:%s:%s"):format(v.code, v.type, to)
end

local function constant(bits, of)
  return { code = ("#%x:%s"):format(bits, of), type = of }
end

local function bits_of(number, of)
  return string.unpack(of == "f64" and "<I8" or "<I4", string.pack(of == "f64" and "<d" or "<f", number))
end

---A number as the emulator takes it.
function expression.number(n, of)
  if of == "f32" or of == "f64" then return constant(bits_of(n, of), of) end
  return constant(of:match("32") and n & 0xffffffff or n, of)
end

---Is it an unsigned type that becomes int in an expression?
---@param of CxxType @return boolean
function expression.small(of) return of.value == "u32" and of.bytes < 4 end

---A thing in memory, or what is left of an array to index.
---@return Value
function expression.at(address, space, element, dims)
  if dims and #dims > 0 then
    return { code = address, type = "u64", address = address, space = space, element = element, dims = dims }
  end
  if element.members then return expression.members_at(address, space, element) end
  return { code = ("%s load:%s:%s:%s"):format(address, space, element.memory, element.value), type = element.value,
    address = address, space = space, bytes = element.bytes, refers = element, small = expression.small(element) }
end

---A structure in memory.
---@return Value
function expression.members_at(address, space, of)
  local function member(name)
    local m = lists.find(of.members, "name", name)
    if not m then return nil end
    local at = m.offset == 0 and address or ("%s #%x:u64 add:u64"):format(address, m.offset)
    if not m.pointer then return expression.at(at, space, m.type, m.dims) end
    local v = expression.at(at, space, expression.POINTER, m.dims)
    if not v.dims then v.element, v.space = m.type, "generic" end
    return v
  end
  return { code = address, type = "u64", address = address, space = space, bytes = of.bytes, refers = of,
    record = { names = lists.map(of.members, "name"), member = member, leaves = expression.leaves(of) } }
end

---A structure whose members are values of their own: in registers. Members that are nil have no value.
---@param order string[] @param values table<string, Value> @param bytes integer of it @return Value
function expression.members_of(order, values, bytes)
  return { code = "", type = "u64", bytes = bytes,
    record = { names = order, member = function(name) return values[name] end } }
end

-- Parsing -----------------------------------------------------------------------------------------

local Parser = {}
Parser.__index = Parser

function Parser:peek() return self.list[self.i] and self.list[self.i].text end
function Parser:take(text)
  if self:peek() ~= text then return false end
  self.i = self.i + 1
  return true
end
function Parser:need(text)
  if not self:take(text) then wrong("%q expected before %q in %q", text, self:peek() or "the end", self.text) end
end

local function is_float(v) return v.type == "f32" or v.type == "f64" end

-- A value narrower than int becomes int.
local function promoted(v)
  need_number(v)
  return v.small and { code = v.code .. " cvt:u32:s32", type = "s32" } or v
end

local axes <const> = { threadIdx = "tid", blockIdx = "ctaid", blockDim = "ntid", gridDim = "nctaid" }

-- A register by its own name: %f3, %rd4.
local function register(name)
  local kind = name:match("^(%a+)%d+$")
  local of = ({ f = "f32", fd = "f64", r = "s32", rd = "s64", rs = "s32", p = "u32" })[kind]
  if not of then wrong("%%%s is not a register: they are named as in %%r1, %%rd2, %%f3, %%fd4, %%p5", name) end
  return { code = ("%%%s:%s"):format(name, of), type = of }
end

local function built_in(name)
  local values = {}
  for _, axis in ipairs { "x", "y", "z" } do
    values[axis] = { code = ("%%%s.%s:u32"):format(name, axis), type = "u32" }
  end
  return expression.members_of({ "x", "y", "z" }, values, 12)
end

function Parser:primary()
  local token = self.list[self.i]
  if not token then wrong("the expression %q ends too early", self.text) end
  self.i = self.i + 1
  local text = token.text
  if text == "(" then
    local cast = self:cast()
    if cast then return cast end
    local inner = self:ternary()
    self:need ")"
    return inner
  end
  if text == "%" and self.list[self.i] then
    self.i = self.i + 1
    return register(self.list[self.i - 1].text)
  end
  if token.kind == "number" or text:find "^'." then
    local n, of = literal.read(token)
    return n and expression.number(n, of) or wrong("%s is not a number or character of C", text)
  end
  if axes[text] then return built_in(axes[text]) end
  if text == "warpSize" then return expression.number(32, "s32") end
  if text == "true" or text == "false" then
    local v = expression.number(text == "true" and 1 or 0, "s32")
    v.truth, v.bytes = true, 1
    return v
  end
  if text == "nullptr" or text == "NULL" then return expression.number(0, "u64") end
  if token.kind == "word" then return self:made() or self:named(text) end
  return wrong("%q is not expected in %q", text, self.text)
end

local unsaid <const> = { const = true, volatile = true, struct = true, __restrict__ = true } -- of a type in a cast

-- A type and how many * follow it, before a closing sign; nil, and nothing taken, if there is none.
function Parser:type_name(close)
  local from, parts, stars = self.i, {}, 0
  while self.list[self.i] and self.list[self.i].kind == "word" do
    local word = self:peek()
    if not unsaid[word] then parts[#parts + 1] = word end
    self.i = self.i + 1
  end
  while self:take "*" or stars > 0 and (self:take "const" or self:take "__restrict__") do stars = stars + 1 end
  local name = table.concat(parts, " ")
  local to = expression.type(name) or expression.vector(name) or self.types and self.types(name)
    or name == "void" and stars > 0 and expression.type "char" or nil
  if to and self:take(close) then return to, stars end
  self.i = from
end

local function as_truth(v)
  need_number(v)
  if v.truth then return v end
  return { code = ("%s #0:%s ne:%s"):format(v.code, v.type, v.type), type = "s32", truth = true }
end

-- What a cast to char or short takes off a number.
local function narrowed(to)
  if to.value == to.memory or to.value:match("^f") then return "" end
  local bits = to.bytes * 8
  if to.value == "u32" then return (" #%x:u32 and:u32"):format((1 << bits) - 1) end
  return (" #%x:s32 shl:s32 #%x:s32 shr:s32"):format(32 - bits, 32 - bits)
end

-- A value as another type. What a pointer to a pointer points to is an address.
local function cast_to(to, stars, v)
  if stars > 0 then
    if is_float(v) then wrong("a floating-point number is not cast to a pointer") end
    local element = stars == 1 and to or expression.POINTER
    return { code = expression.convert(v, "u64"), type = "u64", element = element, space = v.space or "generic",
      bytes = 8 }
  end
  if not to.value then wrong("a structure is not cast: cast its address to a pointer") end
  return { code = expression.convert(to.truth and as_truth(v) or v, to.value) .. narrowed(to), type = to.value,
    truth = to.truth, small = expression.small(to), bytes = to.bytes }
end

-- After "(": a cast, if a type follows.
function Parser:cast()
  local to, stars = self:type_name ")"
  return to and cast_to(to, stars, self:unary())
end

local casts <const> = { static_cast = true, reinterpret_cast = true, const_cast = true }

-- int(x), static_cast<int>(x): the word has been taken. nil, and nothing more taken, for another word.
function Parser:made()
  local from, to, stars = self.i
  if casts[self.list[from - 1].text] and self:take "<" then
    to, stars = self:type_name ">"
    if not to then wrong("a type expected in %q", self.text) end
  else
    self.i = from - 1
    if self:peek() ~= "sizeof" then to, stars = self:type_name "(" end
    self.i = to and self.i - 1 or from
  end
  if not to then return nil end
  self:need "("
  local v = self:ternary()
  self:need ")"
  return cast_to(to, stars, v)
end

-- What has a name; a function has no value.
function Parser:named(name)
  if self:peek() == "(" then wrong("print calls no functions: %s(", name) end
  return self.scope(name)
end

local widths <const> = { s64 = 8, u64 = 8, f64 = 8 }

-- The bytes of a value's type.
local function size_of(v)
  local bytes = v.dims and v.element.bytes or v.bytes or widths[v.type] or 4
  for _, n in ipairs(v.dims or {}) do bytes = bytes * n end
  if v.dims and v.dims[1] == 0 then wrong("sizeof: the array's size is given at the launch") end
  return expression.number(bytes, "u64")
end

-- sizeof(TYPE), sizeof x; x is not evaluated.
function Parser:size()
  local from = self.i
  if self:take "(" then
    local to, stars = self:type_name ")"
    if to then return expression.number(stars > 0 and 8 or to.bytes, "u64") end
  end
  self.i = from
  return size_of(self:unary())
end

---An element of an array, or of what a pointer points to.
---@param v Value @param at Value @return Value
function expression.index(v, at)
  if not v.element then wrong("only arrays and pointers are indexed") end
  if is_float(at) then wrong("an index is a whole number") end
  local rest, bytes = {}, v.element.bytes
  at = promoted(at)
  for i = 2, #(v.dims or {}) do
    rest[#rest + 1] = v.dims[i]
    bytes = bytes * v.dims[i]
  end
  local offset = ("%s #%x:u64 mul:u64"):format(expression.convert(at, "u64"), bytes)
  return expression.at(("%s %s add:u64"):format(v.code, offset), v.space or "generic", v.element, rest)
end

function Parser:member(v)
  local name = self:peek()
  self.i = self.i + 1
  if not v.record and v.element then wrong("%s is in what this refers to: name an element, or use ->", name or "") end
  if not v.record then wrong("there is no structure before .%s in %q", name or "", self.text) end
  local found = name and v.record.member(name)
  if not found then
    wrong("there is no member %s: the structure has %s", name or "", table.concat(v.record.names, ", "))
  end
  return found
end

function Parser:postfix()
  local v = self:primary()
  while true do
    if self:take "." then
      v = self:member(v)
    elseif self:take "->" then
      v = self:member(expression.index(v, expression.number(0, "s32")))
    elseif self:take "[" then
      local at = self:ternary()
      self:need "]"
      v = expression.index(v, at)
    else
      return v
    end
  end
end

-- + - ~ of a number.
function Parser:signed(sign, operation)
  local v = promoted(self:unary())
  if v.element then wrong("%s does not take pointers", sign) end
  if sign == "~" and is_float(v) then wrong("~ does not take floating-point numbers") end
  return { code = v.code .. operation:format(v.type), type = v.type }
end

local changes <const> = lists.set "++ -- = += -= *= /= %= &= |= ^="

function Parser:unary()
  if changes[self:peek()] then wrong("print changes nothing: %s in %q", self:peek(), self.text) end
  if self:take "-" then return self:signed("-", " neg:%s") end
  if self:take "+" then return self:signed("+", "") end
  if self:take "~" then return self:signed("~", " not:%s") end
  if self:take "sizeof" then return self:size() end
  if self:take "!" then
    local v = self:unary()
    need_number(v)
    return { code = ("%s #0:%s eq:%s"):format(v.code, v.type, v.type), type = "s32", truth = true }
  elseif self:take "*" then
    return expression.index(self:unary(), expression.number(0, "s32"))
  elseif self:take "&" then
    local v = self:unary()
    if not v.address then wrong("only what is in memory has an address") end
    return { code = v.address, type = "u64", element = v.refers, space = v.refers and v.space, bytes = 8 }
  end
  return self:postfix()
end

local levels <const> = {
  { ["||"] = "or" }, { ["&&"] = "and" }, { ["|"] = "or" }, { ["^"] = "xor" }, { ["&"] = "and" },
  { ["=="] = "eq", ["!="] = "ne" }, { ["<"] = "lt", ["<="] = "le", [">"] = "gt", [">="] = "ge" },
  { ["<<"] = "shl", [">>"] = "shr" }, { ["+"] = "add", ["-"] = "sub" }, { ["*"] = "mul", ["/"] = "div",
    ["%"] = "rem" } }
local truth <const> = lists.set "eq ne lt le gt ge"

-- A pointer plus a number.
local function moved(a, b, sign)
  if is_float(b) then wrong("a pointer is moved by whole numbers") end
  local offset = ("%s #%x:u64 mul:u64"):format(expression.convert(promoted(b), "u64"), a.element.bytes)
  return { code = ("%s %s %s:u64"):format(a.code, offset, sign), type = "u64", element = a.element, space = a.space }
end

local windows <const> = { shared = 0x400000000, ["local"] = 0x500000000 }

-- Two pointers as addresses that can be compared: of one space, or as the kernel has them.
local function alike(a, b)
  local function generic(v)
    local window = windows[v.space or ""]
    if not window then return v end
    local code = ("%s #%x:u64 add:u64"):format(v.code, window)
    return { code = code, type = "u64", element = v.element, space = "generic" }
  end
  if a.space == b.space then return a, b end
  return generic(a), generic(b)
end

-- How many elements are between two pointers.
local function distance(a, b)
  return { code = ("%s %s sub:s64 #%x:s64 div:s64"):format(a.code, b.code, a.element.bytes), type = "s64" }
end

local whole_only <const> = lists.set "rem or xor and shl shr"

local function binary(sign, name, a, b)
  if sign == "||" or sign == "&&" then -- the right side only for the lanes that need it
    return { code = ("%s lazy:%s %s join:%s"):format(as_truth(a).code, name, as_truth(b).code, name), type = "s32",
      truth = true }
  end
  if name == "add" and b.element and not a.element then a, b = b, a end
  if a.element and b.element and name == "add" then wrong("two pointers are not added") end
  if a.element and b.element then a, b = alike(a, b) end
  if a.element and b.element and name == "sub" then return distance(a, b) end
  if a.element and (name == "add" or name == "sub") then return moved(a, b, name) end
  if (a.element or b.element) and not truth[name] then wrong("%s does not take pointers", sign) end
  a, b = promoted(a), promoted(b)
  local of = ranks[a.type] >= ranks[b.type] and a.type or b.type
  if name == "shl" or name == "shr" then of = a.type end
  if whole_only[name] and (is_float(a) or is_float(b)) then
    wrong("%s does not take floating-point numbers", sign)
  end
  local code = ("%s %s %s:%s"):format(expression.convert(a, of), expression.convert(b, of), name, of)
  return { code = code, type = truth[name] and "s32" or of, truth = truth[name] }
end

-- ">>" comes as two signs, which are one only if nothing is between them.
function Parser:operator(level)
  local text = self:peek()
  if not text then return nil end
  if text == ">" and self.list[self.i + 1] and self.list[self.i + 1].text == ">" then
    if not levels[level][">>"] then return nil end
    self.i = self.i + 2
    return ">>", "shr"
  end
  local name = levels[level][text]
  if name then self.i = self.i + 1 end
  return name and text, name
end

function Parser:level(n)
  if n > #levels then return self:unary() end
  local v = self:level(n + 1)
  while true do
    local sign, name = self:operator(n)
    if not sign then return v end
    v = binary(sign, name, v, self:level(n + 1))
  end
end

function Parser:ternary()
  local v = self:level(1)
  if not self:take "?" then return v end
  local a = self:ternary()
  self:need ":"
  local b = self:ternary()
  if a.element and b.element then a, b = alike(a, b) else a, b = promoted(a), promoted(b) end
  local of = ranks[a.type] >= ranks[b.type] and a.type or b.type
  return { code = ("%s lazy:sel %s else:sel %s sel:%s"):format(as_truth(v).code, expression.convert(a, of),
    expression.convert(b, of), of), type = of, element = b.element and a.element,
    space = a.space }
end

local MOST <const> = 512 -- words that the emulator takes

---@param source string @param scope fun(name: string): Value raises for an unknown name
---@param types (fun(name: string): CxxType?)? structures, for casts
---@return Value
function expression.compile(source, scope, types)
  local self = setmetatable({ list = cxx.tokens(source), i = 1, text = source, scope = scope, types = types }, Parser)
  if #self.list == 0 then wrong("an expression is missing") end
  if #self.list > MOST then wrong("the expression is too long") end
  local v = self:ternary()
  if changes[self:peek()] then wrong("print changes nothing: %s in %q", self:peek(), source) end
  if self:peek() then wrong("%q is not expected after the expression in %q", self:peek(), source) end
  if select(2, v.code:gsub("%S+", "")) > MOST then wrong("the expression is too long") end
  return v
end

---A whole number known without a kernel: dimensions of arrays. nil if it is none.
---@param list string[] tokens @param constants table<string, string>
function expression.whole(list, constants, depth)
  local out = {}
  for _, word in ipairs(list) do
    if word:match("^[%a_]") then
      local v = constants[word]
      if not v or (depth or 0) > 8 then return nil end
      local n = expression.whole(lists.map(cxx.tokens(v), "text"), constants, (depth or 0) + 1)
      if not n then return nil end
      out[#out + 1] = tostring(n)
    elseif word:match("^%d") then
      out[#out + 1] = word:gsub("[uUlL]+$", "")
    elseif word:match("^[-+*/%%()]$") then
      out[#out + 1] = word == "/" and "//" or word
    else
      return nil
    end
  end
  local chunk = load("return " .. table.concat(out, " "), "=dimension", "t", {})
  local ok, n = pcall(chunk or error)
  return ok and math.tointeger(n) or nil
end

return expression

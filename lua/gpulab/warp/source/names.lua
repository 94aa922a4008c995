-- What the names of a kernel's source mean at a moment: parameters, variables, arrays, constants, as values of
-- expression.lua.
--
-- A kernel compiled with -G has debug information, which says where each variable is. Optimized code has none: there
-- a variable is known by the instructions of the lines that assign to it, if exactly one register comes out of such a
-- line; of several such registers it is, for each lane, in the one written last. Where that is not so, the compiler
-- has removed the variable or mixed it with others, and it has no value here.
local cxx = require "gpulab.warp.source.cxx"
local debug_info = require "gpulab.warp.source.debug_info"
local expression = require "gpulab.warp.source.expression"
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local ptx = require "gpulab.warp.source.ptx"
local code = require "gpulab.source"
local sources = require "gpulab.base.sources"
local text = require "gpulab.base.text"

local names = {}

local Names = {}
Names.__index = Names

-- The dimensions of an array as numbers; nil if one is not known.
local function dimensions(v, constants)
  local dims = {}
  for i, dim in ipairs(v.dims) do
    dims[i] = expression.whole(dim, constants) or (#dim == 0 and i == 1 and 0) or nil
    if not dims[i] then return nil end
  end
  return dims
end

local structure_of

-- What a type of the source is: a number, a vector, or one of its structures; nil if that is not known.
local function type_of(name, source, depth)
  local known = expression.type(name) or expression.vector(name)
    or source.enumerations[name] and expression.type "int"
  local members = not known and (depth or 0) < 8 and source.structures[name]
  if not members then return known end
  return structure_of(members, source, members.union, (depth or 0) + 1)
end

-- Of members as the source declares them.
function structure_of(members, source, union, depth)
  local list = {}
  for i, v in ipairs(members) do
    local of
    if v.pointer then
      of = v.indirect and expression.POINTER or expression.later(function() return type_of(v.type, source) end)
    else
      of = v.members and structure_of(v.members, source, v.union, depth) or type_of(v.type, source, depth)
    end
    local dims = dimensions(v, source.constants)
    if not dims or not of then return nil end
    list[i] = { name = v.name, type = of, pointer = v.pointer, dims = #dims > 0 and dims or nil,
      offset = union and 0 or nil }
  end
  return expression.structure(list)
end

-- The same for what debug information says.
local function type_of_debugged(type_)
  if not type_ then return nil end
  if type_.indirect then return expression.POINTER end
  if not type_.members then return expression.type(type_.name) end
  local list = {}
  for _, m in ipairs(type_.members) do
    local of = m.type.pointer and expression.later(function() return type_of_debugged(m.type) end)
      or type_of_debugged(m.type)
    if of then
      list[#list + 1] = { name = m.name, type = of, pointer = m.type.pointer,
        offset = m.offset, dims = #m.type.dims > 0 and m.type.dims or nil }
    end
  end
  return expression.structure(list, type_.bytes)
end

-- Arguments of a template as constants: _Z4tileILi33EEvPf, of <int WIDTH>, gives WIDTH = 33, and Ti an int.
local function template_constants(f, linked)
  local found = {}
  for i, argument in ipairs(#f.templates > 0 and code.arguments(linked) or {}) do
    local truth = argument == "true" and "1" or argument == "false" and "0"
    if f.templates[i] then found[f.templates[i]] = truth or argument end
  end
  return found
end

---@param kernel Kernel
function names.new(kernel)
  local module = kernel.module
  local self = setmetatable({ kernel = kernel, path = module.path, sources = {}, offsets = {} }, Names)
  self.sources[module.path] = { content = module.source }
  self.text = ptx.read(module.ptx)
  local ok, found = pcall(debug_info.read, self.text.module)
  self.debug = ok and found or nil
  return self
end

---The lines of a source file, and its functions; nil if it cannot be read.
function Names:source(path)
  local known = self.sources[path]
  if known == nil then
    local content = sources.read(path, not self.kernel.module.program and self.path or nil)
    known = content and { content = content } or false
    self.sources[path] = known
  end
  if not known then return nil end
  if not known.lines then
    known.lines = {}
    for line in (known.content .. "\n"):gmatch("(.-)\r?\n") do known.lines[#known.lines + 1] = line end
    known.functions, known.constants = cxx.functions(known.content), cxx.constants(known.content)
    known.structures = cxx.structures(known.content)
    known.enumerations = cxx.enumerations(known.content, known.constants)
    known.variables = cxx.file_scope(known.content)
  end
  return known
end

---The function of the source that a line is in.
---@return CxxFunction?
function Names:at(path, line)
  local source = self:source(path)
  for _, f in ipairs(source and source.functions or {}) do
    if f.first <= line and line <= f.last then return f, source end
  end
end

-- The function of the PTX that the moment is in: inlined calls are in their caller's.
local function physical(moment)
  local frame = lists.find(moment.frames, function(one) return not one.inlined end)
  return frame and frame.name
end

local function code_at(self, moment)
  local name = physical(moment)
  return name and self.text:code(name)
end

-- Optimized code ----------------------------------------------------------------------------------

local classes <const> = { s32 = "^%%r%d", u32 = "^%%r%d", s64 = "^%%rd%d", u64 = "^%%rd%d", f32 = "^%%f%d",
  f64 = "^%%fd%d", bool = "^%%p%d" }

local function fits(register, of, row)
  if row.op:match("^cvta") then return false end
  return register:match(classes[of]) ~= nil or of:match("32$") and register:match("^%%rs%d") and not row.op:match("f16")
end

-- The registers that come out of the rows of a line: the one that is written and not read again for a result of the
-- same kind; and where the line was repeated (an unrolled loop), those before it, which the same operation made of each
-- other.
local function outcome(rows, of)
  local result, made, read = nil, nil, {}
  for i = #rows, 1, -1 do
    local row = rows[i]
    for _, register in ipairs(row.writes) do
      if fits(register, of, row) then
        if not read[register] then
          if result and result ~= register then return nil end
          result, made = register, made or row
        end
        for _, r in ipairs(row.reads) do
          if fits(r, of, row) and r ~= register then read[r] = true end
        end
      end
    end
  end
  if not result then return nil end
  local chain, linked = { result }, { [result] = true }
  for i = #rows, 1, -1 do
    local row = rows[i]
    if row.op == made.op and row.writes[1] and linked[row.writes[1]] then
      for _, r in ipairs(row.reads) do linked[r] = true end
      if row.writes[1] ~= result then chain[#chain + 1] = row.writes[1] end
    end
  end
  return chain
end

-- A copy at the end of a line is for the next iteration; the value is in the register that was copied.
local function without_copies(rows)
  local kept = lists.select(rows, function(row) return not (row.op:match("^mov") and row.reads[1]) end)
  return #kept > 0 and kept or rows
end

-- Lines that write a register anywhere in the function.
local function lines_writing(fn, register)
  local lines = {}
  for _, row in ipairs(fn.rows) do
    for _, r in ipairs(row.writes) do
      if r == register then lines[row.line] = true end
    end
  end
  return lines
end

-- Do other variables get a value on the line?
local function has_company(f, v, line, vectors)
  for _, w in ipairs(f.variables) do
    local of = vectors and expression.vector(w.type) or expression.type(w.type)
    if w ~= v and w.assigned[line] and of and not w.pointer then return true end
  end
  return false
end

local function add_registers(found, fn, v, chain)
  for _, register in ipairs(chain or {}) do
    for line in pairs(lines_writing(fn, register)) do
      if not v.assigned[line] then return false end
    end
  end
  table.move(chain or {}, 1, #(chain or {}), #found + 1, found)
  return chain ~= nil
end

-- Does what a line assigns not count at the current line? A line between them assigns, too, and left no register or
-- was computed earlier; or the line itself is further down and was computed ahead of the current one.
local function is_stale(one, lines, current)
  for _, other in ipairs(lines) do
    local between = one.line < other.line and other.line < current.line
    if between and (not other.registers or other.first < one.first) then return true end
  end
  return one.line > current.line and one.first < current.first
end

-- Registers that hold the variable: of each line that assigns to it, where the function was inlined to. Of a line that
-- does not show it, the registers it writes, with a `!`: after it the variable has no value.
local function registers_of(self, f, v, of, moment, file)
  local MOST <const> = 16
  local fn = code_at(self, moment)
  if not fn then return {} end
  local here = fn.by_line[moment.text_line]
  local function rows_of(line)
    return lists.select(fn.rows, function(row)
      return row.line == line and row.file == file and (not here or row.inlined == here.inlined)
    end)
  end
  local lines, found, lost = {}, {}, {}
  for line in pairs(v.assigned) do
    local rows, registers = rows_of(line), {}
    local tells = #rows > 0 and not has_company(f, v, line)
      and add_registers(registers, fn, v, outcome(without_copies(rows), of))
    lines[#lines + 1] = { line = line, rows = rows, registers = tells and registers,
      first = rows[1] and rows[1].at or math.huge }
  end
  local current = moment.frames[1].line
  local before = rows_of(current)[1]
  current = { line = current, first = before and before.at or moment.text_line }
  for _, one in ipairs(lines) do
    local stale = one.registers and is_stale(one, lines, current)
    for _, register in ipairs(not stale and one.registers or {}) do found[#found + 1] = register end
    for _, register in ipairs(stale and one.registers or {}) do lost[#lost + 1] = "!" .. register end
    for _, row in ipairs(one.registers and {} or one.rows) do
      for _, register in ipairs(row.writes) do lost[#lost + 1] = "!" .. register end
    end
  end
  local gone = lists.set(table.concat(lost, " "))
  found = lists.select(found, function(register) return not gone["!" .. register] end)
  if #found == 0 or #found + #lost > MOST then return {} end
  -- In a function that calls itself the last one may be of another call.
  if #found + #lost > 1 and self.text:recursive(physical(moment)) then return {} end
  table.sort(found)
  table.sort(lost)
  return table.move(lost, 1, #lost, #found + 1, found)
end

-- A parameter that is not assigned to: in the register that takes it.
local function parameter(self, v, of, moment)
  local fn = code_at(self, moment)
  if not fn or moment.frames[1].inlined then return nil end
  local wanted = fn.params[v.param] and fn.params[v.param].name
  for _, row in ipairs(fn.rows) do
    if row.op:match "^ld%.param" and row.symbol == wanted and row.writes[1] then
      return { code = ("%s:%s"):format(row.writes[1], of), type = of }
    end
  end
end

-- Values ------------------------------------------------------------------------------------------

local function pointer_to(v, element)
  v.element, v.space, v.type = element, "generic", "u64"
  return v
end

-- The linked name of a shared, static or file-scope variable: of the function's own, if several are called that.
local function symbol_of(self, moment, v, space)
  local linked, best = physical(moment), nil
  local own = (linked or ""):gsub("^_Z", "")
  for _, known in ipairs(self.text:variables(linked)) do
    if known.space == (space or "shared") and code.variable(known.name) == v.name
        and (not best or known.name:find(own, 1, true)) then
      best = known.name
    end
  end
  return best
end

local function in_memory(self, v, moment, element, dims, space)
  local symbol = symbol_of(self, moment, v, space)
  if not symbol then return nil, "is not in the compiled code" end
  return expression.at(("%s:%s"):format(space, symbol), space, element, dims)
end

-- With -G: where debug information says.
local function debugged(self, d, moment)
  local labels, at = code_at(self, moment).lines, moment.text_line
  for _, p in ipairs(d.places) do
    local inside = not p.from or (labels[p.from] or math.huge) <= at and at < (labels[p.to] or 0)
    if inside and (p.register or p.symbol) then return p end
  end
end

-- The register of a place. A range of the text that goes on in another basic block is not to be trusted there: the code
-- may have got to it from elsewhere. There the variable is in the one of its registers that the lane wrote last.
local function register_of(self, d, p, moment)
  local MOST <const> = 16
  local fn, list, seen = code_at(self, moment), {}, {}
  local from, crosses = p.from and fn.lines[p.from], false
  for label, at in pairs(from and fn.lines or {}) do
    crosses = crosses or from < at and at <= moment.text_line and label:match "^%$L__BB" ~= nil
  end
  crosses = crosses and not self.text:recursive(physical(moment)) -- there the last one may be of another call
  for _, other in ipairs(crosses and d.places or {}) do
    local register = other.register
    if register and not seen[register] then list[#list + 1], seen[register] = register, true end
  end
  return #list > 0 and #list <= MOST and table.concat(list, ",") or p.register
end

local function debug_variables(self, moment)
  local list = self.debug and self.debug[physical(moment) or ""]
  local labels, at, found = list and code_at(self, moment).lines, moment.text_line, {}
  for _, d in ipairs(list or {}) do
    local scope = d.scope
    if not scope or (labels[scope.from] or 0) <= at and at < (labels[scope.to] or math.huge) then
      found[#found + 1] = d
    end
  end
  return found
end

local function value_of_debugged(self, d, moment)
  local of = type_of_debugged(d.type)
  if not of then return nil, "is of a type that is not shown" end
  local p = debugged(self, d, moment)
  if p and p.symbol and p.symbol:match("^__local_depot") then
    local at = ("local:%s"):format(p.symbol)
    if p.offset ~= 0 then at = ("%s #%x:u64 add:u64"):format(at, p.offset) end
    if not d.type.pointer or #d.type.dims > 0 then return expression.at(at, "local", of, d.type.dims) end
    return pointer_to(expression.at(at, "local", expression.type "long"), of)
  end
  if #d.type.dims > 0 then
    local v = { name = d.name }
    local symbol = p and p.symbol or symbol_of(self, moment, v)
    if symbol and symbol_of(self, moment, v) == symbol then
      return expression.at("shared:" .. symbol, "shared", of, d.type.dims)
    end
    return nil, "is an array in local memory or registers"
  end
  local passed = p and p.symbol and d.param and p.symbol:match("_param_(%d+)$") -- a parameter that stays where it came
  if not p or not p.register and not passed then return nil, "has no value here" end
  if of.members and not d.type.pointer then return nil, "is a structure in registers" end
  local kind = d.type.pointer and "u64" or of.value
  local at = passed and ("param+%d"):format(code_at(self, moment).params[tonumber(passed) + 1].offset)
    or register_of(self, d, p, moment)
  if d.type.pointer then return pointer_to({ code = at .. ":u64", bytes = 8 }, of) end
  return { code = ("%s:%s"):format(at, kind), type = kind, bytes = of.bytes, small = expression.small(of) }
end

-- An array of optimized code: the one in local memory, if the function has no other that could be.
local function local_array(self, f, of, dims, moment)
  local fn, depot, bytes, arrays = code_at(self, moment), nil, of.bytes, 0
  for _, n in ipairs(dims) do bytes = bytes * n end
  for _, w in ipairs(f.variables) do
    if #w.dims > 0 and not w.shared then arrays = arrays + 1 end
  end
  for _, each in ipairs(fn and fn.locals or {}) do depot = each.space == "local" and each or depot end
  if not depot or arrays ~= 1 or depot.bytes ~= bytes or moment.frames[1].inlined then return nil end
  return expression.at("local:" .. depot.name, "local", of, dims)
end

-- A vector of optimized code that one line assigns, by one load of all its components.
local function vector_of_line(self, f, v, of, moment)
  local fn, line = code_at(self, moment), next(v.assigned)
  if not fn or not line or next(v.assigned, line) or not expression.vector(v.type) then return nil end
  if has_company(f, v, line, true) then return nil end
  local here, loaded = fn.by_line[moment.text_line], nil
  for _, row in ipairs(fn.rows) do
    if row.line == line and row.file == moment.frames[1].file
        and (not here or row.inlined == here.inlined) and row.op:match("^ld") and #row.writes == #of.members then
      if loaded then return nil end
      loaded = row
    end
  end
  if not loaded then return nil end
  local order, values = {}, {}
  for i, m in ipairs(of.members) do
    if not loaded.writes[i]:match(classes[m.type.value]) then return nil end
    for other in pairs(lines_writing(fn, loaded.writes[i])) do
      if other ~= line then return nil end
    end
    order[i], values[m.name] = m.name, { code = ("%s:%s"):format(loaded.writes[i], m.type.value), type = m.type.value }
  end
  return expression.members_of(order, values, of.bytes)
end

-- A variable of the source as a value; nil and why not.
local function value_of(self, f, source, v, moment)
  local frame = moment.frames[1]
  local constants = template_constants(f, frame.name)
  local of = v.indirect and expression.POINTER or type_of(constants[v.type] or v.type, source)
  if v.type == "auto" or not of then return nil, "is of a type that is not shown" end
  setmetatable(constants, { __index = source.constants })
  if v.shared or #v.dims > 0 then
    local dims = dimensions(v, constants)
    if not dims then return nil, "has dimensions that are not known here" end
    if v.shared then return in_memory(self, v, moment, of, dims, "shared") end
    local value = local_array(self, f, of, dims, moment)
    if value then return value end
    return nil, "is an array in registers, or shares local memory with others"
  end
  if of.members and not v.pointer then
    local value = vector_of_line(self, f, v, of, moment)
    if value then return value end
    return nil, "is a structure whose members the compiler merged with others"
  end
  local kind = v.pointer and "u64" or of.value
  local value
  if v.param and not next(v.assigned) then value = parameter(self, v, kind, moment) end
  if not value then
    local truth = (constants[v.type] or v.type) == "bool"
    local list = registers_of(self, f, v, truth and "bool" or kind, moment, frame.file)
    if #list == 0 then return nil, "was removed or merged with others by the compiler" end
    value = { code = ("%s:%s"):format(table.concat(list, ","), kind), type = kind,
      passed = lists.any(lists.keys(v.assigned), function(line) return line < frame.line end) }
  end
  if v.pointer then return pointer_to(value, of) end
  value.bytes, value.small = of.bytes, expression.small(of)
  return value
end

-- A variable at file scope: in shared, global or constant memory.
local function file_variable(self, v, source, moment)
  local of, dims = type_of(v.type, source), dimensions(v, source.constants)
  if not dims or not of and not v.pointer then return nil end
  local element = v.pointer and expression.POINTER or of
  local value, why = in_memory(self, v, moment, element, dims, v.space)
  if not value then failure.usage(("%s %s"):format(v.name, why)) end
  return value and v.pointer and #dims == 0 and of and pointer_to(value, of) or value
end

-- Names at file scope: constants, enumerators, variables.
local function at_file_scope(self, name, source, moment)
  local words = lists.map(cxx.tokens(source.constants[name] or ""), "text")
  local n = #words > 0 and expression.whole(words, source.constants)
  if n then return expression.number(n, "s32") end
  if source.variables[name] then return file_variable(self, source.variables[name], source, moment) end
  local kind = source.content:match("extern%s+__shared__%s+([%w_ ]-)%s+" .. name .. "%s*%[")
  local of = kind and type_of(kind, source)
  if of then return in_memory(self, { name = name }, moment, of, { 0 }, "shared") end
end

---What is in scope, parameters first: {name, type, value?, why?, fresh}.
function Names:visible(moment)
  local frame, list, seen = moment.frames[1], {}, {}
  if not frame then return list end
  local f, source = self:at(frame.file, frame.line)
  if not f then return list end
  -- A variable of this line has a value only if the lanes were here before, as in a loop.
  local function add(name, kind, line, value, why)
    if not seen[name] then seen[name] = #list + 1 end
    list[seen[name]] = { name = name, type = kind, value = value, why = why, fresh = line == frame.line }
  end
  if self.debug then
    for _, d in ipairs(debug_variables(self, moment)) do
      if d.param or d.line <= frame.line then
        local value, why = value_of_debugged(self, d, moment)
        if value or d.line < frame.line then
          add(d.name, d.type and d.type.name .. (d.type.pointer and "*" or "") or "?", not d.param and d.line, value,
            why)
        end
      end
    end
  end
  for _, v in ipairs(f.variables) do
    local here = v.first <= frame.line and frame.line <= v.last
    local wanted = v.shared or not self.debug -- else debug information knows it, and knows better
    if here and wanted and not (self.debug and seen[v.name]) then
      local value, why = value_of(self, f, source, v, moment)
      if value or v.param or v.line < frame.line then
        add(v.name, v.type .. (v.pointer and "*" or ""), not v.param and not v.shared and v.line, value, why)
      end
    end
  end
  return list
end

---Is a variable that the expression names declared at the moment, whether it has a value there or not?
---@param moment StepMoment @param source string
function Names:declares(moment, source)
  local words = {}
  for _, token in ipairs(cxx.tokens(source)) do words[token.text] = token.kind == "word" end
  return lists.any(self:visible(moment), function(v) return words[v.name] end)
end

---Structures of the source for expression.compile, for casts.
---@param moment StepMoment @return fun(name: string): CxxType?
function Names:types(moment)
  local frame = moment.frames[1]
  local source = self:source(frame and frame.file or self.path)
  local f = source and frame and self:at(frame.file, frame.line)
  local constants = f and template_constants(f, frame.name) or {}
  return function(name) return source and type_of(constants[name] or name, source) end
end

---Resolves names at a moment for expression.compile.
---@param moment StepMoment @return fun(name: string): Value
function Names:scope(moment)
  local function has_none(name, why)
    failure.usage(("%s %s"):format(name, why), not self.debug and why:match("removed")
      and ("`%s` compiles the kernel without optimization"):format(self.kernel.module.program and "nvcc -G"
      or "debug -G STEP") or nil)
  end
  return function(name)
    local v = lists.find(self:visible(moment), "name", name)
    if v and v.value then return v.value end
    if v then has_none(name, v.why) end
    local frame = moment.frames[1]
    local f, source = self:at(frame and frame.file or self.path, frame and frame.line or 0)
    source = source or self:source(self.path)
    local constants = f and frame and template_constants(f, frame.name) or {}
    local n = constants[name] and math.tointeger(tonumber(constants[name]))
    if n then return expression.number(n, "s32") end
    local found = at_file_scope(self, name, source, moment)
    if found then return found end
    if lists.any(f and f.variables, function(d) return d.name == name and frame and d.line == frame.line end) then
      has_none(name, "is declared at this line: it has no value yet, or was removed by the compiler")
    end
    local near = text.nearest(name, lists.append({ "threadIdx", "blockIdx", "blockDim", "gridDim" },
      lists.map(self:visible(moment), "name")))
    failure.usage(("there is no variable %s here"):format(name),
      near and ("did you mean %s?"):format(near) or "`info locals` lists the variables")
  end
end

return names

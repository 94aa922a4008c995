-- What the host code of a project may do. It runs in one process with the framework that judges it, so it launches
-- kernels, allocates memory of the device, and asks the GPU; it copies nothing, ends no process, and opens no file. The
-- program is confined besides, and what it does is seen from outside (exec/confined.h): this says early what is wrong.
local lists = require "gpulab.base.lists"
local source_tokens = require("gpulab.source").tokens
local text = require "gpulab.base.text"

local allowed = {}

local headers <const> = lists.set [[cuda_runtime cuda_runtime_api device_launch_parameters cuda_fp16 cuda_bf16
  cooperative_groups cuda_pipeline mma math_constants vector_types vector_functions
  stdint cstdint stddef cstddef climits limits cfloat float algorithm utility type_traits array vector cmath math cstdio
  stdio cassert assert numeric tuple memory functional iterator initializer_list optional variant bitset deque list
  queue stack map set unordered_map unordered_set string string_view cstring iostream iomanip sstream chrono ctime time
  stdexcept exception cctype complex ratio bit concepts span]]
local folders <const> = lists.set "cooperative_groups cub cuda"
local directives <const> = lists.set "include define undef if ifdef ifndef else elif endif error pragma"
local pragmas <const> = lists.set "unroll nounroll once nv_diag_suppress nv_diag_default diag_suppress diag_default"

-- Anywhere, and followed by a parenthesis alone, where they are names that one gives to functions of one's own. Both
-- may be members of one's own.
local never <const> = lists.set [[exit _exit _Exit quick_exit at_quick_exit atexit on_exit abort raise sigaction system
  popen fork vfork posix_spawn posix_spawnp dlopen dlsym dlmopen syscall mmap mprotect munmap mremap openat creat
  freopen fdopen fopen tmpfile getenv secure_getenv setenv putenv unsetenv setjmp longjmp _setjmp ptrace environ main
  process_vm_readv process_vm_writev]]
local never_called <const> = lists.set [[kill signal open read write pread pwrite close remove rename unlink clone
  connect]]
local not_members <const> = lists.set "extern asm constructor destructor thread_local _Pragma __pragma"
local patterns <const> = { "^__attribute", "^__asm", "^__builtin", "^__managed__$", "^__libc", "^pthread_", "^exec[lv]",
  "^cu[A-Z]" }
-- Of CUDA's runtime: whatever moves data between host and device, or runs host code later.
local of_cuda <const> = {}
for start in ([[Memcpy HostAlloc HostRegister HostUnregister HostGet MallocHost FreeHost
  MallocManaged LaunchHostFunc MemPrefetch MemAdvise MemDiscard Graph%u Graphics GetSymbol GetDriverEntryPoint
  GetExportTable Import Export MemPoolImport MemPoolExport External SignalExternal WaitExternal DestroyExternal Ipc
  StreamAddCallback DeviceReset ThreadExit DeviceEnablePeer DeviceDisablePeer SetDevice Logs
  UserObject]]):gmatch "%S+" do
  of_cuda[#of_cuda + 1] = "^" .. start
end
-- Before a name they make no declaration of it.
local no_type <const> = lists.set [[return throw new delete case goto else do sizeof alignof decltype typeid and or not
  xor compl bitand bitor not_eq and_eq or_eq xor_eq co_await co_yield co_return requires noexcept using typename]]
local attributes <const> = lists.set "maybe_unused nodiscard likely unlikely fallthrough noreturn"

local function is_header(name)
  local folder, file = name:match "^([%w_]+)/[%w_/.-]+$", name:match "^([%w_]+)%.?h?p?p?$"
  if folder then return folders[folder] and not name:find("..", 1, true) end
  return headers[file]
end

-- nil: the directive that begins with the token at `at` is allowed.
local function directive_problem(code, at)
  local line = code.lines[at]
  local name = code.lines[at + 1] == line and code[at + 1] or ""
  if not directives[name] then return ("#%s is not allowed"):format(text.printable(name)) end
  if name == "include" then
    local header = code.originals[line]:match "^%s*#%s*include%s*[<\"]([^>\"]*)[>\"]%s*"
    if not header or not is_header(header) then
      return ("#include %s is not allowed"):format(text.printable(header or "of a macro"))
    end
  end
  if name == "pragma" and not pragmas[code[at + 2]] then
    return ("#pragma %s is not allowed"):format(text.printable(code[at + 2] or ""))
  end
  for i = at + 1, #code do
    if code.lines[i] ~= line then break end
    if code[i] == "#" and code[i + 1] == "#" then return "## is not allowed" end
  end
end

local function is_word(token) return token and token:find "^[%a_$\x80-\xff]" end

-- Is the name at `at` that of a member: a.read(i), or declared in a class: int read(int i)? A macro in front could be
-- anything.
local function is_member(code, at)
  local before, second = code[at - 1] or "", code[at - 2] or ""
  if before == "." or before == ">" and second == "-" and code[at - 3] ~= "-" then return true end -- no i-- > read(0)
  if before == ":" and second == ":" then return code.classes[code[at - 3]] end
  if not code.in_class[at] then return false end
  return before == "," or is_word(before) and not no_type[before] and not code.macros[before]
end

local function word_problem(code, at)
  local word = code[at]
  if not_members[word] then return true end
  if never[word] or never_called[word] and code[at + 1] == "(" then return not is_member(code, at) end
  for _, pattern in ipairs(patterns) do
    if word:find(pattern) then return true end
  end
  local of_runtime = word:match "^_*cuda(%u.*)"
  for _, start in ipairs(of_runtime and of_cuda or {}) do
    if of_runtime:find(start) then return true end
  end
end

-- [[a, b::c]]: what is none of the attributes.
local function attribute_problem(code, at)
  for i = at + 2, #code do
    if code[i] == "]" then return nil end
    if is_word(code[i]) and not attributes[code[i]] then
      local whole = code[i + 1] == ":" and code[i + 2] == ":" and code[i] .. "::" .. (code[i + 3] or "") or code[i]
      return ("the attribute %s is not allowed"):format(text.printable(whole))
    end
  end
end

local operators <const> = { new = "replacing new or delete", delete = "replacing new or delete" }
local digraphs <const> = lists.set "%: <: :>"

local function token_problem(code, at)
  local token, following = code[at], code[at + 1] or ""
  if token == "\\" or digraphs[token .. following] and not (token == "<" and code[at + 2] == ":") then
    return "a backslash or a digraph is not allowed"
  end
  if token == "[" and following == "[" then return attribute_problem(code, at) end
  if not is_word(token) then return nil end
  if (token == "thread" or token == "jthread") and code[at - 3] == "std" then
    return "a thread of the host is not allowed"
  end
  local alias = token == "std" and following ~= ":" and code[at - 1] ~= "namespace"
  if alias or token == "namespace" and following == "[" then
    return "an alias of namespace std is not allowed"
  end
  if token == "namespace" and following == "std" and code[at - 1] ~= "using" then
    return "adding to namespace std is not allowed"
  end
  if token == "operator" and operators[following] then return operators[following] .. " is not allowed" end
  if word_problem(code, at) then return text.printable(token) .. " is not allowed" end
end

-- Behind brackets that open at `at`.
local function after_brackets(code, at, open, close)
  local depth = 0
  for i = at, #code do
    depth = depth + (code[i] == open and 1 or code[i] == close and -1 or 0)
    if depth == 0 then return i + 1 end
  end
  return #code + 1
end

-- Where the body of a class begins whose head begins at `at`, __align__(16) A<int> final : B { ... }; and its name.
local function class_body(code, at)
  while code[at] == "__align__" or code[at] == "alignas" do at = after_brackets(code, at + 1, "(", ")") end
  local name = is_word(code[at]) and code[at] or nil
  if name then at = at + 1 end
  if name and code[at] == "<" then at = after_brackets(code, at, "<", ">") end
  if code[at] == "final" then at = at + 1 end
  if code[at] == ":" then
    while code[at] and code[at] ~= "{" and code[at] ~= ";" do at = at + 1 end
  end
  return code[at] == "{" and at or nil, name
end

-- Which tokens are in a class itself, outside of what is in its parentheses and functions; the names of classes and of
-- macros.
local function add_scopes(code)
  local scopes, parens, bodies = {}, 0, {}
  for at, token in ipairs(code) do
    if token == "define" and code[at - 1] == "#" and code[at + 1] then code.macros[code[at + 1]] = true end
    if (token == "struct" or token == "class" or token == "union") and code[at - 1] ~= "enum" then
      local body, name = class_body(code, at + 1)
      if body then bodies[body], code.classes[name or ""] = true, true end
    elseif token == "{" then
      scopes[#scopes + 1] = { class = bodies[at], parens = parens }
    elseif token == "}" and #scopes > 0 then
      parens, scopes[#scopes] = scopes[#scopes].parens, nil
    end
    parens = parens + (token == "(" and 1 or token == ")" and -1 or 0)
    local scope = scopes[#scopes]
    code.in_class[at] = scope and scope.class and scope.parens == parens
  end
  for name in pairs(code.macros) do code.classes[name] = nil end
end

---What a project's file contains that it may not; nil: nothing.
---@param source string @return string? problem, integer? line
function allowed.problem(source)
  source = source:gsub("\\[ \t\v\f\r]*\n", "")
  local code, lines, line = source_tokens(source)
  if not code then return lines .. " is not allowed", line end
  code.lines, code.originals = lines, text.lines(source)
  code.macros, code.classes, code.in_class = {}, {}, {}
  add_scopes(code)
  for at, token in ipairs(code) do
    local begins = token == "#" and lines[at - 1] ~= lines[at]
    local problem = begins and directive_problem(code, at) or token_problem(code, at)
    if problem then return problem, lines[at] end
  end
end

return allowed

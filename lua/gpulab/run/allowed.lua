-- What the host code of a project may do. It runs in one process with the framework that judges it, so it launches
-- kernels, allocates memory of the device, and asks the GPU; it copies nothing, ends no process, and opens no file.
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local allowed = {}

local headers <const> = { "cuda_runtime", "cuda_runtime_api", "device_launch_parameters", "cuda_fp16", "cuda_bf16",
  "cooperative_groups", "stdint", "cstdint", "stddef", "cstddef", "climits", "limits", "algorithm", "utility",
  "type_traits", "array", "vector", "cmath", "math", "cstdio", "stdio", "cassert", "assert" }
local folders <const> = lists.set "cooperative_groups cub cuda"
local directives <const> = lists.set "include define undef if ifdef ifndef else elif endif error pragma"

-- Anywhere, and followed by a parenthesis alone, where they are names that one gives to functions of one's own.
local never <const> = lists.set [[exit _exit _Exit quick_exit at_quick_exit atexit on_exit abort raise sigaction system
  popen fork vfork posix_spawn posix_spawnp dlopen dlsym dlmopen syscall mmap mprotect munmap mremap openat creat
  freopen fdopen fopen tmpfile getenv secure_getenv setenv putenv unsetenv setjmp longjmp _setjmp ptrace environ main
  extern asm constructor destructor thread_local process_vm_readv process_vm_writev]]
local never_called <const> = lists.set [[kill signal open read write pread pwrite close remove rename unlink clone
  connect]]
local patterns <const> = { "^__attribute", "^__asm", "^__builtin", "^__managed__$", "^__libc", "^pthread_", "^exec[lv]",
  "^cu[A-Z]" }
-- Of CUDA's runtime: whatever moves data between host and device, or runs host code later.
local of_cuda <const> = { "Memcpy", "Host", "Managed", "Prefetch", "Advise", "Graph", "FromSymbol", "SymbolAddress",
  "Import", "Export", "Ipc", "Callback", "Reset", "External", "Peer", "SetDevice" }

-- Spaces for comments and literals, and for continued lines; the lines keep their numbers.
local function plain(source)
  source = source:gsub("\\\r?\n", "")
  local out, at = {}, 1
  local function skip(pattern)
    local _, last = source:find(pattern, at)
    last = last or #source
    out[#out + 1] = source:sub(at, last):gsub("[^\n]", " ")
    at = last + 1
  end
  while at <= #source do
    local two, one = source:sub(at, at + 1), source:sub(at, at)
    if two == "//" then skip "^//[^\n]*"
    elseif two == "/*" then skip "^/%*.-%*/"
    elseif one == '"' and source:sub(at - 1, at - 1) == "R" then return nil
    elseif one == '"' then
      local last = at + 1
      while last <= #source and source:sub(last, last) ~= '"' and source:sub(last, last) ~= "\n" do
        last = last + (source:sub(last, last) == "\\" and 2 or 1)
      end
      out[#out + 1], at = '""' .. (" "):rep(last - at - 1), last + 1
    elseif one == "'" and not source:sub(at - 1, at - 1):match "%x" then
      local last = source:sub(at + 1, at + 1) == "\\" and at + 3 or at + 2
      while last < #source and source:sub(last, last) ~= "'" and source:sub(last, last) ~= "\n" do last = last + 1 end
      out[#out + 1], at = "0", last + 1
    else
      local _, last = source:find("^[^/\"']+", at)
      last = last or at
      out[#out + 1], at = source:sub(at, last), last + 1
    end
  end
  return table.concat(out)
end

local function is_header(name)
  local folder, file = name:match "^([%w_]+)/[%w_/.-]+$", name:match "^([%w_]+)%.?h?p?p?$"
  if folder then return folders[folder] and not name:find("..", 1, true) end
  for _, header in ipairs(headers) do
    if file == header then return true end
  end
  return false
end

-- nil: the directive is allowed.
local function directive_problem(line, original)
  local name = line:match "^%s*#%s*([%a_]*)"
  if not name or name == "" then return nil end
  if not directives[name] then return ("#%s is not allowed"):format(name) end
  if name == "include" then
    local header = original:match "^%s*#%s*include%s*[<\"]([^>\"]*)[>\"]%s*"
    if not header or not is_header(header) then
      return ("#include %s is not allowed"):format(text.printable(header or "of a macro"))
    end
  end
  if line:find("##", 1, true) then return "## is not allowed" end
end

local function word_problem(word, after)
  if never[word] or never_called[word] and after:match "^%s*%(" then return true end
  for _, pattern in ipairs(patterns) do
    if word:find(pattern) then return true end
  end
  for _, part in ipairs(word:match "^_*cuda[A-Z]" and of_cuda or {}) do
    if word:find(part, 1, true) then return true end
  end
end

local function line_problem(line)
  if line:find("\\", 1, true) or line:find("%:", 1, true) then return "a backslash or a digraph is not allowed" end
  if line:match "std%s*::%s*j?thread%f[^%w_]" then return "a thread of the host is not allowed" end
  for word, at in line:gmatch "%f[%w_]([%a_][%w_]*)()" do
    if word_problem(word, line:sub(at)) then return word .. " is not allowed" end
  end
end

local attributes <const> = lists.set "maybe_unused nodiscard likely unlikely"

-- What may stand on more than one line.
local function spread_problem(code)
  local function found(at, what)
    local _, before = code:sub(1, at):gsub("\n", "")
    return what .. " is not allowed", before + 1
  end
  for at, attribute in code:gmatch "()%[%[%s*([%w_:]+)" do
    if not attributes[attribute] then return found(at, "the attribute " .. attribute) end
  end
  local at = code:find "namespace%s+std%f[^%w_]"
  if at then return found(at, "adding to namespace std") end
  at = code:find "operator%s+new%f[^%w_]" or code:find "operator%s+delete%f[^%w_]"
  if at then return found(at, "replacing new or delete") end
end

---What a project's file contains that it may not; nil: nothing.
---@param source string @return string? problem, integer? line
function allowed.problem(source)
  local code = plain(source)
  if not code then return "a raw string is not allowed", 1 end
  local originals = text.lines((source:gsub("\\\r?\n", "")))
  for number, line in ipairs(text.lines(code)) do
    local problem = directive_problem(line, originals[number] or "") or line_problem(line)
    if problem then return problem, number end
  end
  return spread_problem(code)
end

return allowed

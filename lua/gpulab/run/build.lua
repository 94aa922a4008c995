-- nvcc makes a program of a file, which is removed after its run: for gpulab exec FILE.cu, and for projects.
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local given = require "gpulab.base.given"
local host = require "gpulab.host"
local jobs = require "gpulab.jobs"
local lists = require "gpulab.base.lists"
local removed = require "gpulab.run.removed"
local text = require "gpulab.base.text"

local build = {}

local MOST_SAID <const> = 16 << 20 -- bytes of nvcc's messages

-- The toolkit that gpulab was built with, else the one in PATH.
function build.nvcc()
  local places = { os.getenv("CUDA_HOME") or false, host.cuda_home, "/usr/local/cuda" }
  for i, home in ipairs(places) do places[i] = home and home .. "/bin" or "/nonexistent" end
  for folder in (os.getenv("PATH") or ""):gmatch("[^:]+") do places[#places + 1] = folder end
  for _, folder in ipairs(places) do
    if host.kind(folder .. "/nvcc") == "file" then return folder .. "/nvcc" end
  end
end

local function needed_nvcc()
  return build.nvcc() or failure.raise("setup", "nvcc was not found", nil,
    "install the CUDA Toolkit, or compile the program elsewhere and run gpulab exec ./program")
end

-- The oldest that nvcc 13 compiles for: its PTX runs on emulated GPUs that are older, too.
local OLDEST <const> = 75

-- PTX alone is enough to run, and saves the time of ptxas. Counters take the widths of accesses from SASS.
local function architecture(model, counting)
  local name = ("%d%s"):format(math.max(model.cc, OLDEST), model.specific_code and "a" or "")
  local code = counting and ("[compute_%s,sm_%s]"):format(name, name) or "compute_" .. name
  return ("-gencode=arch=compute_%s,code=%s"):format(name, code)
end

-- It is removed when the variable that holds it goes out of scope.
local Built <const> = { __close = function(self) os.remove(self.path) end }

-- What a command prints, of at most so many bytes, and how it ended. Ctrl-C ends it.
function build.output_of(command)
  local job <close> = jobs.start({ "/bin/sh", "-c", command .. " 2>&1" }, "/dev/null")
  local said, bytes = {}, 0
  while bytes < MOST_SAID do
    jobs.wait({ job }, 1)
    local piece = job:read()
    if not piece then break end
    said[#said + 1], bytes = piece, bytes + #piece
  end
  return table.concat(said), job:finish()
end

-- nvcc gives names to a shell of its own, in double quotes, and takes braces and backslashes for more than characters.
local function check_names(names)
  for _, name in ipairs(names) do
    local character = name:match('[$`"\\\n{}]')
    if character then
      failure.usage(("nvcc cannot be given %s: its shell would run or change what %s begins"):format(
        text.printable(name), text.printable(character)), "write or name it differently, or compile the file elsewhere")
    end
  end
end

---nvcc shows source as the compiler proper gets it: __attribute__((global)) is written __global__ again, and the caret
---stays below its character.
---@param said string @return string
function build.as_written(said)
  return (said:gsub("([^\n]*__attribute__%(%([^\n]*)\n( *)%^", function(source, gap)
    local shift = 0
    source = source:gsub("()__attribute__%(%(([%a_]+)([^\n]-)%)%)()", function(from, name, more, to)
      local word = ("__%s__%s"):format(name, more)
      if to <= #gap + 1 then shift = shift + to - from - #word end
      return word
    end)
    return source .. "\n" .. gap:sub(1, #gap - shift) .. "^"
  end))
end

---Compiles a file. {path}, to be held in a variable that is <close>, or nil; what nvcc said; how it ended.
---@param source string the .cu file @param model GpuValues @param counting boolean @param flags string?
---@return {path: string}?, string said, string how, integer code
function build.try(source, model, counting, flags)
  check_names { source, table.unpack(given.words()) }
  local readable, reason = files.read(source)
  if not readable then failure.raise("setup", "cannot read " .. reason) end
  local target = os.tmpname()
  local words = { files.quoted(needed_nvcc()), "-cudart=shared", "-lineinfo", "-Xcompiler=-g1",
    architecture(model, counting), "-o", files.quoted(target) }
  for _, word in ipairs(given.words()) do words[#words + 1] = files.quoted(word) end
  words[#words + 1] = flags or ""
  words[#words + 1] = files.quoted(source)
  local failed <close> = setmetatable({}, { __close = function(_, e) -- luacheck: ignore 211
    if e then os.remove(target) end
  end })
  local said, how, code = build.output_of(table.concat(words, " "))
  said = build.as_written(said)
  if how == "exit" and code == 0 then return setmetatable({ path = target }, Built), said, how, code end
  os.remove(target)
  return nil, said, how, code
end

-- Libraries, by what the names of their functions begin with; gpu: seen to need one.
local LIBRARIES <const> = { { "cublasLt", "cublasLt", gpu = true }, { "cublas", "cublas", gpu = true },
  { "cufft", "cufft", gpu = true }, { "curand", "curand", gpu = true }, { "cusparse", "cusparse" },
  { "cusolver", "cusolver" }, { "cudnn", "cudnn" }, { "nvrtc", "nvrtc" }, { "cu%u", "cuda" } }

-- What the linker did not find, and what to do about it.
local function link_hints(said, source)
  local hints, shown = {}, source:find "[^%w_./-]" and files.quoted(source) or source
  for name in said:gmatch "undefined reference to [`'\"]?([%w_]+)" do
    local library = lists.find(LIBRARIES, function(one) return name:find("^" .. one[1]) end)
    if name == "main" then
      lists.add_new(hints, ("%s has no main: `gpulab %s` launches its kernels at a prompt"):format(source, shown))
    elseif library then
      lists.add_new(hints, ("functions of a library are missing: --nvcc -l%s links it%s"):format(
        library[2], library.gpu and "; it runs on a GPU only" or ""))
    end
  end
  return hints
end

---The same; raises if it does not compile. What has kernels that launch kernels is linked with NVIDIA's device runtime:
---its other kernels run here.
---@return {path: string}
function build.program(source, model, counting, flags)
  local built, said, how, code = build.try(source, model, counting, flags)
  if said:find("separate compilation mode", 1, true) then
    built, said, how, code = build.try(source, model, counting, (flags or "") .. " -rdc=true")
  end
  io.stderr:write(text.printable(said))
  if built then return built end
  local hints = lists.append(removed.hints(said), link_hints(said, source))
  failure.raise("compile", ("nvcc could not compile %s (%s %d)"):format(source, how, code), nil,
    hints[1] and table.concat(hints, "\n\n"))
end

return build

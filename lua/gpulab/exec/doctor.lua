-- gpulab doctor [PROGRAM]: what works on this machine, and where a program runs: each with its state, what follows from
-- that, and what to do about it.
local build = require "gpulab.run.build"
local device_name = require "gpulab.base.device_name"
local files = require "gpulab.base.files"
local fs = require "gpulab.fs"
local host = require "gpulab.host"
local json = require "gpulab.base.json"
local program = require "gpulab.run.program"
local subcommand = require "gpulab.base.subcommand"
local text = require "gpulab.base.text"

local doctor = {}

local spec <const> = {
  name = "doctor", usage = "gpulab doctor [options] [PROGRAM]", least = 0, most = 1,
  summary = "Reports what works on this machine, and where a CUDA program runs.",
  flags = { { "json", "FILE", "write the report as JSON" } },
  help = "Each line has a state, what follows from it, and what to do. The exit status is 0; 5 if PROGRAM cannot be "
    .. "run here, neither on a GPU nor by gpulab exec.",
}

local function line(what, ok, state, consequence, remedy)
  return { what = what, ok = ok, state = state, consequence = consequence, remedy = remedy }
end

-- The machine ---------------------------------------------------------------------------------------

-- Branches of NVIDIA's driver from which on it has a version of CUDA, and of PTX. (CUDA Toolkit release notes, table of
-- drivers; PTX ISA, release history.)
local BRANCHES <const> = { { 590, 131, 91 }, { 580, 130, 90 }, { 575, 129, 88 }, { 570, 128, 87 }, { 565, 127, 86 },
  { 560, 126, 85 }, { 555, 125, 85 }, { 550, 124, 84 }, { 545, 123, 83 }, { 535, 122, 82 }, { 530, 121, 81 },
  { 525, 120, 80 } }

local function dotted(version) return ("%d.%d"):format(version // 10, version % 10) end

-- Under WSL the driver is the one of Windows. Its nvidia-smi is in the PATH of users, but not of root.
local NVIDIA_SMI <const> = "PATH=$PATH:/usr/lib/wsl/lib nvidia-smi --query-gpu=driver_version --format=csv,noheader"

local function driver_name()
  local said = files.read "/proc/driver/nvidia/version"
  if said then return said:match "Kernel Module.-%s(%d+%.[%d.]+)" end
  return ("\n" .. build.output_of(NVIDIA_SMI)):match "\n(%d+%.[%d.]+)"
end

-- {name, cuda, ptx} of the driver that is loaded; nil: none is.
local function find_driver()
  local name = driver_name()
  if not name then return nil end
  for _, branch in ipairs(BRANCHES) do
    if tonumber(name:match "^%d+") >= branch[1] then return { name = name, cuda = branch[2], ptx = branch[3] } end
  end
  return { name = name, cuda = 0, ptx = 0 }
end

-- The first bytes of this program; nil where /proc, from which gpulab starts its workers, is not mounted.
local function own_header()
  local file <close> = io.open("/proc/self/exe", "rb")
  return file and file:read(20)
end

local function of_proc()
  if own_header() then return nil end
  return line("/proc", false, "not mounted", "nothing is compiled or emulated, and no program runs",
    "mount -t proc proc /proc")
end

local function of_driver(driver)
  if not driver then
    return line("driver", false, "none is loaded", "no program runs on a GPU; gpulab emulates GPUs",
      fs.stat "/dev/dxg" and "with an NVIDIA GPU, install NVIDIA's driver in Windows; in WSL itself install none"
      or "on a machine with an NVIDIA GPU, install NVIDIA's driver")
  end
  if driver.cuda == 0 then
    return line("driver", false, driver.name, "it is older than CUDA 12", "install driver 525 or newer")
  end
  return line("driver", true, driver.name, ("runs programs up to CUDA %s, and PTX up to %s"):format(dotted(driver.cuda),
    dotted(driver.ptx)))
end

local function of_gpus(driver, found, missing)
  local lines = {}
  for _, device in ipairs(found) do
    if device.measures then
      lines[#lines + 1] = line("GPU", true, ("%s, cc %s"):format(device.gpu, dotted(device.cc)),
        "gpulab measures on it: --device " .. device.name)
    end
  end
  for _, device in ipairs(missing) do
    lines[#lines + 1] = line("GPU", false, ("%s cannot be opened: %s"):format(device.name, device.why),
      "gpulab emulates GPUs", "look for another process that uses it, and at nvidia-smi")
  end
  if #lines > 0 then return lines end
  local model = driver and device_name.of_driver()
  return { line("GPU", false, model and model .. " cannot be used" or "none", "times are predicted, and not measured",
    driver and "look at nvidia-smi" or "use a GPU elsewhere: --device ssh:HOST") }
end

local function of_profiler(driver)
  local said = driver and files.read "/proc/driver/nvidia/params"
  if not said then return nil end
  if said:match "RmProfilingAdminOnly: *0" then
    return line("profiler", true, "allowed for every user", "Nsight Compute works")
  end
  return line("profiler", false, "for root only", "Nsight Compute ends with ERR_NVGPUCTRPERM",
    "options nvidia NVreg_RestrictProfilingToAdminUsers=0 in a file of /etc/modprobe.d, then load the driver again")
end

local function of_nvrtc()
  local version, verified = host.nvrtc()
  if version then
    return line("NVRTC", true, verified and ("%s, newer than %s"):format(version, verified) or version,
      "kernels of labs and files compile", verified and "the labs were verified with NVRTC up to " .. verified)
  end
  return line("NVRTC", false, "not found", "labs and CUDA files cannot be compiled",
    "install the CUDA Toolkit, or pip install nvidia-cuda-nvrtc-cu12")
end

local function of_nvcc()
  local nvcc = build.nvcc()
  local version = nvcc and build.output_of(files.quoted(nvcc) .. " --version"):match "release ([%d.]+)"
  if version then return line("nvcc", true, ("%s, %s"):format(version, nvcc), "gpulab exec FILE.cu compiles") end
  return line("nvcc", false, nvcc and nvcc .. " does not start" or "not found",
    "gpulab exec FILE.cu does not work; programs that are compiled do",
    "install the CUDA Toolkit, and set CUDA_HOME if it is not in /usr/local/cuda")
end

local function of_addr2line()
  local _, how, code = build.output_of "addr2line --version"
  if how == "exit" and code == 0 then return line("addr2line", true, "found", "calls that fail have file and line") end
  return line("addr2line", false, "not found", "calls of a program that fail are reported without file and line",
    "install binutils")
end

local ALL_PARTS <const> = { "limits", "privileges", "files", "calls" }

local function of_sandbox(whose, parts)
  if not parts or not own_header() then return nil end
  local lacks = {}
  for _, part in ipairs(ALL_PARTS) do
    if not parts:find(part, 1, true) then lacks[#lacks + 1] = part end
  end
  if not lacks[1] then return line("sandbox", true, ("%s: %s"):format(whose, parts), "code of others is confined") end
  return line("sandbox", false, ("%s: %s"):format(whose, parts), "less protects from code of others: no "
    .. table.concat(lacks, ", "), "use Linux 5.13 or newer with Landlock and seccomp, and a container that allows them")
end

local function of_terminal()
  local kind, utf8_locale = os.getenv "TERM" or "", ""
  for _, name in ipairs { "LC_ALL", "LC_CTYPE", "LANG" } do
    utf8_locale = utf8_locale ~= "" and utf8_locale or os.getenv(name) or ""
  end
  if not host.isatty(1) then return line("terminal", true, "output goes to a file or pipe", "no colors, no prompt") end
  if kind == "" or kind == "dumb" then
    return line("terminal", false, "TERM is " .. (kind == "" and "not set" or kind), "no colors, and plain lines only",
      "set TERM, for example to xterm-256color")
  end
  if not utf8_locale:lower():find "utf%-?8" then
    return line("terminal", false, kind .. ", without UTF-8", "signs like × and µ may show wrong", "set LANG=C.UTF-8")
  end
  return line("terminal", true, ("%s, %d columns"):format(kind, text.columns), "colors and tables")
end

local function of_disk()
  local folder = os.getenv "XDG_CACHE_HOME" or (os.getenv "HOME" or "/tmp") .. "/.cache"
  while folder ~= "/" and host.kind(folder) ~= "folder" and folder:find "/." do folder = folder:match "^(.*)/" end
  local said = build.output_of("df -Pk " .. files.quoted(folder ~= "" and folder or "/"))
  local kilobytes = said:match "\n%S+%s+%d+%s+%d+%s+(%d+)"
  if not kilobytes then return line("disk", false, "unknown", "without space nothing is kept", "look at df") end
  local megabytes = tonumber(kilobytes) // 1000
  local free = ("%s MB free for %s"):format(text.count(megabytes), folder)
  if megabytes >= 200 then return line("disk", true, free, "compiled kernels and results are kept") end
  return line("disk", false, free, "compiled kernels and results may not be kept",
    "remove files, or set XDG_CACHE_HOME")
end

local function of_machine(driver, found, missing)
  local lines = { of_proc() }
  lines[#lines + 1] = of_driver(driver)
  for _, entry in ipairs(of_gpus(driver, found, missing)) do lines[#lines + 1] = entry end
  lines[#lines + 1] = of_profiler(driver)
  for _, entry in ipairs { of_nvrtc(), of_nvcc(), of_addr2line(), of_terminal(), of_disk() } do
    lines[#lines + 1] = entry
  end
  lines[#lines + 1] = of_sandbox("emulators", (found[#found] or {}).sandbox)
  lines[#lines + 1] = of_sandbox("the compiler", host.compiler_sandbox())
  return lines
end

-- A program -----------------------------------------------------------------------------------------

local MACHINES <const> = { [62] = "x86-64", [183] = "aarch64", [3] = "x86 of 32 bits", [21] = "ppc64" }

-- "SASS for cc 8.0; PTX 9.0 for cc 8.0 and newer"
local function code_text(code)
  local said, known = {}, {}
  for _, piece in ipairs(code) do
    local one = piece.ptx and ("PTX %s for cc %s and newer"):format(dotted(piece.version), dotted(piece.cc))
      or ("SASS for cc %s"):format(dotted(piece.cc))
    if not known[one] then said[#said + 1], known[one] = one, true end
  end
  table.sort(said, function(a, b) return a > b end)
  return table.concat(said, "; ")
end

local function generation(cc) return cc // 10 end

-- Whether a GPU runs one of them, and if not, why.
local function runs_on(code, cc, driver)
  local newer
  for _, piece in ipairs(code) do
    local sass = not piece.ptx and generation(piece.cc) == generation(cc) and piece.cc <= cc
    if sass then return true, "its SASS" end
    local ptx = piece.ptx and piece.cc <= cc
    if ptx and piece.version <= driver.ptx then return true, "its PTX, which the driver compiles" end
    if ptx then newer = piece.version end
  end
  if newer then
    return false, ("its PTX %s is newer than the driver's %s"):format(dotted(newer), dotted(driver.ptx)),
      "install a newer driver, or compile with the GPU's own SASS: -arch=native"
  end
  return false, "it has no code for that GPU: launches end with \"no kernel image is available\"",
    ("compile with nvcc -arch=sm_%d, or -arch=native"):format(cc)
end

local function of_gpu(about, device, driver)
  local ok, why, remedy = runs_on(about.code, device.cc, driver)
  return line(device.name, ok, ok and "runs" or "does not run", ("on the %s: %s"):format(device.gpu, why), remedy)
end

local function of_emulator(path, about)
  local ok, e = pcall(program.check, path)
  if not ok then
    return line("gpulab exec", false, "does not run", e.message or tostring(e), e.hint)
  end
  if (about.linked or 0) > 1 then
    return line("gpulab exec", false, "does not run", ("its device code was linked of %d files (-rdc=true), which the "
      .. "emulator cannot do"):format(about.linked), "put what kernels call into the file that has them, and compile "
      .. "without -rdc")
  end
  for _, piece in ipairs(about.code) do
    if piece.ptx then return line("gpulab exec", true, "runs", "on every emulated GPU, by its PTX") end
  end
  return line("gpulab exec", false, "does not run", "it has no PTX, only SASS, which the emulator cannot run",
    "compile with -arch=sm_80, or add -gencode arch=compute_80,code=compute_80")
end

local ASKS <const> = { cudaGetLastError = true, cudaPeekAtLastError = true, cudaGetErrorString = true,
  cudaGetErrorName = true }

-- The calls are looked for in the program's own instructions; functions of libcudart call none of these.
local function of_errors(path)
  local said, how, code = build.output_of("objdump -d --no-show-raw-insn " .. files.quoted(path))
  if how ~= "exit" or code ~= 0 then return nil end
  for call in said:gmatch "%s[cb][al]l?l?q?%s+%x+ <(cuda%a+)[@>]" do
    if ASKS[call] then return line("errors", true, "it calls " .. call, "it can report calls that fail") end
  end
  return line("errors", false, "it calls no function that reports an error",
    "a call that fails may stay unnoticed, and results are wrong",
    "check what each call returns, and cudaGetLastError() after a launch; gpulab exec names calls that fail")
end

-- The lines, and whether it can run here.
local function of_program(path, found, driver)
  local about, why = program.about(path)
  if not about then
    local source = path:match("%.cu$") and "gpulab exec compiles and runs a source file; doctor looks at programs"
    return { line("file", false, why, source or "nothing can run it", "give the path of a compiled program") }, false
  end
  local name = MACHINES[about.machine] or ("machine %d of the ELF format"):format(about.machine)
  local header = own_header()
  local own = header and string.unpack("<I2", header, 19) or about.machine
  if about.bits == 32 or about.machine ~= own then
    return { line("file", false, ("a program for %s, %d bits"):format(name, about.bits),
      ("this machine is %s"):format(MACHINES[own] or own), "compile it here") }, false
  end
  local lines = { line("file", true, "a program for " .. name, about.runtime and "CUDA runtime: " .. about.runtime
    or "it has no CUDA runtime that can be seen") }
  if #about.code == 0 then
    lines[2] = line("kernels", false, "none", "nothing of it runs on a GPU",
      "if it uses a library's kernels, look at the library")
    return lines, true
  end
  lines[2] = line("kernels", true, code_text(about.code), "")
  local emulated = header and of_emulator(path, about)
    or line("gpulab exec", false, "does not run", "/proc is not mounted", "mount -t proc proc /proc")
  local runs = emulated.ok
  lines[3] = emulated
  for _, device in ipairs(found) do
    if device.measures then
      lines[#lines + 1] = of_gpu(about, device, driver)
      runs = runs or lines[#lines].ok
    end
  end
  lines[#lines + 1] = about.runtime and of_errors(path)
  return lines, runs
end

-- The report ----------------------------------------------------------------------------------------

local MARGIN <const> = (" "):rep(14)

local function add_text(lines, entries)
  local width = math.max(text.columns, 40) - #MARGIN - 3
  local function add(s, first, later)
    for i, row in ipairs(text.wrap(s, "", width)) do lines[#lines + 1] = (i == 1 and first or later) .. row end
  end
  for _, entry in ipairs(entries) do
    add(entry.state, ("%-1s %-12s"):format(entry.ok and "" or "!", entry.what), MARGIN)
    if entry.consequence ~= "" then add(entry.consequence, MARGIN, MARGIN) end
    if entry.remedy then add(entry.remedy, MARGIN .. "-> ", MARGIN .. "   ") end
  end
end

local function document(entries) return json.each(entries, "what ok state consequence remedy") end

---@param options table @param words string[] @return integer status
function doctor.run(options, words)
  local own, arguments = subcommand.parse(spec, words)
  if not own then return 0 end
  local path, to = arguments[1], own.json or options.json
  if path and fs.stat(path) ~= "file" then
    require("gpulab.base.failure").raise("setup", ("there is no program %s"):format(path))
  end
  local driver = find_driver()
  local found, missing = gpu.devices()
  local machine, of_file, runs = of_machine(driver, found, missing), nil, true
  if path then of_file, runs = of_program(path, found, driver or { ptx = 0 }) end
  if to then
    files.write(to, json.encode(json.object("schema", "gpulab-doctor/1", "machine", document(machine), "program",
      of_file and document(of_file), "path", path)) .. "\n")
  end
  if to ~= "-" then
    local lines = {}
    add_text(lines, machine)
    if of_file then lines[#lines + 1] = path end
    add_text(lines, of_file or {})
    text.say(lines)
  end
  return runs and 0 or host.codes.setup
end

return doctor

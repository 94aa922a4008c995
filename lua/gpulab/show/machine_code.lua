-- The compiled code of a kernel as lists of instructions: PTX, SASS from NVIDIA's nvdisasm (with
-- source lines) or cuobjdump (without), if installed.
--
--   code = { kind = "ptx"|"sass", target = "sm_90", tool = name?, instrs = { instr... } }
--   instr = { text = "FFMA R1, R2, R3, R1", op = "FFMA", file?, line?, to?, to_label? }
-- to is the index of the instruction it may branch to.
local files = require "gpulab.base.files"
local host = require "gpulab.host"
local source = require "gpulab.source"
local where = require "gpulab.base.where"

local machine_code = {}

local function is_file(path)
  return host.kind and host.kind(path) == "file"
end

-- The tool ---------------------------------------------------------------------------------------------------------

-- Folders in which programs of the CUDA Toolkit may be, the likeliest first.
local function folders()
  local list = {}
  local function add(folder)
    if folder and folder ~= "" then list[#list + 1] = folder end
  end
  for _, variable in ipairs { "CUDA_HOME", "CUDA_PATH" } do
    local home = os.getenv(variable)
    if home and home ~= "" then add(home .. "/bin") end
  end
  for _, home in ipairs { host.cuda_home, host.toolkit() } do -- what gpulab was built with, and NVRTC's
    if home ~= "" then add(home .. "/bin") end
  end
  for folder in (os.getenv("PATH") or ""):gmatch("[^:]+") do add(folder) end
  add "/usr/local/cuda/bin"
  add "/opt/cuda/bin"
  for _, kernels in ipairs(where.folders("kernels")) do add(kernels .. "/../.cuda/bin") end
  return list
end

---The disassembler: its path and name ("nvdisasm" or "cuobjdump"), or nil. GPULAB_DISASSEMBLER names another one.
---@return string? path, string? name
function machine_code.tool()
  local chosen = os.getenv("GPULAB_DISASSEMBLER")
  if chosen and chosen ~= "" then
    return is_file(chosen) and chosen or nil, chosen:match("cuobjdump[^/]*$") and "cuobjdump" or "nvdisasm"
  end
  for _, name in ipairs { "nvdisasm", "cuobjdump" } do
    for _, folder in ipairs(folders()) do
      local path = folder .. "/" .. name
      if is_file(path) then return path, name end
    end
  end
end

-- Reading ----------------------------------------------------------------------------------------------------------

-- Resolves branch targets to indices. A target outside the function has none.
local function link(instrs, labels)
  for _, instr in ipairs(instrs) do
    local at = instr.to_label and labels[instr.to_label]
    if at and at <= #instrs then instr.to = at end
  end
  return instrs
end

local function clean(s)
  return (s:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", ""))
end

-- The operation of an instruction's text, behind a predicate.
local function operation(instruction)
  return clean(instruction):gsub("^@!?%%?[%w_]+ ", ""):match("^[%w_.:]+") or "?"
end

local function without_padding(instrs)
  while #instrs > 0 and instrs[#instrs].op == "NOP" do instrs[#instrs] = nil end
  local last = instrs[#instrs]
  if last and last.op:match("^BRA") and last.to == #instrs then instrs[#instrs] = nil end -- a branch to itself
  return instrs
end

-- A pattern that matches s and nothing else.
local function pattern_of(s)
  return (s:gsub("%p", "%%%0"))
end

---The instructions of one function in what `nvdisasm -g -c` prints.
---@param output string @param linked string @return table[]
function machine_code.read_nvdisasm(output, linked)
  local instrs, labels, inside, file, line = {}, {}, false, nil, nil
  for text in output:gmatch("[^\r\n]+") do
    local section = text:match("^//%-+ (%S+)%s+%-+$")
    local place_file, place_line = text:match('^%s*//## File "(.-)", line (%d+)')
    local address, body = text:match("^%s*/%*(%x+)%*/%s+%f[%S]([^;]*);")
    local label = text:match("^(%.L_x_%d+):")
    if section then
      inside = section == ".text." .. linked
    elseif not inside then -- another function
      goto continue
    elseif place_file then
      file, line = files.unescaped(place_file), math.tointeger(place_line)
    elseif label then
      labels[label] = #instrs + 1
    elseif address then
      body = clean(body)
      instrs[#instrs + 1] = { text = body:gsub("`%((.-)%)", "%1"), op = operation(body), file = file, line = line,
        to_label = body:match("`%((%.L_x_%d+)%)") }
    end
    ::continue::
  end
  return without_padding(link(instrs, labels))
end

---The instructions of one function in what `cuobjdump -sass` prints: without source lines.
---@param output string @param linked string @return table[]
function machine_code.read_cuobjdump(output, linked)
  local instrs, labels, inside = {}, {}, false
  for text in output:gmatch("[^\r\n]+") do
    local name = text:match("^%s*Function : (%S+)")
    local address, body = text:match("^%s*/%*(%x+)%*/%s+%f[%S]([^;]*);")
    if name then
      inside = name == linked
    elseif inside and address and body:match("^[%u@]") then
      body = clean(body)
      labels[tonumber(address, 16)] = #instrs + 1
      local target_address = operation(body):match("^BRA") and body:match("0x(%x+)$")
      instrs[#instrs + 1] = { text = body, op = operation(body), to_label = target_address and tonumber(
        target_address, 16) }
    end
  end
  return without_padding(link(instrs, labels))
end

---The instructions of one function of PTX, with parameters and shared arrays by their source names: linked ones contain
---the whole name of the kernel.
---@param code PtxCode @param linked string @return table[]
function machine_code.of_ptx(code, linked)
  local instrs, param = {}, pattern_of(linked) .. "_param_"
  for i, row in ipairs(code.rows) do
    local body = row.text:gsub(param, "param_"):gsub("_ZZ[%w_]+", source.variable)
    local known = row.line > 0
    instrs[i] = { text = body, op = row.op, file = known and row.file or nil, line = known and row.line or nil,
      to = code.rows[row.to] and row.to }
  end
  return instrs
end

-- A kernel's code --------------------------------------------------------------------------------------------------

local function run_tool(path, name, cubin)
  local file = os.tmpname()
  local ok, output = host.catch(function()
    files.write(file, cubin)
    local options = name == "cuobjdump" and "-sass" or "-g -c"
    local pipe <close> = assert(io.popen(("%s %s %s 2>&1"):format(files.quoted(path), options, files.quoted(file))))
    return pipe:read("a")
  end)
  os.remove(file)
  if not ok then error(output, 0) end
  return output
end

---The SASS of a kernel; nil and a sentence on what is missing.
---@param kernel Kernel @return table?, string?
function machine_code.sass(kernel)
  local cubin = kernel:cubin()
  if not cubin and kernel.module.program then
    return nil, ("The program has no SASS for this GPU: nvcc -arch=sm_%d adds it."):format(kernel.device.cc)
  end
  if not cubin then return nil, "The kernel was compiled to PTX only, so there is no SASS." end
  local path, name = machine_code.tool()
  if not path then
    return nil, "SASS needs nvdisasm or cuobjdump of NVIDIA's CUDA Toolkit; neither is in CUDA_HOME or PATH. "
      .. "Set GPULAB_DISASSEMBLER to the path of one."
  end
  local read = name == "cuobjdump" and machine_code.read_cuobjdump or machine_code.read_nvdisasm
  local output = run_tool(path, name, cubin)
  local instrs = read(output, kernel.linked)
  if #instrs == 0 then
    local said = output:match("[^\r\n]+") or "nothing"
    return nil, ("%s printed no instructions of %s, but: %s"):format(path, kernel.name, said:sub(1, 200))
  end
  return { kind = "sass", tool = name, instrs = instrs,
    target = output:match("%.target%s+(sm_%w+)") or output:match("arch = (sm_%w+)") }
end

---@param kernel Kernel @return table
function machine_code.ptx(kernel)
  local code = source.ptx(kernel.module.ptx):code(kernel.linked)
  return { kind = "ptx", instrs = machine_code.of_ptx(code, kernel.linked), target = code.target }
end

-- Categories of instructions ----------------------------------------------------------------------------------------

-- By the beginning of an operation; the longest match counts.
local kinds = {
  { "global memory", [[LDG STG LD ST RED REDG ATOMG ATOM LDGSTS LDGDEPBAR ld.global st.global red.global atom.global
    cp.async ld.volatile.global st.volatile.global]] },
  { "shared memory", [[LDS STS ATOMS LDSM STSM ld.shared st.shared atom.shared red.shared ldmatrix
    ld.volatile.shared st.volatile.shared]] },
  { "local memory", "LDL STL ld.local st.local" },
  { "constants", "LDC ULDC LDCU ld.const ld.param" },
  { "textures", "TEX TLD TLD4 TXQ SULD SUST tex tld4 suld sust" },
  { "FP32", [[FADD FMUL FFMA FADD2 FMUL2 FFMA2 FMNMX FMNMX3 FSEL FSETP FSET FCHK FSWZADD add.f32 sub.f32 mul.f32
    fma.f32 mad.f32 min.f32 max.f32 neg.f32 abs.f32 setp.f32 selp.f32]] },
  { "FP64", "DADD DMUL DFMA DSETP DMNMX add.f64 sub.f64 mul.f64 fma.f64 min.f64 max.f64 neg.f64 abs.f64 setp.f64" },
  { "FP16 and matrix", [[HADD2 HMUL2 HFMA2 HMNMX2 HSETP2 HMMA IMMA DMMA BMMA HGMMA QGMMA IGMMA UTCHMMA wmma mma wgmma
    fma.f16 add.f16 mul.f16 fma.f16x2 add.f16x2 mul.f16x2]] },
  { "special functions", "MUFU rcp rsqrt sqrt sin cos ex2 lg2 tanh div" },
  { "integers", [[IADD IADD3 IADD64 IMAD IMUL ISETP LEA LOP LOP3 SHF SHL SHR BFE BFI ISCADD XMAD IMNMX VIADD VIMNMX
    VIMNMX3 VIADDMNMX IABS POPC FLO BREV SGXT PRMT IDP UIADD3 UIMAD ULEA ULOP3 USHF UISETP UPRMT UFLO UPOPC UVIADD add
    sub mul mad shl shr and or xor not bfe bfi min max setp rem popc clz prmt shf lop3 neg abs cnot]] },
  { "moves and conversions", [[MOV MOV32I SEL UMOV USEL R2UR R2P P2R S2R S2UR CS2R CS2UR F2F F2I I2F F2FP I2I I2FP
    FRND PLOP3 UPLOP3 UP2UR mov cvt cvta selp isspacep]] },
  { "between lanes", "VOTE VOTEU SHFL MATCH REDUX CREDUX vote shfl match redux activemask" },
  { "control", [[BRA BRX JMP EXIT RET CALL BSSY BSYNC BREAK BMOV WARPSYNC ENDCOLLECTIVE BAR MEMBAR ERRBAR CCTL DEPBAR
    NANOSLEEP YIELD NOP BPT KILL SYNCS bra brx ret exit call bar barrier membar fence trap mbarrier nanosleep]] },
}

local by_begin = {}
for _, row in ipairs(kinds) do
  for begin in row[2]:gmatch("%S+") do by_begin[begin] = row[1] end
end

---The category of an operation: "FP32", "shared memory"... "other" for unlisted ones.
---@param op string "FFMA", "ld.global.f32"
---@return string
function machine_code.kind_of(op)
  -- PTX puts types last, and says between what does not matter here: fma.rn.ftz.f32, setp.lt.f32.
  local first, type_ = op:match("^(%l%w*)%..*%.(%w+)$")
  local typed = first and by_begin[first .. "." .. type_]
  local begin = op
  while not typed and begin do
    typed = by_begin[begin]
    begin = begin:match("^(.*)%.[^.]*$")
  end
  return typed or "other"
end

---The names of all kinds, in the order in which they are shown.
---@return string[]
function machine_code.kinds()
  local names = {}
  for i, row in ipairs(kinds) do names[i] = row[1] end
  names[#names + 1] = "other"
  return names
end

---How many instructions there are of each kind: {total = n, [kind] = {count = n, ops = {{op, n}...}}}, the ops of a
---kind from the most frequent on.
function machine_code.mix(instrs)
  local mix, at = { total = 0 }, {}
  for _, instr in ipairs(instrs) do
    local op = instr.op
    local kind = machine_code.kind_of(op)
    local base = op:match("^%u[%u%d]*") or op
    local row = mix[kind] or { count = 0, ops = {} }
    at[base] = at[base] or { base, 0 }
    if at[base][2] == 0 then row.ops[#row.ops + 1] = at[base] end
    at[base][2], row.count, mix[kind] = at[base][2] + 1, row.count + 1, row
    mix.total = mix.total + 1
  end
  for _, kind in ipairs(machine_code.kinds()) do
    table.sort(mix[kind] and mix[kind].ops or {}, function(x, y) return x[2] > y[2] or x[2] == y[2] and x[1] < y[1] end)
  end
  return mix
end

---The text without the numbers of registers, predicates and labels, which change whenever anything does.
function machine_code.shape(instr)
  return (instr.text:gsub("%f[%w]([UP]?R)%d+", "%1"):gsub("%f[%w](U?P)%d+", "%1"):gsub("%%([a-z]+)%d+", "%%%1")
    :gsub("%.reuse", ""):gsub("%.L_x_%d+", "LABEL"):gsub("%$L__BB[%w_]+", "LABEL"))
end

return machine_code

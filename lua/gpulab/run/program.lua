-- What kind of program a file is, by its ELF header, its dynamic section and its symbol table: how it contains the CUDA
-- runtime, and so whether gpulab can put its own in that place. A file that is no ELF file may be a script.
local failure = require "gpulab.base.failure"
local fs = require "gpulab.fs"

local program = {}

local MOST <const> = 64 << 20 -- bytes of a table of the file; a program's are smaller

-- <elf.h>: of 64 bits, little-endian as this machine.
local SECTION <const>, SECTION_BYTES <const> = "<I4I4I8I8I8I8I4", 64 -- name, type, flags, address, place, bytes, link
local SYMBOL <const>, SYMBOL_BYTES <const> = "<I4BBI2", 24           -- name, info, other, section
local ENTRY <const>, ENTRY_BYTES <const> = "<I8I8", 16               -- tag, value
local SYMBOLS <const>, DYNAMIC <const>, NEEDED <const>, UNDEFINED <const> = 2, 6, 1, 0

-- Bytes of the file; "" where it does not have them.
local function piece(elf, at, bytes)
  if at < 0 or bytes < 0 or at > elf.size or bytes > elf.size - at or bytes > MOST then return "" end
  elf.file:seek("set", at)
  return elf.file:read(bytes) or ""
end

local function read_sections(elf, header)
  local at, number, names = string.unpack("<I8", header, 41), string.unpack("<I2I2", header, 61)
  local rows = piece(elf, at, number * SECTION_BYTES)
  for i = 0, #rows // SECTION_BYTES - 1 do
    local name, type, _, _, place, bytes, link = string.unpack(SECTION, rows, i * SECTION_BYTES + 1)
    elf[i] = { name = name, type = type, at = place, bytes = bytes, link = link }
  end
  elf.names = names
end

local function contents(elf, section) return section and piece(elf, section.at, section.bytes) or "" end

local function text_at(texts, offset) return texts:match("^([^\0]*)\0", offset + 1) or "" end

-- The section of a type, and the texts its rows refer to.
local function rows_of(elf, type)
  for i = 0, #elf do
    local section = elf[i]
    if section and section.type == type then return contents(elf, section), contents(elf, elf[section.link]) end
  end
  return "", ""
end

-- "libcudart.so.12", if it needs such a library.
local function needed_runtime(elf)
  local rows, texts = rows_of(elf, DYNAMIC)
  for at = 1, #rows - ENTRY_BYTES + 1, ENTRY_BYTES do
    local tag, value = string.unpack(ENTRY, rows, at)
    local name = tag == NEEDED and text_at(texts, value) or ""
    if name:find("libcudart.so", 1, true) == 1 then return name end
  end
end

local function has_symbol(elf, wanted)
  local rows, texts = rows_of(elf, SYMBOLS)
  local places, from = {}, texts:find(wanted .. "\0", 1, true)
  while from do
    places[from - 1] = true
    from = texts:find(wanted .. "\0", from + 1, true)
  end
  for at = 1, next(places) and #rows - SYMBOL_BYTES + 1 or 0, SYMBOL_BYTES do
    local name, _, _, section = string.unpack(SYMBOL, rows, at)
    if places[name] and section ~= UNDEFINED then return true end
  end
  return false
end

-- nvcc's code for a program with kernels is in sections of its own.
local function section_named(elf, name)
  local names = contents(elf, elf[elf.names])
  for i = 0, #elf do
    if elf[i] and text_at(names, elf[i].name) == name then return elf[i] end
  end
end

-- Entries of a fat binary: where it begins, what an entry is, and what of PTX its version means (fatbin.c says more).
local FATBIN <const>, HEADER <const>, ENTRY_HEADER <const> = "\x50\xed\x55\xba", "<I4I2I2I8", "<I2I2I4I8I4I4I2I2I4"
local PTX <const>, SASS <const>, LEAST <const>, MOST_ENTRIES <const> = 1, 2, 56, 10000

local function add_entries(code, at, last, out)
  while at + LEAST <= last + 1 and #out < MOST_ENTRIES do
    local kind, _, header, bytes, _, _, minor, major, cc = string.unpack(ENTRY_HEADER, code, at)
    if header < LEAST or bytes < 0 then return end
    if kind == PTX or kind == SASS then
      out[#out + 1] = { ptx = kind == PTX, cc = cc, version = kind == PTX and 10 * major + minor or nil }
    end
    at = at + header + bytes
  end
end

-- Of a program that was linked (-rdc=true) the objects' own are in a section of their own: those of a library are last.
local function add_fatbins(code, most, out)
  local from = code:find(FATBIN, 1, true)
  while from and from + 16 <= #code and most > 0 do
    local _, _, head, bytes = string.unpack(HEADER, code, from)
    add_entries(code, from + head, math.min(#code, from + head + math.max(bytes, 0) - 1), out)
    from, most = code:find(FATBIN, from + 4, true), most - 1
  end
end

---What a file is, without a judgment: nil and why if it is no program. code: {ptx, cc, version} of each piece of device
---code, PTX of version 90 for 9.0; runtime: "static", a library's name, or nil; linked: files whose device code nvlink
---put together.
---@param path string
---@return {bits: integer, machine: integer, runtime: string?, code: table[], linked: integer?}?, string?
function program.about(path)
  local file <close> = fs.stat(path) == "file" and io.open(path, "rb") or nil
  if not file then return nil, "it cannot be read" end
  local elf = { file = file, size = file:seek "end" }
  local header = piece(elf, 0, 64)
  if header:sub(1, 4) ~= "\127ELF" then return nil, "it is not a program of Linux (no ELF file)" end
  if #header < 64 then return nil, "it is truncated: its header is not complete" end
  local about = { bits = header:byte(5) == 1 and 32 or 64, machine = string.unpack("<I2", header, 19), code = {} }
  if about.bits == 32 then return about end
  local table_at, rows = string.unpack("<I8", header, 41), string.unpack("<I2", header, 61)
  if table_at < 0 or table_at + rows * SECTION_BYTES > elf.size then
    return nil, "it is truncated: the file ends before its table of sections"
  end
  read_sections(elf, header)
  about.runtime = needed_runtime(elf) or has_symbol(elf, "cudaGetErrorString") and "static" or nil
  add_fatbins(contents(elf, section_named(elf, ".nv_fatbin")), math.huge, about.code)
  add_fatbins(contents(elf, section_named(elf, "__nv_relfatbin")), 1, about.code)
  for object in contents(elf, section_named(elf, "__nv_module_id")):gmatch "def ([%w_]+)" do
    if not object:find("_cuda_device_runtime_cu_", 1, true) then about.linked = (about.linked or 0) + 1 end
  end
  return about
end

---Raises for a program whose CUDA runtime gpulab cannot replace. A file that cannot be read is not looked at.
---@param path string @return boolean needs_12 it is linked with libcudart.so.12
function program.check(path)
  local file <close> = fs.stat(path) == "file" and io.open(path, "rb") or nil
  local elf = { file = file, size = file and file:seek "end" or 0 }
  local header = piece(elf, 0, 64)
  if header:sub(1, 4) ~= "\127ELF" then return false end
  if header:byte(5) ~= 2 then failure.raise("setup", path .. " is a 32-bit program") end
  read_sections(elf, header)
  local needs = needed_runtime(elf)
  if needs and needs ~= "libcudart.so.12" and needs ~= "libcudart.so.13" then
    failure.raise("setup", ("%s needs %s"):format(path, needs), nil,
      "gpulab has the runtimes of CUDA 12 and 13: compile it with one of these")
  end
  if not needs and section_named(elf, ".nv_fatbin") and not section_named(elf, ".symtab") then
    failure.raise("setup",
      path .. " contains the CUDA runtime, and its symbols were stripped, so that gpulab cannot replace it", nil,
      "do not strip it, or compile it with nvcc -cudart shared")
  end
  return needs == "libcudart.so.12"
end

return program

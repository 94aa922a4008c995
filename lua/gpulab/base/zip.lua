-- Zip files of a few small texts, stored without compression. Equal contents give equal bytes: no date is written.
local zip = {}

local crc_table
local function crc32(s)
  if not crc_table then
    crc_table = {}
    for i = 0, 255 do
      local c = i
      for _ = 1, 8 do c = c & 1 == 1 and c >> 1 ~ 0xEDB88320 or c >> 1 end
      crc_table[i] = c
    end
  end
  local crc = 0xFFFFFFFF
  for from = 1, #s, 4096 do
    for _, byte in ipairs { s:byte(from, from + 4095) } do crc = crc >> 8 ~ crc_table[(crc ~ byte) & 255] end
  end
  return crc ~ 0xFFFFFFFF
end

local UTF8 <const>, FIRST_DAY <const> = 0x800, 0x21 -- the flag of UTF-8 names; 1980-01-01

-- What the header of a file and its entry in the directory have in common.
local function common(name, content)
  return ("<I2I2I2I2I2I4I4I4I2I2"):pack(20, UTF8, 0, 0, FIRST_DAY, crc32(content), #content, #content, #name, 0)
end

---@param entries {name: string, text: string}[] @return string
function zip.document(entries)
  local parts, directory, at = {}, {}, 0
  for _, entry in ipairs(entries) do
    local head = common(entry.name, entry.text)
    local part = "PK\3\4" .. head .. entry.name .. entry.text
    -- made by Unix; no comment, disk 0, a text; a regular file, 0644
    directory[#directory + 1] = "PK\1\2" .. ("<I2"):pack(3 << 8 | 20) .. head
      .. ("<I2I2I2I4I4"):pack(0, 0, 0, 0x81A4 << 16, at) .. entry.name
    parts[#parts + 1] = part
    at = at + #part
  end
  local list = table.concat(directory)
  return table.concat(parts) .. list
    .. "PK\5\6" .. ("<I2I2I2I2I4I4I2"):pack(0, 0, #entries, #entries, #list, at, 0)
end

return zip

-- Constants of C: the value and type of a token.
local literal = {}

local bases <const> = { ["0x"] = 16, ["0b"] = 2 }
local escapes <const> = { n = 10, t = 9, r = 13, a = 7, b = 8, f = 12, v = 11, ["0"] = 0, ["\\"] = 92, ["'"] = 39,
  ['"'] = 34, ["?"] = 63 }

-- Digits as a number of 64 bits; nil if there are none, wrong ones, or too many.
local function digits_of(text, base)
  local n = 0
  for c in text:gmatch "." do
    local digit = tonumber(c, base)
    if not digit then return nil end
    local high, low = (n >> 32) * base, (n & 0xffffffff) * base + digit
    high = high + (low >> 32)
    if high >> 32 ~= 0 then return nil end
    n = high << 32 | low & 0xffffffff
  end
  return text ~= "" and n or nil
end

local U <const>, L <const>, UL <const> = { u = true }, { l = true }, { u = true, l = true }
local suffixes <const> = { [""] = {}, u = U, l = L, ll = L, ul = UL, ull = UL, lu = UL, llu = UL }

local function whole(text)
  local body, suffix = text:match("^(.-)([uUlL]*)$")
  local of, base = suffixes[suffix:lower()], bases[body:sub(1, 2):lower()]
  if base then body = body:sub(3) end
  base = base or body:match("^0%d") and 8 or 10
  local n = of and digits_of(body, base)
  if not n then return nil end
  local small, positive = n >> 32 == 0 and not of.l, n >= 0
  if of.u then return n, small and "u32" or "u64" end
  if small and n <= 0x7fffffff then return n, "s32" end
  if base ~= 10 and small then return n, "u32" end
  if positive then return n, "s64" end
  return base ~= 10 and n or nil, "u64"
end

-- 5f is none: C wants a point or an exponent.
local function floating(text)
  local hex = text:match("^0[xX]")
  if not text:find(hex and "[pP]" or "[.eE]") then return nil end
  local body, suffix = text:match(hex and "^(.-)([fFlL]?)$" or "^([%d.eE+-]-)([fFlL]?)$")
  local n = tonumber(body or "")
  return n and n + 0.0, suffix:match("[fF]") and "f32" or "f64"
end

---A number or a character: the value and its type; nil: not a constant of C.
---@param token {text: string, kind: string} @return number?, string?
function literal.read(token)
  local text = token.text:gsub("(%x)'(%x)", "%1%2")
  if token.kind == "number" then
    local n, of = whole(text)
    if n then return n, of end
    return floating(text)
  end
  local inner = token.text:match("^'(.*)'$")
  if not inner then return nil end
  if #inner == 1 and inner ~= "\\" then return inner:byte() - (inner:byte() > 127 and 256 or 0), "s32" end
  local hex, octal = inner:match("^\\x(%x%x?)$"), inner:match("^\\([0-7][0-7]?[0-7]?)$")
  local n = hex and tonumber(hex, 16) or octal and tonumber(octal, 8) or escapes[inner:match("^\\(.)$") or ""]
  if not n or n > 255 then return nil end
  return n - (n > 127 and 256 or 0), "s32" -- char has a sign
end

return literal

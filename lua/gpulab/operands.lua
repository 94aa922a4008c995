-- Matrices for the labs on matrix products, made so that C = A · B is known without n³ operations: the rows of A
-- repeat after ROWS_OF_A rows, those of B after ROWS_OF_B, two primes that divide no tile size. All entries are small
-- integers, so that a float holds every sum of products exactly, in any order of summation.
local operands = {}

local ROWS_OF_A <const>, ROWS_OF_B <const> = 61, 67

-- Whole numbers from -8 to 8, or eighths of them: as exact, and no longer integers.
local function whole(seed)
  local scale = seed == 0 and 1 or 0.125
  return function(state) return ((state >> 13) % 17 - 8) * scale end
end

-- From -1 to 1, with the 24 bits of a float.
local function real() return function(state) return (state >> 6) / (1 << 24) - 1 end end

-- What FP8 (E4M3) holds exactly: 8/8 to 15/8 times 1, 1/2, 1/4, or 1/8, of either sign. Sums of products are exact in
-- FP32.
local function e4m3()
  return function(state)
    local bits = state >> 13
    return (bits & 1 == 0 and 1 or -1) * (8 + (bits >> 1 & 7)) / 8 / (1 << (bits >> 4 & 3))
  end
end

-- Without zero, which times infinity is NaN.
local function not_zero(seed)
  local number = whole(seed)
  return function(state)
    local x = number(state)
    return x ~= 0 and x or 1
  end
end

local kinds <const> = { whole = whole, real = real, e4m3 = e4m3, infinite = not_zero }

local function numbers(count, seed, of)
  local list, state = {}, seed & 0x7fffffff
  for i = 1, count do
    state = (state * 1103515245 + 12345) & 0x7fffffff
    list[i] = of(state)
  end
  return list
end

-- Infinities of the inputs that no lab shows: in A at the beginning of a row, where a kernel arrives that goes on past
-- the end of the row before; or in the last rows of B, each in a column of its own.
local function with_infinities(of, n, seed)
  if seed == 0 then return of end
  if seed % 2 == 0 then
    of.a[math.min(n, 2) * n - n + 1] = math.huge
  else
    for i = 0, math.min(n // 8, 9) do of.b[(n - 1 - 3 * i) * n + (5 * i + 2) % n + 1] = math.huge end
  end
  return of
end

local recent = {} -- the matrices of the last sizes and seeds

local KEPT <const> = 4

local function of_size(n, seed, kind)
  seed, kind = seed or 0, kind or "whole"
  for _, of in ipairs(recent) do
    if of.n == n and of.seed == seed and of.kind == kind then return of end
  end
  local number = kinds[kind](seed)
  local rows_of_a, rows_of_b = ROWS_OF_A, ROWS_OF_B
  if kind == "infinite" then rows_of_a, rows_of_b = n, n end
  local of = { n = n, seed = seed, kind = kind, A = {}, B = {},
    rows_of_a = rows_of_a, rows_of_b = rows_of_b,
    a = numbers(rows_of_a * n, 6 + 7919 * seed, number), b = numbers(rows_of_b * n, 7 + 104729 * seed, number) }
  table.insert(recent, 1, kind == "infinite" and with_infinities(of, n, seed) or of)
  recent[KEPT + 1] = nil
  return recent[1]
end

-- n × n elements: the rows of list, repeated.
local function matrix(list, n, type)
  return gpu.array(type, #list, list):cycle(n * n)
end

---A and B, n × n. The kind "real" is from -1 to 1 with the 24 bits of a float, so that products are rounded. Of the
---kind "infinite" some elements are infinite, for an exercise's inputs.
---@param n integer @param seed integer? of an exercise's inputs; 0: the labs' own
---@param type ElemType? "float" @param kind "whole"|"real"|"e4m3"|"infinite"|nil
---@return Array
function operands.a(n, seed, type, kind)
  local of = of_size(n, seed, kind)
  type = type or "float"
  of.A[type] = of.A[type] or matrix(of.a, n, type)
  return of.A[type]
end

---@param n integer @param seed integer? of an exercise's inputs; 0: the labs' own
---@param type ElemType? "float" @param kind "whole"|"real"|"e4m3"|"infinite"|nil
---@return Array
function operands.b(n, seed, type, kind)
  local of = of_size(n, seed, kind)
  type = type or "float"
  of.B[type] = of.B[type] or matrix(of.b, n, type)
  return of.B[type]
end

-- Row of A times B: entries of A that multiply the same row of B are summed first.
local function row_of_product(of, first)
  local factors, row, a, b, n, rows = {}, {}, of.a, of.b, of.n, of.rows_of_b
  for r = 0, rows - 1 do factors[r] = 0 end
  for k = 0, n - 1 do factors[k % rows] = factors[k % rows] + a[first + k] end
  for j = 1, n do row[j] = 0 end
  for r = 0, rows - 1 do
    local factor, from = factors[r], r * n
    for j = 1, n do row[j] = row[j] + factor * b[from + j] end
  end
  return row
end

---C = A · B, n × n, computed in double precision.
---@param n integer @param seed integer? of an exercise's inputs; 0: the labs' own
---@param kind "whole"|"real"|"e4m3"|"infinite"|nil @return Array of floats
function operands.product(n, seed, kind)
  local of = of_size(n, seed, kind)
  if not of.C then
    local list = {}
    for i = 0, of.rows_of_a - 1 do
      table.move(row_of_product(of, i * n + 1), 1, n, #list + 1, list)
    end
    of.C = matrix(list, n, "float")
  end
  return of.C
end

---Counted shared memory loads per FMA in an n × n product.
---@param report CountReport @param n integer @return number
function operands.loads(report, n)
  return report.counters.shared_load_requests * (gpu.model(report.rules).request_lanes or 32) / n ^ 3
end

return operands

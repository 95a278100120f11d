-- Saves the next version of a match, if nobody else did.
-- KEYS: the match's hash. ARGV: the change (msgpack), the record, the version it was made from, how many
-- operations are kept.
-- Returns {0} if another version is saved, {1} if saved, {2, v, s, o} if the operation had been saved before.
local change = cmsgpack.unpack(ARGV[1])
local held = redis.call('HMGET', KEYS[1], 'v', 'o')
local operations = held[2] or '\n'
-- First of all: the answer to a save may have been lost, and other saves may have followed.
if string.find(operations, '\n' .. change.operation .. '\n', 1, true) then
  local now = redis.call('HMGET', KEYS[1], 'v', 's', 'o')
  return { 2, now[1], now[2], now[3] }
end
if held[1] ~= ARGV[3] then
  return { 0 }
end
operations = operations .. change.operation .. '\n'
local _, ends = string.gsub(operations, '\n', '')
for _ = 1, ends - 1 - tonumber(ARGV[4]) do
  operations = string.sub(operations, string.find(operations, '\n', 2, true), -1)
end
write(KEYS[1], change, ARGV[2], held[1] + 1, operations)
announce(change)
return { 1 }

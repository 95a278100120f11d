-- Saves a new match, unless its operation has created one before.
-- KEYS: the match's hash, the operation's key. ARGV: the change (msgpack), the record, how many seconds
-- the operation is remembered.
-- Returns {0} if the id is taken, {1} if saved, {2, id, v, s, o} of the match that the operation created before.
local change = cmsgpack.unpack(ARGV[1])
local known = redis.call('GET', KEYS[2])
if known then
  local held = redis.call('HMGET', change.prefix .. 'match:' .. known, 'v', 's', 'o')
  return { 2, known, held[1], held[2], held[3] }
end
if redis.call('EXISTS', KEYS[1]) == 1 then
  return { 0 }
end
redis.call('SET', KEYS[2], change.id, 'EX', ARGV[3])
write(KEYS[1], change, ARGV[2], 1, '\n' .. change.operation .. '\n')
announce(change)
return { 1 }

-- Appends an entry to a room's transcript, unless its key is there already.
-- KEYS: the list of entries, the hash of their keys. ARGV: the entry's key, its content.
-- Returns {number, content}.
local number = redis.call('HGET', KEYS[2], ARGV[1])
if number then
  return { tonumber(number), redis.call('LINDEX', KEYS[1], number - 1) }
end
number = redis.call('RPUSH', KEYS[1], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[1], number)
return { number, ARGV[2] }

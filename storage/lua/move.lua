-- Saves a match that is played in another place from now on: what was shown there stays shown, what is to be shown stays so.
-- KEYS: the match's hash. ARGV: the change (msgpack), the record, the version it was made from, the old place, the new.
-- Returns 1 if saved, 0 if another version is saved.
local change = cmsgpack.unpack(ARGV[1])
local held = redis.call('HMGET', KEYS[1], 'v', 'o', '@' .. ARGV[4])
if held[1] ~= ARGV[3] then
  return 0
end
local old_box, old_member = outbox(change.prefix, change.id, ARGV[4])
local new_box, new_member = outbox(change.prefix, change.id, ARGV[5])
local due = redis.call('ZSCORE', old_box, old_member)
if held[3] and redis.call('HSETNX', KEYS[1], '@' .. ARGV[5], held[3]) == 1 and due then
  redis.call('ZADD', new_box, due, new_member)
end
local version = held[1] + 1
write(KEYS[1], change, ARGV[2], version, held[2], order_of(change.prefix, change.id, KEYS[1]) or 0)
keep_shown(KEYS[1], change, held[1], version)
return 1

-- Saves a match with other people in it, which nobody is told: what was shown stays shown, what is to be shown stays so.
-- KEYS: the match's hash. ARGV: the change (msgpack), the record, the version it was made from.
-- Returns 1 if saved, 0 if another version is saved.
local change = cmsgpack.unpack(ARGV[1])
local held = redis.call('HMGET', KEYS[1], 'v', 'o')
if held[1] ~= ARGV[3] then
  return 0
end
local version = held[1] + 1
-- A match that no index has any more must not come to the front again.
write(KEYS[1], change, ARGV[2], version, held[2], order_of(change.prefix, change.id, KEYS[1]) or 0)
keep_shown(KEYS[1], change, held[1], version)
return 1

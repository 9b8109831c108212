// Each script is atomic for all clients of the server, and notifies watchers of the key.

/**
 * Writes a key if it still has the value that was read, and returns whether it did. Arguments: `none`, `is` or `sha`, and the
 * value that was read or its SHA-1; `set` or `drop`; the new value; its ttl in milliseconds, `0` for none, empty to keep the
 * current one.
 */
export const replaceScript = `
local old = redis.call('GET', KEYS[1])
local same
if ARGV[1] == 'none' then same = not old
elseif ARGV[1] == 'is' then same = old == ARGV[2]
else same = old and redis.sha1hex(old) == ARGV[2] end
if not same then return 0 end
if ARGV[3] == 'drop' then redis.call('DEL', KEYS[1])
elseif ARGV[5] == '' then redis.call('SET', KEYS[1], ARGV[4], 'KEEPTTL')
elseif ARGV[5] == '0' then redis.call('SET', KEYS[1], ARGV[4])
else redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[5]) end
redis.call('PUBLISH', KEYS[1], '')
return 1`

/**
 * Appends to a list without reading it, and returns whether the value is a list. Arguments: the items as JSON; the head of a
 * new list; the ttl in milliseconds, empty to keep the current one; the time, unless the server's clock is used; the head for a
 * new ttl, if the ttl is part of the value.
 */
export const addScript = `
local start = redis.call('GETRANGE', KEYS[1], 0, 32)
local head = string.match(start, '^[jb][^;]*;')
local isLive = start ~= ''
if isLive and head and ARGV[4] ~= '' then
  local expires = tonumber(string.sub(head, 2, -2))
  isLive = not expires or tonumber(ARGV[4]) < expires
end
if not isLive then
  if ARGV[3] == '' then redis.call('SET', KEYS[1], ARGV[2] .. ARGV[1])
  else redis.call('SET', KEYS[1], ARGV[2] .. ARGV[1], 'PX', ARGV[3]) end
  redis.call('PUBLISH', KEYS[1], '')
  return 1
end
if not head or string.sub(head, 1, 1) ~= 'j' or string.sub(start, #head + 1, #head + 1) ~= '[' then return 0 end
if ARGV[5] ~= '' then
  redis.call('SET', KEYS[1], ARGV[5] .. string.sub(redis.call('GET', KEYS[1]), #head + 1), 'KEEPTTL')
  head = ARGV[5]
end
if ARGV[1] ~= '[]' then
  local length = redis.call('STRLEN', KEYS[1])
  local comma = length > #head + 2 and ',' or ''
  redis.call('SETRANGE', KEYS[1], length - 1, comma .. string.sub(ARGV[1], 2))
end
if ARGV[3] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
redis.call('PUBLISH', KEYS[1], '')
return 1`

/** Stores values. Arguments: for each its value and its ttl in milliseconds, empty for none. */
export const putScript = `
for row, name in ipairs(KEYS) do
  local value, life = ARGV[2 * row - 1], ARGV[2 * row]
  if life == '' then redis.call('SET', name, value) else redis.call('SET', name, value, 'PX', life) end
  redis.call('PUBLISH', name, '')
end
return 1`

/**
 * Updates the index entry of a listed key, and removes some expired keys from the index. Keys: the key, the index, and the set
 * of expiry times. Argument: the key without prefix.
 */
export const indexScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local left = redis.call('PTTL', KEYS[1])
if left ~= -2 then redis.call('ZADD', KEYS[2], 0, ARGV[1]) end
if left >= 0 then redis.call('ZADD', KEYS[3], now + left, ARGV[1]) else redis.call('ZREM', KEYS[3], ARGV[1]) end
local gone = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now, 'LIMIT', 0, 16)
if left == -2 then table.insert(gone, ARGV[1]) end
if #gone > 0 then
  redis.call('ZREM', KEYS[2], unpack(gone))
  redis.call('ZREM', KEYS[3], unpack(gone))
end
return 1`

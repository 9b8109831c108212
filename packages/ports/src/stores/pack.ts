import { parseStored } from './kept-json.ts'
import { EngineError } from '../errors/error.ts'
import type { KeepOptions } from '../store.ts'
import type { Json, Value } from '../value.ts'

/** JSON as a string, or bytes unchanged. */
export type Packed = string | Uint8Array

/**
 * Packs a value for a store. Bytes are not copied, so they must not change until they are written. Throws `store_failed` if the
 * value is neither bytes nor JSON.
 */
export function packValue(key: string, value: Value): Packed {
  return value instanceof Uint8Array ? value : jsonText(key, value)
}

/** Returns the value that was packed. Throws `store_failed` if it is damaged. */
export function unpackValue(packed: Packed): Value {
  return typeof packed === 'string' ? (parseStored(packed) as Value) : packed
}

/** Returns the time in milliseconds at which a value stored at `now` expires; `usual` without a ttl. */
export function expiryOf(now: number, options: KeepOptions | undefined, usual = Infinity): number {
  return options?.ttl === undefined ? usual : now + options.ttl
}

/**
 * Returns whether a value has not expired. Both times are in milliseconds. Written so that `NaN` means expired, never stored
 * forever.
 */
export function isLive(expires: number, now: number): boolean {
  return now < expires
}

/**
 * Returns the JSON of a list with more items, without parsing the list. Without an old list, it has only these. Throws
 * `store_failed`, with `key` in the message, if the stored value is not a list or the items are not JSON.
 */
export function appendToList(key: string, old: Packed | undefined, items: readonly Json[]): string {
  const added = jsonText(key, items)
  if (old === undefined) return added
  if (typeof old !== 'string' || !old.startsWith('[')) throw notAList(key)
  if (items.length === 0) return old
  return old === '[]' ? added : `${old.slice(0, -1)},${added.slice(1)}`
}

/** Returns the error `store_failed` for appending to a value that is not a list. */
export function notAList(key: string): EngineError {
  return new EngineError('store_failed', `The value of "${key}" is not a list, so nothing can be appended to it.`)
}

function jsonText(key: string, value: Json): string {
  const say = `The new value of "${key}" is not JSON. Pass JSON or bytes.`
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    throw new EngineError('store_failed', say, { cause })
  }
  if (text === undefined) throw new EngineError('store_failed', say)
  return text
}

import { parseKept } from './kept-json.ts'
import { EngineError } from '../errors/error.ts'
import type { KeepOptions } from '../store.ts'
import type { Json, Value } from '../value.ts'

/** JSON as text, bytes as they are. */
export type Packed = string | Uint8Array

/** Bytes are not copied: they stay as they are until they are written. */
export function packValue(key: string, value: Value): Packed {
  return value instanceof Uint8Array ? value : jsonText(key, value)
}

/** The value that was packed. */
export function unpackValue(packed: Packed): Value {
  return typeof packed === 'string' ? (parseKept(packed) as Value) : packed
}

/** Time at which a value that is kept now is gone; `Infinity` when it stays. */
export function expiryOf(now: number, options: KeepOptions | undefined, usual = Infinity): number {
  return options?.ttl === undefined ? usual : now + options.ttl
}

/** Written so that a time that is not a number means gone, never kept for ever. */
export function isLive(expires: number, now: number): boolean {
  return now < expires
}

/** The text of a list with more items, made without reading the list. */
export function appendToList(key: string, old: Packed | undefined, items: readonly Json[]): string {
  const added = jsonText(key, items)
  if (old === undefined) return added
  if (typeof old !== 'string' || !old.startsWith('[')) throw notAList(key)
  if (items.length === 0) return old
  return old === '[]' ? added : `${old.slice(0, -1)},${added.slice(1)}`
}

/** The error for a value that something was to be appended to. */
export function notAList(key: string): EngineError {
  return new EngineError('store_failed', `What is kept for "${key}" is no list, so nothing can be added to it.`)
}

function jsonText(key: string, value: Json): string {
  const say = `What was given for "${key}" is not JSON. Give JSON or bytes.`
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    throw new EngineError('store_failed', say, { cause })
  }
  if (text === undefined) throw new EngineError('store_failed', say)
  return text
}

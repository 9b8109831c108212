import type { KeepOptions, Value } from '@harvestman/core/ports'

import { storeFailed } from './errors.ts'

/** JSON as text, bytes as they are. */
export type Packed = string | Uint8Array

/** Bytes are not copied: they stay as they are until they are written. */
export function pack(key: string, value: Value): Packed {
  if (value instanceof Uint8Array) return value
  const text = stringify(key, value)
  if (text === undefined) throw storeFailed(notAValue(key))
  return text
}

export function unpack(packed: Packed): Value {
  return typeof packed === 'string' ? (JSON.parse(packed) as Value) : packed
}

/** When the value is gone; `Infinity` when it stays. */
export function expiry(now: number, options: KeepOptions | undefined, usual = Infinity): number {
  return options?.ttl === undefined ? usual : now + options.ttl
}

function stringify(key: string, value: Value): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (cause) {
    throw storeFailed(notAValue(key), cause)
  }
}

const notAValue = (key: string) => `What was given for "${key}" is not JSON. Give JSON or bytes.`

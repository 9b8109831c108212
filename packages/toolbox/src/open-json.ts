import { encodedJson } from '@harvestman/ports/values'
import { joinInTurns } from './join-in-turns.ts'
import { damaged, parseStored } from '@harvestman/ports/stores'
import { nextTurn } from './next-turn.ts'

// A value of this many bytes is parsed in about a millisecond.
const largeBytes = 64 * 1_024
// Bytes scanned in each turn of the event loop.
const slice = 1_048_576

/**
 * Reads the JSON of an object that will be printed again: its values of more than 64 KiB stay encoded (`EncodedJson`) and are
 * not checked. However large it is, a limited number of bytes is scanned in each turn of the event loop. Rejects with
 * `store_failed` if the JSON is invalid or not an object.
 */
export async function openJson(bytes: Uint8Array): Promise<Record<string, unknown>> {
  if (bytes.byteLength <= largeBytes) return objectOf(parsed(bytes))
  const values: [string, unknown][] = []
  for await (const { key, from, to } of entriesOf(bytes)) {
    const value = bytes.subarray(from, to)
    const isLarge = value.byteLength > largeBytes
    values.push([String(parsed(key)), isLarge ? encodedJson(await joinInTurns([value])) : parsed(value)])
  }
  return Object.fromEntries(values)
}

function parsed(bytes: Uint8Array): unknown {
  return parseStored(new TextDecoder().decode(bytes))
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw damaged()
  return value as Record<string, unknown>
}

interface Entry {
  readonly key: Uint8Array
  /** Start offset of the value. */
  readonly from: number
  readonly to: number
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const comma = 0x2c
const open = 0x7b
const close = 0x7d
const openList = 0x5b
const closeList = 0x5d

/** Finds the entries of an object by its structural characters alone, without parsing the values. */
async function* entriesOf(bytes: Uint8Array): AsyncGenerator<Entry> {
  if (bytes[0] !== open) throw damaged()
  let depth = 1
  let start = 1
  let key: Uint8Array | undefined
  let isText = false
  let pause = slice
  for (let at = 1; at < bytes.length; at += 1) {
    if (at >= pause) {
      await nextTurn()
      pause = at + slice
    }
    const sign = bytes[at]!
    if (sign === quote) isText = !isText
    else if (isText) at += sign === backslash ? 1 : 0
    else if (sign === open || sign === openList) depth += 1
    else if (depth === 1 && sign === colon) {
      key = bytes.subarray(start, at)
      start = at + 1
    } else if (depth === 1 && (sign === comma || sign === close)) {
      if (key) yield { key, from: start, to: at }
      key = undefined
      start = at + 1
      if (sign === close) return
    } else if (sign === close || sign === closeList) depth -= 1
  }
  throw damaged()
}

import { setImmediate as nextTurn } from 'node:timers/promises'

import type { OwnedBytes } from '../bytes.ts'
import { isEncodedJson } from './encoded-json.ts'
import { ownBytes } from './owned-bytes.ts'

// Takes about a millisecond to print. A chunk of a few of these is printed before the event loop continues.
const lightWeight = 64 * 1_024
const pieceLength = 4 * lightWeight
// Weight of a value in addition to its characters.
const valueWeight = 16

const encoder = new TextEncoder()

/**
 * Returns the JSON of a value as chunks of UTF-8 bytes, with the rules of `JSON.stringify`. A large value is printed over
 * several turns of the event loop, so it must not change meanwhile. Already encoded values are used as chunks without a copy:
 * the result owns their bytes. Rejects where `JSON.stringify` throws, such as for a cycle.
 */
export async function jsonPieces(value: object): Promise<readonly OwnedBytes[]> {
  if (isLight(value)) return [encode(JSON.stringify(value))]
  const pieces: OwnedBytes[] = []
  let text = ''
  const flush = (): void => {
    if (text !== '') pieces.push(encode(text))
    text = ''
  }
  const printed = printedValue(value, '')
  if (isLeftOut(printed)) return []
  for (const part of partsOf(printed)) {
    if (typeof part === 'string') text += part
    else {
      flush()
      pieces.push(part)
    }
    if (text.length < pieceLength) continue
    flush()
    await nextTurn()
  }
  flush()
  return pieces
}

function encode(text: string): OwnedBytes {
  return ownBytes(encoder.encode(text))
}

/** Returns whether a value can be printed in about a millisecond. The check itself is faster than that. */
function isLight(value: unknown): boolean {
  let room = lightWeight
  const weigh = (one: unknown): boolean => {
    room -= valueWeight + (typeof one === 'string' ? one.length : 0)
    if (room < 0) return false
    if (typeof one !== 'object' || one === null) return true
    if (isEncodedJson(one) || one instanceof Uint8Array) return false
    if (Array.isArray(one)) return one.every(weigh)
    for (const key in one) {
      room -= key.length
      if (!weigh((one as Readonly<Record<string, unknown>>)[key])) return false
    }
    return true
  }
  return weigh(value)
}

type Part = string | OwnedBytes

/** Yields the JSON of a value that `toJSON` has returned, or that has no such method. */
function* partsOf(value: unknown): Generator<Part> {
  if (isEncodedJson(value)) yield value.json
  else if (isLight(value)) yield JSON.stringify(value)
  else if (typeof value === 'string') yield* partsOfText(value)
  else if (Array.isArray(value)) yield* partsOfList(value)
  else yield* partsOfObject(value as Readonly<Record<string, unknown>>)
}

/** Returns the value that is printed for a value under a key: the result of `toJSON`, if it has this method. */
function printedValue(value: unknown, key: string): unknown {
  return hasOwnText(value) && !isEncodedJson(value) ? value.toJSON(key) : value
}

function hasOwnText(value: unknown): value is { toJSON(key: string): unknown } {
  return typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
}

function* partsOfText(text: string): Generator<Part> {
  yield '"'
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + lightWeight, text.length)
    // The halves of a surrogate pair must be printed together: each half alone would become an escape.
    if (end < text.length && isHigh(text.charCodeAt(end - 1))) end += 1
    yield JSON.stringify(text.slice(start, end)).slice(1, -1)
    start = end
  }
  yield '"'
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}

// Light values in a row are printed together.
const together = 256

function* partsOfList(list: readonly unknown[]): Generator<Part> {
  let between = '['
  for (let start = 0; start < list.length; start += together) {
    const some = list.slice(start, start + together)
    if (isLight(some)) {
      yield between + JSON.stringify(some).slice(1, -1)
      between = ','
      continue
    }
    for (const [index, item] of some.entries()) {
      const printed = printedValue(item, String(start + index))
      yield between
      yield* partsOf(isLeftOut(printed) ? null : printed)
      between = ','
    }
  }
  yield between === '[' ? '[]' : ']'
}

function* partsOfObject(object: Readonly<Record<string, unknown>>): Generator<Part> {
  let between = '{'
  for (const [key, value] of Object.entries(object)) {
    const printed = printedValue(value, key)
    if (isLeftOut(printed)) continue
    yield `${between}${JSON.stringify(key)}:`
    yield* partsOf(printed)
    between = ','
  }
  yield between === '{' ? '{}' : '}'
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol'
}

/** Printed JSON: a string if it was printed at once, otherwise a promise of its chunks. */
export type PrintedJson = string | Promise<readonly OwnedBytes[]>

const printedOnIt = Symbol('printed')

interface Printed {
  [printedOnIt]?: PrintedJson
}

/**
 * Returns the JSON of a value that no longer changes: a string for a small value, otherwise a promise of chunks. It is printed
 * once for all callers, unless the value is frozen: the result is cached on the value itself, as a hidden property, because in
 * a `WeakMap` it would outlive the value until the next full collection. Throws or rejects where `JSON.stringify` throws.
 */
export function jsonOnce(value: object): PrintedJson {
  const known = (value as Printed)[printedOnIt]
  if (known !== undefined) return known
  const printed = isLight(value) ? JSON.stringify(value) : jsonPieces(value)
  if (Object.isExtensible(value)) Object.defineProperty(value, printedOnIt, { value: printed })
  return printed
}

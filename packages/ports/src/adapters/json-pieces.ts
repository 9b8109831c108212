import type { OwnedBytes } from '../bytes.ts'
import { isEncodedJson } from './encoded-json.ts'
import { nextTurn } from './next-turn.ts'
import { ownBytes } from './owned-bytes.ts'

// About a millisecond of work each. Pieces of a few of these are made before others have their turn.
const lightWeight = 64 * 1_024
const pieceLength = 4 * lightWeight
// Cost of a value beside its characters.
const valueWeight = 16

const encoder = new TextEncoder()

/**
 * The JSON text of a value, in pieces of bytes. However large it is, it is printed a little in each turn of the event loop.
 * What is encoded already is a piece as it is, and belongs to the pieces from now on.
 */
export async function jsonPieces(value: object): Promise<readonly OwnedBytes[]> {
  if (isLight(value)) return [encode(JSON.stringify(value))]
  const pieces: OwnedBytes[] = []
  let text = ''
  const flush = (): void => {
    if (text !== '') pieces.push(encode(text))
    text = ''
  }
  for (const part of partsOf(value)) {
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

/** Returns whether a value is printed in about a millisecond, in less time than that. */
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

function* partsOf(value: unknown): Generator<Part> {
  if (isEncodedJson(value)) yield value.json
  else if (isLight(value)) yield JSON.stringify(value)
  else if (typeof value === 'string') yield* partsOfText(value)
  else if (Array.isArray(value)) yield* partsOfList(value)
  else if (hasOwnText(value)) yield* partsOf(value.toJSON())
  else yield* partsOfObject(value as Readonly<Record<string, unknown>>)
}

function hasOwnText(value: unknown): value is { toJSON(): unknown } {
  return typeof (value as { readonly toJSON?: unknown }).toJSON === 'function'
}

function* partsOfText(text: string): Generator<Part> {
  yield '"'
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + lightWeight, text.length)
    // The halves of a pair are printed as one character, and each alone as an escape.
    if (end < text.length && isHigh(text.charCodeAt(end - 1))) end += 1
    yield JSON.stringify(text.slice(start, end)).slice(1, -1)
    start = end
  }
  yield '"'
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}

// Light values that follow each other are printed together.
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
    for (const item of some) {
      yield between
      yield* partsOf(isLeftOut(item) ? null : item)
      between = ','
    }
  }
  yield between === '[' ? '[]' : ']'
}

function* partsOfObject(object: Readonly<Record<string, unknown>>): Generator<Part> {
  let between = '{'
  for (const [key, value] of Object.entries(object)) {
    if (isLeftOut(value)) continue
    yield `${between}${JSON.stringify(key)}:`
    yield* partsOf(value)
    between = ','
  }
  yield between === '{' ? '{}' : '}'
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol'
}

/** Printed JSON: one text when it was printed at once, else its pieces. */
export type PrintedJson = string | Promise<readonly OwnedBytes[]>

const printedOnIt = Symbol('printed')

interface Printed {
  [printedOnIt]?: PrintedJson
}

/**
 * Prints a value that is not changed any more: once, however many want its text. The text stands on the value itself,
 * unseen: in a `WeakMap` it would outlive the value until the next full collection.
 */
export function jsonOnce(value: object): PrintedJson {
  const known = (value as Printed)[printedOnIt]
  if (known !== undefined) return known
  const printed = isLight(value) ? JSON.stringify(value) : jsonPieces(value)
  if (Object.isExtensible(value)) Object.defineProperty(value, printedOnIt, { value: printed })
  return printed
}

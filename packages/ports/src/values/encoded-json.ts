import type { OwnedBytes } from '../bytes.ts'
import { ownBytes } from './owned-bytes.ts'

const mark = Symbol('encoded')

/**
 * A value as encoded JSON (UTF-8 bytes), for documents that are only stored and passed on: no step parses them.
 * `JSON.stringify` prints the value itself.
 */
export interface EncodedJson {
  readonly [mark]: true
  readonly json: OwnedBytes
  toJSON(this: EncodedJson): unknown
}

/** Wraps bytes that are JSON already. They are not checked. */
export function encodedJson(json: OwnedBytes): EncodedJson {
  return { [mark]: true, json, toJSON }
}

/** Returns whether a value is a wrapped JSON value (`EncodedJson`). */
export function isEncodedJson(value: unknown): value is EncodedJson {
  return typeof value === 'object' && value !== null && mark in value
}

/** Returns a copy of a wrapped JSON value, with its own bytes. */
export function copyOfEncoded({ json }: EncodedJson): EncodedJson {
  return encodedJson(ownBytes(new Uint8Array(json)))
}

// One shared function: a closure on each object would live as long as the code that created it.
function toJSON(this: EncodedJson): unknown {
  return JSON.parse(new TextDecoder().decode(this.json))
}

const encoder = new TextEncoder()

/**
 * Returns the JSON of a value as UTF-8 bytes, or `undefined` for values that JSON omits. Throws a `TypeError` as `JSON.stringify`
 * does, for example for a cycle.
 */
export function encodeJson(value: unknown): OwnedBytes | undefined {
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? undefined : ownBytes(encoder.encode(text))
}

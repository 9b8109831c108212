import type { OwnedBytes } from '../bytes.ts'
import { ownBytes } from './owned-bytes.ts'

const mark = Symbol('encoded')

/**
 * A value as JSON text in bytes, for a document that is only kept: nothing looks at the value on the way. Printed in the
 * usual way, it gives the value.
 */
export interface EncodedJson {
  readonly [mark]: true
  readonly json: OwnedBytes
  toJSON(this: EncodedJson): unknown
}

/** Wraps text that is JSON already. */
export function encodedJson(json: OwnedBytes): EncodedJson {
  return { [mark]: true, json, toJSON }
}

/** Returns whether a value is text that was encoded already. */
export function isEncodedJson(value: unknown): value is EncodedJson {
  return typeof value === 'object' && value !== null && mark in value
}

/** The same text in bytes of its own. */
export function copyOfEncoded({ json }: EncodedJson): EncodedJson {
  return encodedJson(ownBytes(new Uint8Array(json)))
}

// One function for all: a closure on each object would live as long as the code that made it.
function toJSON(this: EncodedJson): unknown {
  return JSON.parse(new TextDecoder().decode(this.json))
}

const encoder = new TextEncoder()

/** The JSON text of a value. Nothing for what JSON leaves out. */
export function encodeJson(value: unknown): OwnedBytes | undefined {
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? undefined : ownBytes(encoder.encode(text))
}

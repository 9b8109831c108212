import { setImmediate } from 'node:timers/promises'

import { EngineError } from '@harvestman/core'
import { joinInTurns } from '@harvestman/toolbox/join-in-turns'
import { parseJson } from '@harvestman/toolbox/parse-json'
import { makeScanner, type BodyLimits, type Bounds, type Exceeded } from '@harvestman/toolbox/json-scanner'
import { makeSequence } from '@harvestman/toolbox/sequence'

import type { Refusal } from '../answer/answer.ts'
import { ownCodes, statuses } from '../refusals/errors.ts'
import { bounds } from './bounds.ts'
import { boundaryOf, readForm } from './multipart.ts'
import type { SentFile } from '../route/sent-file.ts'

export interface Read {
  readonly value: unknown
  /** Only for routes that take a file. */
  readonly file?: SentFile | undefined
}

/** Key of a request method that reads the body without a stream. */
export const readsItself = Symbol('reads itself')

/** A request whose server reads the body directly. */
export interface SelfReading {
  /** Reads a body of at most `most` bytes. Returns `undefined` if it is larger. */
  [readsItself](most: number): Promise<Uint8Array | undefined>
}

/**
 * Reads a JSON body of at most `most` bytes. An empty body is an empty object. Returns an error response for another content
 * type, and for a body that is compressed, too large, malformed, has a key `__proto__`, or exceeds the limits of entries,
 * keys, string length or depth. `own` are the limits that differ from the general ones. Rejects with `aborted` if the body is incomplete.
 */
export async function readJson(request: Request, most: number, own: Partial<BodyLimits> = {}): Promise<Read | Refusal> {
  const problem = notJson(request)
  if (problem) return problem
  const bytes = await readBytes(request, most)
  return bytes === undefined ? tooLarge(most) : parseBody(bytes, { ...bounds, ...own })
}

/** Maximum bytes of a form besides the file: its options and part headers. */
const besideFile = 1_100_000

/**
 * Reads a form with a file of at most `most` bytes, and JSON in its field `options`; without it the value is an empty object.
 * Returns an error response if the form is malformed, compressed, too large, or has no file, and if `options` is not valid JSON
 * or exceeds the limits of `readJson`. Rejects with `aborted` if the body is incomplete.
 */
export async function readFile(request: Request, most: number): Promise<Read | Refusal> {
  const boundary = boundaryOf(request.headers.get('content-type'))
  const problem = boundary === undefined ? notForm : compressed(request)
  if (boundary === undefined || problem) return problem ?? notForm
  const bytes = await readBytes(request, most + besideFile)
  const parts = bytes && readForm(bytes, boundary)
  if (!bytes || !parts) return bytes ? brokenForm : tooLarge(most)
  const file = parts.find(({ name }) => name === 'file')
  const options = parts.find(({ name }) => name === 'options')
  const read = options ? await parseBody(options.bytes) : { value: {} }
  if (!('value' in read)) return read.code === ownCodes.invalidJson ? badOptions : read
  if (!file) return brokenForm
  if (file.bytes.byteLength > most) return tooLarge(most)
  return { ...read, file: { bytes: file.bytes, name: file.fileName, contentType: file.contentType } }
}

/**
 * Reads a body that is a file of at most `most` bytes. Returns an error response if it is compressed or too large. Rejects with
 * `aborted` if the body is incomplete.
 */
export async function readFullBody(request: Request, most: number): Promise<Read | Refusal> {
  const problem = compressed(request)
  if (problem) return problem
  const bytes = await readBytes(request, most)
  if (!bytes) return tooLarge(most)
  const contentType = request.headers.get('content-type') ?? undefined
  return { value: undefined, file: { bytes, name: undefined, contentType } }
}

const notForm: Refusal = {
  status: 415,
  code: ownCodes.notJson,
  error: 'The body must be a form with the file in the field "file". Send it as multipart/form-data.',
}

const brokenForm: Refusal = {
  status: 400,
  code: statuses.invalid_request.code,
  error:
    'Missing file upload. The body must be a form with the fields "file" and "options". Send it as multipart/form-data.',
}

/** The public API's error for options that are not JSON. */
const badOptions: Refusal = {
  status: 400,
  code: statuses.invalid_request.code,
  error: 'Invalid JSON in the field "options". Send an object as JSON.',
}

async function parseBody(bytes: Uint8Array, limits: BodyLimits = bounds): Promise<Read | Refusal> {
  if (bytes.length === 0) return { value: {} }
  return bytes.length > slice ? inTurn(() => read(bytes, limits)) : read(bytes, limits)
}

// Parses large bodies one at a time and yields to the event loop in between, so that not all parsed values are in memory at
// once.
const largeBodies = makeSequence()

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const [result] = [largeBodies.run(work), largeBodies.run(() => setImmediate())]
  return result
}

const decoder = new TextDecoder()

async function read(bytes: Uint8Array, limits: BodyLimits): Promise<Read | Refusal> {
  const passed = bytes.length > slice ? await scan(bytes, limits) : makeScanner(limits).push(bytes)
  if (passed) return tooMuch(passed, limits)
  const isLarge = bytes.length > slice
  const text = decoder.decode(bytes)
  if (isLarge) await setImmediate()
  const value = parseJson(text)
  // The caller's work with a large value starts in a turn of its own.
  if (isLarge) await setImmediate()
  if (value === undefined) {
    return { status: 400, code: ownCodes.invalidJson, error: 'Bad request, malformed JSON' }
  }
  if (!mayHarm.test(text) || isHarmless(value)) return { value }
  return { status: 400, code: ownCodes.invalidJson, error: 'The body has a key named __proto__. Remove it.' }
}

const jsonType = /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i

/**
 * Returns whether the content type is JSON. Also a CSRF guard for servers on localhost: browsers send other content
 * types cross-origin without a preflight request.
 */
export function isJson({ headers }: Request): boolean {
  return jsonType.test(headers.get('content-type') ?? '')
}

function notJson(request: Request): Refusal | undefined {
  if (!isJson(request)) {
    const error = 'The body must be JSON. Send it with the header Content-Type: application/json.'
    return { status: 415, code: ownCodes.notJson, error }
  }
  return compressed(request)
}

function compressed({ headers }: Pick<Request, 'headers'>): Refusal | undefined {
  const encoding = headers.get('content-encoding')
  if (encoding === null || encoding === 'identity') return undefined
  const error = 'The body must not be compressed. Send it without the header Content-Encoding.'
  return { status: 415, code: ownCodes.notJson, error }
}

function tooLarge(most: number): Refusal {
  const error = `The body is larger than the limit of ${most} bytes.`
  return { status: 413, code: ownCodes.tooLarge, error }
}

const names: Readonly<Record<keyof Bounds, string>> = {
  entries: 'entries of lists and objects',
  keys: 'keys',
  depth: 'levels of objects and lists',
  text: 'bytes in one string',
}

const remedies: Readonly<Record<keyof Bounds, string>> = {
  entries: 'Send fewer at once.',
  keys: 'Send fewer at once.',
  depth: 'Nest the values less deeply.',
  text: 'Shorten the string, or upload it as a file.',
}

function tooMuch(exceeded: Exceeded, limits: BodyLimits): Refusal {
  return { status: 413, code: ownCodes.tooLarge, error: messageOf(exceeded, limits) }
}

function messageOf(exceeded: Exceeded, { properties = new Map<string, number>(), ...limits }: BodyLimits): string {
  if (typeof exceeded === 'object') {
    const { property } = exceeded
    return `"${property}" has more than ${properties.get(property)} bytes, which is the limit. Shorten it.`
  }
  const longer = Array.from(properties, ([name, bytes]) => `Only "${name}" may have more: ${bytes}.`)
  const isLonger = exceeded === 'text' && longer.length > 0
  const remedy = isLonger ? `Shorten the string. ${longer.join(' ')}` : remedies[exceeded]
  return `The body has more than ${limits[exceeded]} ${names[exceeded]}, which is the limit. ${remedy}`
}

/** Returns the bytes of the body, or `undefined` if it is larger than `most`. */
async function readBytes(request: Request, most: number): Promise<Uint8Array | undefined> {
  try {
    if (readsItself in request) return await (request as SelfReading)[readsItself](most)
    const length = request.headers.get('content-length')
    if (length !== null && Number(length) > most) return undefined
    // The server enforces Content-Length, so this cannot read more.
    if (length !== null && Number(length) <= slice) return new Uint8Array(await request.arrayBuffer())
    return request.body ? await readAtMost(request.body, most) : new Uint8Array()
  } catch (cause) {
    throw new EngineError('aborted', 'The body is incomplete.', { cause })
  }
}

async function readAtMost(body: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > most) return undefined
    chunks.push(chunk)
  }
  return joinInTurns(chunks)
}

// About a millisecond of work, after which other requests run.
const slice = 512 * 1024

async function scan(bytes: Uint8Array, limits: BodyLimits): Promise<Exceeded | undefined> {
  const scanner = makeScanner(limits)
  for (let start = 0; start < bytes.length; start += slice) {
    const passed = scanner.push(bytes.subarray(start, start + slice))
    if (passed) return passed
    await setImmediate()
  }
  return undefined
}

// A key may be written with escapes.
const mayHarm = /__proto__|\\u/

/** Recursion is safe here, since the scanner has limited the depth. */
function isHarmless(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isHarmless)
  const object = value as Record<string, unknown>
  for (const key in object) if (key === '__proto__' || !isHarmless(object[key])) return false
  return true
}

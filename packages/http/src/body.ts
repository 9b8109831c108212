import { EngineError } from '@harvestman/core'

import type { Refusal } from './answer.ts'
import { ownCodes } from './errors.ts'

// Nothing that can be asked for nests this deep, and what walks a value by recursion is safe below it.
const mostLevels = 200

export interface Read {
  readonly value: unknown
}

/** Reads a JSON body of at most `most` bytes. No body at all is an empty object. */
export async function readJson(request: Request, most: number): Promise<Read | Refusal> {
  const problem = notJson(request)
  if (problem) return problem
  const text = await readText(request, most)
  if (text === undefined) return tooLarge(most)
  if (text === '') return { value: {} }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { status: 400, code: ownCodes.invalidJson, error: 'Bad request, malformed JSON' }
  }
  if (isHarmless(value, mostLevels)) return { value }
  const error = `The body nests deeper than ${mostLevels} levels, or has a key named __proto__.`
  return { status: 400, code: ownCodes.invalidJson, error }
}

const jsonType = /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i

// Also what keeps the pages of a browser from writing to a server on the same machine: they may send other types unasked.
function notJson({ headers }: Request): Refusal | undefined {
  if (!jsonType.test(headers.get('content-type') ?? '')) {
    const error = 'The body must be JSON. Send it with the header Content-Type: application/json.'
    return { status: 415, code: ownCodes.notJson, error }
  }
  const encoding = headers.get('content-encoding')
  if (encoding === null || encoding === 'identity') return undefined
  const error = 'The body must not be compressed. Send it without the header Content-Encoding.'
  return { status: 415, code: ownCodes.notJson, error }
}

function tooLarge(most: number): Refusal {
  const error = `The body is larger than ${most} bytes, which is the most this server takes.`
  return { status: 413, code: ownCodes.tooLarge, error }
}

/** The text, or nothing when there is more of it than may be read. */
async function readText(request: Request, most: number): Promise<string | undefined> {
  const length = request.headers.get('content-length')
  if (length !== null && Number(length) > most) return undefined
  try {
    // A server holds the body to the length that was announced, so this cannot read more.
    if (length !== null) return await request.text()
    return request.body ? await readAtMost(request.body, most) : ''
  } catch (cause) {
    throw new EngineError('aborted', 'The body did not arrive as a whole.', { cause })
  }
}

async function readAtMost(body: ReadableStream<Uint8Array>, most: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > most) return undefined
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

function isHarmless(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  if (Array.isArray(value)) return value.every((inner) => isHarmless(inner, levels - 1))
  const object = value as Record<string, unknown>
  for (const key in object) if (key === '__proto__' || !isHarmless(object[key], levels - 1)) return false
  return true
}

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { Visit } from './route.ts'

/**
 * Sends status 200 and chunks as fast as the visitor reads them, through the given transforms in order. Ends early, without an
 * error, if the visitor disconnects or `chunks` throws. Nothing is buffered.
 */
export async function stream(
  { response }: Visit,
  headers: Readonly<Record<string, string | number>>,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ...through: readonly NodeJS.ReadWriteStream[]
): Promise<void> {
  response.writeHead(200, headers)
  // Visitors are expected to disconnect early.
  await pipeline([Readable.from(chunks, { objectMode: true }), ...through, response]).catch(() => undefined)
}

/** Yields these bytes again and again, `total` bytes in all. */
export function* repeat(bytes: Uint8Array, total: number): Generator<Uint8Array> {
  for (let left = total; left > 0; left -= bytes.length) yield left < bytes.length ? bytes.subarray(0, left) : bytes
}

/** Joins strings into UTF-8 chunks of about `size` characters. */
export function* gather(texts: Iterable<string>, size = 65_536): Generator<Uint8Array> {
  let gathered = ''
  for (const text of texts) {
    gathered += text
    if (gathered.length < size) continue
    yield Buffer.from(gathered)
    gathered = ''
  }
  if (gathered !== '') yield Buffer.from(gathered)
}

export const megabyte = 1_000_000

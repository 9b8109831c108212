// HTTP messages in a record. As in other recorders that capture a browser, bodies are stored decoded, and the host's original
// encoding and length headers get the prefix `x-orig-`.

import { nodeHttp } from '@harvestman/toolbox/node-http'

import { bufferOf, endOfHead, linesOf, type Field } from './fields.ts'
import { unpackBody } from './members.ts'

/** A parsed HTTP message. */
export interface HttpMessage {
  /** The request or status line. */
  readonly start: string
  /** In their original order, with names in lower case. */
  readonly headers: readonly Field[]
  readonly body: Uint8Array
}

const original = 'x-orig-'
const ofTheBody: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'transfer-encoding'])

/**
 * Formats the head of a response whose body is stored decoded. The original encoding and length headers get the prefix
 * `x-orig-`; `content-length` is the number of bytes stored. Names of headers must be in lower case.
 */
export function printResponseHead(status: number, headers: readonly Field[], bodyBytes: number): Buffer {
  const shown = headers.map(([name, value]): Field => [ofTheBody.has(name) ? original + name : name, value])
  return printHead(`HTTP/1.1 ${status} ${nodeHttp().STATUS_CODES[status] ?? 'Status'}`, [
    ...shown,
    ['content-length', String(bodyBytes)],
  ])
}

/** Formats the head of a request. `host` is taken from the URL. Names of headers must be in lower case. */
export function printRequestHead(method: string, url: URL, headers: readonly Field[]): Buffer {
  const own = headers.filter(([name]) => name !== 'host')
  return printHead(`${method} ${url.pathname}${url.search} HTTP/1.1`, [['host', url.host], ...own])
}

function printHead(start: string, headers: readonly Field[]): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n]+/g, ' ')}`)
  return Buffer.from(`${[start, ...lines].join('\r\n')}\r\n\r\n`, 'latin1')
}

/** Parses a message. Returns `undefined` if it has no head, or one with more than 65,536 bytes or 2,000 lines. */
export function readMessage(block: Uint8Array): HttpMessage | undefined {
  const end = endOfHead(block)
  if (end === undefined) return undefined
  const all = linesOf(bufferOf(block).toString('latin1', 0, end).trimEnd())
  if (!all) return undefined
  const [start = '', ...lines] = all
  const headers = lines.flatMap((line): Field[] => {
    const at = line.indexOf(':')
    return at > 0 ? [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]] : []
  })
  return { start, headers, body: block.subarray(end) }
}

/** Returns the status of a response; 200 if its first line has none. */
export function statusOf({ start }: HttpMessage): number {
  return Number(/^HTTP\/[\d.]+ (\d{3})/.exec(start)?.[1] ?? 200)
}

/**
 * Restores the host's original headers in a message written by this package. The content length is omitted, because
 * the body is stored decoded.
 */
export function originalHeaders(headers: readonly Field[]): readonly Field[] {
  return headers.flatMap(([name, value]): Field[] => {
    if (name === 'content-length') return []
    return [[name.startsWith(original) ? name.slice(original.length) : name, value]]
  })
}

/**
 * Returns the decoded body of a response recorded by another tool, whether it was stored decoded or not. A body that
 * cannot be decoded, or that would have more than `largest` bytes, is returned as it is.
 */
export function foreignBody({ headers, body }: HttpMessage, largest: number): Uint8Array {
  const valueOf = (name: string): string | undefined => headers.find(([header]) => header === name)?.[1]
  const isChunked = /\bchunked\b/i.test(valueOf('transfer-encoding') ?? '')
  return unpackBody((isChunked && joinChunks(body)) || body, valueOf('content-encoding'), largest)
}

/** Joins the chunks of a body. Returns `undefined` if the body is not chunked. */
function joinChunks(body: Uint8Array): Uint8Array | undefined {
  const buffer = bufferOf(body)
  const pieces: Uint8Array[] = []
  for (let at = 0; ;) {
    const end = buffer.indexOf('\r\n', at)
    const size = /^[\da-f]{1,8}(?=[;\s]|$)/i.exec(buffer.toString('latin1', at, Math.min(end, at + 100)))?.[0]
    if (end < 0 || size === undefined) return undefined
    const length = Number.parseInt(size, 16)
    if (length === 0) return Buffer.concat(pieces)
    pieces.push(buffer.subarray(end + 2, end + 2 + length))
    at = end + 2 + length + 2
  }
}

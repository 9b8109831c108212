// Static content that is the same for all callers until the server changes. It is compressed once and revalidated by ETag.
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import { toResponse, type Answer } from './answer.ts'

/** Content with its compressed variants. */
export interface Packed {
  readonly type: string
  /** A weak ETag, because one content has several encodings. */
  readonly etag: string
  readonly plain: Uint8Array<ArrayBuffer>
  readonly gzip: Uint8Array<ArrayBuffer>
  readonly brotli: Uint8Array<ArrayBuffer>
}

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/**
 * Compresses content with gzip and Brotli, off the main thread. Variants that are passed as `ready` are used as they
 * are. Rejects if compression fails.
 */
export async function pack(
  plain: Uint8Array<ArrayBuffer>,
  type: string,
  ready?: Pick<Packed, 'gzip' | 'brotli'>,
): Promise<Packed> {
  const etag = `W/"${hash('sha256', plain, 'base64url').slice(0, 27)}"`
  return { type, etag, plain, ...(ready ?? (await encode(plain))) }
}

async function encode(plain: Uint8Array<ArrayBuffer>): Promise<Pick<Packed, 'gzip' | 'brotli'>> {
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(plain, { level: 9 }),
    promisify(brotliCompress)(plain, brotliOptions),
  ])
  return { gzip: new Uint8Array(zipped), brotli: new Uint8Array(brotli) }
}

/**
 * Serializes a value as JSON and compresses it with gzip and Brotli, as `pack` does. Rejects if compression fails. Throws,
 * instead of rejecting, if `JSON.stringify` throws, such as for a cycle.
 */
export function packJson(value: object): Promise<Packed> {
  return pack(new TextEncoder().encode(JSON.stringify(value)), 'application/json; charset=utf-8')
}

type RequestHeaders = Pick<Headers, 'get'>

/**
 * Returns the content in an encoding that the caller accepts (Brotli before gzip, whatever their weights), or 304 without a
 * body if the caller's copy is current. Without an acceptable encoding the content is sent uncompressed.
 */
export function packedAnswer(
  { type, etag, plain, gzip, brotli }: Packed,
  requestHeaders: RequestHeaders,
  headers: Readonly<Record<string, string>>,
): Answer {
  const vary = [headers['vary'], 'accept-encoding'].filter(Boolean).join(', ')
  const common = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff', ...headers, etag, vary }
  if (hasIt(requestHeaders.get('if-none-match'), etag)) return { status: 304, headers: common, body: undefined }
  const encoding = encodingFor(requestHeaders.get('accept-encoding') ?? '')
  return {
    status: 200,
    headers: { ...common, 'content-type': type, ...(encoding && { 'content-encoding': encoding }) },
    body: { br: brotli, gzip, plain }[encoding ?? 'plain'],
  }
}

/** Returns the `Response` of `packedAnswer`, for custom handlers. The response to a HEAD request has no body. */
export function packedResponse(
  packed: Packed,
  { headers: requestHeaders, method }: Pick<Request, 'headers' | 'method'>,
  headers: Readonly<Record<string, string>>,
): Response {
  return toResponse(packedAnswer(packed, requestHeaders, headers), method === 'HEAD')
}

function hasIt(known: string | null, etag: string): boolean {
  const tags = (known ?? '').split(',').map((tag) => tag.trim())
  return tags.includes('*') || tags.some((tag) => tag.replace(/^W\//, '') === etag.slice(2))
}

/** Returns the preferred encoding that the caller accepts. A weight of 0 refuses an encoding. */
function encodingFor(accepted: string): 'br' | 'gzip' | undefined {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((part) => part.split(';').map((word) => word.trim()))
      .map(([name = '', ...more]) => [name, Number(more.find((word) => word.startsWith('q='))?.slice(2) ?? 1)]),
  )
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0
  return (['br', 'gzip'] as const).find((name) => weightOf(name) > 0)
}

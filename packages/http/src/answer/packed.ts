// A text that is the same for everybody until the server changes: it is packed once, and not sent again to who has it.
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import { toResponse, type Answer } from './answer.ts'

/** Bytes that are sent often, in each encoding that they are sent in. */
export interface Packed {
  readonly type: string
  /** Weak: what is sent may be packed in several ways. */
  readonly etag: string
  readonly plain: Uint8Array<ArrayBuffer>
  readonly gzip: Uint8Array<ArrayBuffer>
  readonly brotli: Uint8Array<ArrayBuffer>
}

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** Packs a text in each way that browsers read; not on the main thread. One that is packed already is taken as it is. */
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

export function packJson(value: object): Promise<Packed> {
  return pack(new TextEncoder().encode(JSON.stringify(value)), 'application/json; charset=utf-8')
}

type Asked = Pick<Headers, 'get'>

/** Gives it as the caller takes it, or says that what the caller has is good still. */
export function packedAnswer(
  { type, etag, plain, gzip, brotli }: Packed,
  asked: Asked,
  headers: Readonly<Record<string, string>>,
): Answer {
  const vary = [headers['vary'], 'accept-encoding'].filter(Boolean).join(', ')
  const common = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff', ...headers, etag, vary }
  if (hasIt(asked.get('if-none-match'), etag)) return { status: 304, headers: common, body: undefined }
  const encoding = encodingFor(asked.get('accept-encoding') ?? '')
  return {
    status: 200,
    headers: { ...common, 'content-type': type, ...(encoding && { 'content-encoding': encoding }) },
    body: { br: brotli, gzip, plain }[encoding ?? 'plain'],
  }
}

/** The same for handlers of their own. */
export function packedResponse(
  packed: Packed,
  { headers: asked, method }: Pick<Request, 'headers' | 'method'>,
  headers: Readonly<Record<string, string>>,
): Response {
  return toResponse(packedAnswer(packed, asked, headers), method === 'HEAD')
}

function hasIt(known: string | null, etag: string): boolean {
  const tags = (known ?? '').split(',').map((tag) => tag.trim())
  return tags.includes('*') || tags.some((tag) => tag.replace(/^W\//, '') === etag.slice(2))
}

/** The best way of packing that a caller takes: one may be named with a weight of 0, which refuses it. */
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

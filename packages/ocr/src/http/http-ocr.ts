import { EngineError, type Ocr, type OcrPicture, type OcrText, type WireResponse } from '@harvestman/ports'
import { joinInTurns } from '@harvestman/toolbox/join-in-turns'
import { nextTurn } from '@harvestman/toolbox/next-turn'
import { untilAborted } from '@harvestman/toolbox/until-aborted'

import type { MakeOcr } from '../ocr.ts'
import { ocrResponse } from './response.ts'

/** Options of `httpOcr`. */
export interface HttpOcrOptions {
  /** URL of the service. Requests pass the address guard: a service in a private network must be in `allowPrivate` of the engine. */
  readonly url: string
  /** Headers to send, such as `{ authorization: 'Bearer …' }`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Languages of a picture, unless the caller names others. Default: none are sent. */
  readonly languages?: readonly string[]
}

const maxBytes = 4_000_000

/**
 * Creates an engine that sends each picture to an HTTP service as JSON, and reads its response (see the guide about scans). The
 * engine rejects with `not_configured` if the service refuses the key, `unsupported_file` if it refuses the picture, and
 * `connection_failed` or `bad_response` if it fails.
 */
export function httpOcr({ url, headers = {}, languages: defaults }: HttpOcrOptions): MakeOcr {
  const address = addressOf(url)
  return ({ fetcher }): Ocr => ({
    name: `the OCR service at ${address.host}`,
    read: async (picture, options) => {
      const { timeout, signal, onProgress } = options
      const late = AbortSignal.timeout(Math.max(0, Math.ceil(timeout)))
      const running = AbortSignal.any([signal, late])
      const languages = options.languages ?? defaults
      try {
        const body = await encodeRequest(picture, languages, running)
        const exchange = fetcher.exchange(
          {
            url: address,
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
            body,
            owner: 'ocr',
            maxBytes,
          },
          running,
        )
        const text = await read(await untilAborted(exchange, running), address, languages)
        onProgress?.(1)
        return text
      } catch (error) {
        signal.throwIfAborted()
        if (!late.aborted) throw error
        throw new EngineError(
          'timeout',
          `The OCR service at ${address.host} did not respond within ${Math.round(timeout)} ms.`,
        )
      }
    },
  })
}

function addressOf(url: string): URL {
  const address = URL.parse(url)
  if (address && /^https?:$/.test(address.protocol)) return address
  throw new EngineError('invalid_request', `url of httpOcr() is ${JSON.stringify(url)}. Give an http or https URL.`)
}

// Bytes of a picture in each turn of the event loop; a multiple of three, because base64 encodes three bytes at a time.
const slice = 786_432

/** Returns the JSON of a request. Encodes a large picture in several turns of the event loop. */
async function encodeRequest(
  { bytes, type, width, height, exifOrientation, dotsPerInch }: OcrPicture,
  languages: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const rest = JSON.stringify({ type, width, height, exifOrientation, dotsPerInch, languages })
  const parts = [Buffer.from('{"picture":"')]
  for (let at = 0; at < bytes.byteLength; at += slice) {
    if (at > 0) await nextTurn()
    signal.throwIfAborted()
    const length = Math.min(slice, bytes.byteLength - at)
    parts.push(Buffer.from(Buffer.from(bytes.buffer, bytes.byteOffset + at, length).toString('base64'), 'latin1'))
  }
  parts.push(Buffer.from(`",${rest.slice(1)}`))
  return await joinInTurns(parts)
}

async function read(
  { status, body }: WireResponse,
  { host }: URL,
  languages: readonly string[] = [],
): Promise<OcrText> {
  const service = `The OCR service at ${host}`
  if (status === 401 || status === 403)
    throw new EngineError('not_configured', `${service} refuses access (status ${status}). Check headers of httpOcr().`)
  if (status === 501)
    throw new EngineError(
      'not_configured',
      `${service} does not read the languages ${languages.join(', ')} (status 501).`,
    )
  if (status === 400 || status === 413 || status === 415 || status === 422)
    throw new EngineError('unsupported_file', `${service} does not read this picture (status ${status}).`)
  if (status !== 200) throw new EngineError('bad_response', `${service} failed with status ${status}. Try again later.`)
  const parsed = parse(body)
  await nextTurn()
  const text = ocrResponse.safeParse(parsed)
  if (text.success) return text.data
  const [issue] = text.error.issues
  throw new EngineError(
    'bad_response',
    `${service} sent a response of another form: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}. See the guide about scans.`,
  )
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

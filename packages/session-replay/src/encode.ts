// Encodes pictures as H.264, in a tab of the engine's browser that connects to nothing.
import { EngineError, isRecord, type Browser, type Traffic } from '@harvestman/ports'

import type { Picture } from './capture.ts'

/** Pictures of one window, as a video shows them. */
export interface EncodeRequest {
  readonly width: number
  readonly height: number
  /** The first is shown from the start. */
  readonly pictures: readonly Picture[]
}

/** What an encoder made of them. */
export interface Encoded {
  readonly description: Uint8Array
  readonly samples: readonly { readonly bytes: Uint8Array; readonly isKey: boolean }[]
}

// Codecs are for pages of a secure origin. This one is answered by us.
const origin = new URL('https://session-replay.invalid/')
const page: Traffic = {
  maxBytes: 0,
  answer: async () => ({
    status: 200,
    headers: [['content-type', 'text/html']],
    body: Buffer.from('<!doctype html><title>Session replay</title>'),
  }),
}
const profile = { headers: {}, mobile: false, blockAds: false, skipTlsVerification: false, traffic: page }

/** Encodes pictures. Rejects with `bad_response` where the browser has no encoder for H.264. */
export async function encode(browser: Browser, request: EncodeRequest, signal: AbortSignal): Promise<Encoded> {
  const tab = await browser.open(profile, signal)
  try {
    await tab.goto(origin, signal)
    return encodedOf(await tab.evaluate(scriptFor(request), signal))
  } finally {
    await tab.close()
  }
}

// H.264 Baseline of level 4.0: one picture needs none that comes after it, and 1,280 by 1,280 pixels fit.
const codec = 'avc1.420028'
const bitrate = 1_000_000

function scriptFor({ width, height, pictures }: EncodeRequest): string {
  const given = pictures.map(({ at, jpeg }) => ({ at, jpeg: Buffer.from(jpeg).toString('base64') }))
  return `(async () => {
  const base64 = (bytes) => { let text = ''; for (const byte of bytes) text += String.fromCharCode(byte); return btoa(text) }
  const config = { codec: '${codec}', width: ${width}, height: ${height}, bitrate: ${bitrate}, framerate: 4, avc: { format: 'avc' } }
  if (typeof VideoEncoder === 'undefined' || !(await VideoEncoder.isConfigSupported(config)).supported) return 'no encoder'
  const context = new OffscreenCanvas(config.width, config.height).getContext('2d')
  const samples = []
  let description
  let fault
  const encoder = new VideoEncoder({
    output: (chunk, { decoderConfig } = {}) => {
      if (decoderConfig?.description) description = base64(new Uint8Array(decoderConfig.description))
      const bytes = new Uint8Array(chunk.byteLength)
      chunk.copyTo(bytes)
      samples.push({ isKey: chunk.type === 'key', bytes: base64(bytes) })
    },
    error: (error) => { fault = String(error) },
  })
  encoder.configure(config)
  for (const [index, { at, jpeg }] of ${JSON.stringify(given)}.entries()) {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(jpeg), (letter) => letter.charCodeAt(0))], { type: 'image/jpeg' }))
    const scale = Math.min(config.width / bitmap.width, config.height / bitmap.height)
    const [width, height] = [bitmap.width * scale, bitmap.height * scale]
    context.clearRect(0, 0, config.width, config.height)
    context.drawImage(bitmap, (config.width - width) / 2, (config.height - height) / 2, width, height)
    bitmap.close()
    const frame = new VideoFrame(context.canvas, { timestamp: at * 1000 })
    encoder.encode(frame, { keyFrame: index === 0 })
    frame.close()
  }
  await encoder.flush().catch((error) => { fault = String(error) })
  return fault ?? { description, samples }
})()`
}

function encodedOf(value: unknown): Encoded {
  if (isRecord(value) && typeof value['description'] === 'string' && Array.isArray(value['samples'])) {
    const samples: readonly unknown[] = value['samples']
    return {
      description: Buffer.from(value['description'], 'base64'),
      samples: samples.filter(isRecord).map(({ bytes, isKey }) => ({
        bytes: Buffer.from(typeof bytes === 'string' ? bytes : '', 'base64'),
        isKey: isKey === true,
      })),
    }
  }
  throw new EngineError('bad_response', 'The browser of this engine could not encode the video of the session.')
}

// Encodes pictures as H.264 in a tab of the engine's browser, without network access.
import { EngineError, isRecord, type Browser, type Traffic } from '@harvestman/ports'
import { pageCall } from '@harvestman/toolbox/page-call'

import type { Picture } from './capture.ts'
import type { EncoderInput } from './encoder.ts'
import { encodePictures } from './page-scripts.ts'

/** The pictures of one window of a video. */
export interface EncodeRequest {
  readonly width: number
  readonly height: number
  /** The first picture is shown from the start of the window. */
  readonly pictures: readonly Picture[]
}

/** The encoded samples, with the decoder configuration of the encoder. */
export interface Encoded {
  readonly description: Uint8Array
  readonly samples: readonly { readonly bytes: Uint8Array; readonly isKey: boolean }[]
}

// WebCodecs needs a secure origin. Requests to this one never reach the network.
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

/**
 * Encodes pictures. Rejects with `bad_response` if the browser has no H.264 encoder, and with the error of the browser if it
 * fails.
 */
export async function encode(browser: Browser, request: EncodeRequest, signal: AbortSignal): Promise<Encoded> {
  const tab = await browser.open(profile, signal)
  try {
    await tab.goto(origin, signal)
    return encodedOf(await tab.evaluate(scriptFor(request), signal))
  } finally {
    await tab.close()
  }
}

// H.264 Baseline level 4.0: no picture depends on a later one, and 1,280 × 1,280 pixels are allowed.
const codec = 'avc1.420028'
const bitrate = 1_000_000

function scriptFor({ width, height, pictures }: EncodeRequest): string {
  const encoded = pictures.map(({ at, jpeg }) => ({ at, jpeg: Buffer.from(jpeg).toString('base64') }))
  const input: EncoderInput = { codec, width, height, bitrate, pictures: encoded }
  return pageCall(encodePictures, input)
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

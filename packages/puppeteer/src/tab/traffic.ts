import type { Traffic, TrafficAnswer, TrafficRequest } from '@harvestman/ports'

import { refusalHeader } from '../egress/forward.ts'
import { tell, type Protocol, type Session } from '../lib/cdp.ts'

type Paused = Protocol.Fetch.RequestPausedEvent

// Their length is that of the body which is given; it is not packed.
const ofTheWire: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'transfer-encoding'])
// These have no end to wait for.
const endless: ReadonlySet<string> = new Set(['text/event-stream', 'multipart/x-mixed-replace'])

/** The patterns by which every request is met, and every answer. */
export const allTraffic: readonly Protocol.Fetch.RequestPattern[] = [
  { urlPattern: '*', requestStage: 'Request' },
  { urlPattern: '*', requestStage: 'Response' },
]

/** Reads a request as it is sent. */
export function requestOf({ request }: Paused): TrafficRequest {
  const entries = request.postDataEntries?.map(({ bytes = '' }) => Buffer.from(bytes, 'base64'))
  return {
    url: request.url + (request.urlFragment ?? ''),
    method: request.method,
    headers: Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value] as const),
    body: entries && Buffer.concat(entries),
  }
}

/** Reads an answer that waits to be passed on; nothing for one that has no end, or is no answer of the host. */
export async function answerOf(session: Session, event: Paused, maxBytes: number): Promise<TrafficAnswer | undefined> {
  const status = event.responseStatusCode ?? 0
  const headers = (event.responseHeaders ?? []).map(({ name, value }) => [name.toLowerCase(), value] as const)
  const valueOf = (wanted: string): string => headers.find(([name]) => name === wanted)?.[1] ?? ''
  const type = valueOf('content-type').split(';')[0]?.trim().toLowerCase() ?? ''
  if (status === 0 || valueOf(refusalHeader) !== '' || endless.has(type)) return undefined
  const isTooLarge = Number(valueOf('content-length')) > maxBytes
  const hasBody = !(status >= 300 && status < 400) && status !== 204 && event.request.method !== 'HEAD' && !isTooLarge
  const body = hasBody ? await bodyOf(session, event) : new Uint8Array()
  const isCut = isTooLarge || body.length > maxBytes
  return { status, headers, body: body.subarray(0, maxBytes), ...(isCut && { isCut }) }
}

async function bodyOf(session: Session, { requestId }: Paused): Promise<Uint8Array> {
  const { body, base64Encoded } = await session.send('Fetch.getResponseBody', { requestId })
  return Buffer.from(body, base64Encoded ? 'base64' : 'utf8')
}

/** Answers a request in place of its host. */
export function fulfil(session: Session, { requestId }: Paused, { status, headers, body }: TrafficAnswer): void {
  const kept = headers.filter(([name]) => !ofTheWire.has(name))
  void tell(session, 'Fetch.fulfillRequest', {
    requestId,
    responseCode: status,
    responseHeaders: [...kept, ['content-length', String(body.length)] as const].map(([name, value]) => ({
      name,
      value,
    })),
    body: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64'),
  })
}

/** Runs the script of the traffic in each document, before those of the page. */
export function runScript(session: Session, { script }: Traffic): Promise<void> {
  return script === undefined
    ? Promise.resolve()
    : tell(session, 'Page.addScriptToEvaluateOnNewDocument', { source: script })
}

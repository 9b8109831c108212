import type { Traffic, TrafficAnswer, TrafficRequest } from '@harvestman/ports'

import { refusalHeader } from '../egress/forward.ts'
import { tell, type Protocol, type Session } from '../lib/cdp.ts'

type Paused = Protocol.Fetch.RequestPausedEvent

// Omitted, because the given body is decoded and has another length.
const ofTheWire: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'transfer-encoding'])
// Responses of these types never end.
const endless: ReadonlySet<string> = new Set(['text/event-stream', 'multipart/x-mixed-replace'])

/** Patterns that intercept all requests and responses. */
export const allTraffic: readonly Protocol.Fetch.RequestPattern[] = [
  { urlPattern: '*', requestStage: 'Request' },
  { urlPattern: '*', requestStage: 'Response' },
]

/** Converts an intercepted request. Header names become lower case; the body is `undefined` if there is none. */
export function requestOf({ request, resourceType, frameId }: Paused, mainFrame: string): TrafficRequest {
  const entries = request.postDataEntries?.map(({ bytes = '' }) => Buffer.from(bytes, 'base64'))
  return {
    url: request.url + (request.urlFragment ?? ''),
    method: request.method,
    headers: Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value] as const),
    body: entries && Buffer.concat(entries),
    ...(resourceType === 'Document' && frameId !== mainFrame && { isFrame: true }),
  }
}

/**
 * Reads an intercepted response, up to `maxBytes`; a longer body is cut, or empty if its announced length is above the limit,
 * and has `isCut`. Resolves to `undefined` if the response never ends or is not from the host, and rejects if the browser
 * fails.
 */
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

/** Responds to an intercepted request in place of its host. Errors are ignored, for example if the page is gone. */
export function fulfil(session: Session, { requestId }: Paused, { status, headers, body }: TrafficAnswer): void {
  const allowed = headers.filter(([name]) => !ofTheWire.has(name))
  void tell(session, 'Fetch.fulfillRequest', {
    requestId,
    responseCode: status,
    responseHeaders: [...allowed, ['content-length', String(body.length)] as const].map(([name, value]) => ({
      name,
      value,
    })),
    body: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64'),
  })
}

/**
 * Runs the script of the traffic handler in each document, before the page's own scripts. Does nothing without a script.
 * Errors are ignored.
 */
export function runScript(session: Session, { script }: Traffic): Promise<void> {
  return script === undefined
    ? Promise.resolve()
    : tell(session, 'Page.addScriptToEvaluateOnNewDocument', { source: script })
}

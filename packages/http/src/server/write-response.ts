import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { nextTurn } from '@harvestman/toolbox/next-turn'

/**
 * Writes a `Response` to the socket. A body that is complete at once gets a Content-Length. Rejects if the body fails
 * or the caller disconnects while it is streamed.
 */
export async function writeResponse({ status, headers, body }: Response, outgoing: ServerResponse): Promise<void> {
  const more: OutgoingHttpHeaders = Object.fromEntries(headers)
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) more['set-cookie'] = cookies
  if (!body) {
    outgoing.writeHead(status, more).end()
    return
  }
  const reader = body.getReader()
  const cancel = (): unknown => reader.cancel().catch(() => undefined)
  outgoing.once('close', cancel)
  const first = await reader.read()
  const second = first.done ? undefined : reader.read()
  const isComplete = first.done || (await Promise.race([second, nextTurn()]))?.done === true
  if (isComplete) {
    outgoing.off('close', cancel)
    more['content-length'] ??= first.value?.byteLength ?? 0
    outgoing.writeHead(status, more).end(first.value)
    return
  }
  outgoing.writeHead(status, more).flushHeaders()
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield first.value ?? new Uint8Array()
    for (let next = await second; next?.done === false; next = await reader.read()) yield next.value
  }
  await pipeline(Readable.from(chunks(), { objectMode: false }), outgoing)
}

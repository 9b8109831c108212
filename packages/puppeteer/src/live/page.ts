import type { Wire } from '@harvestman/ports'

import { openClient, type Page, type Transport } from '../lib/cdp.ts'
import { browserFailed } from '../lib/errors.ts'

/** The page of a live browser in Puppeteer. Disposing it disconnects and leaves the page open. */
export type LivePage = Page & AsyncDisposable

/**
 * Drives a live browser from this process with Puppeteer, with the same restrictions as any other client of the session.
 * Rejects with `browser_failed` if it has no open page.
 */
export async function pageOf(session: { connect(): Promise<Wire> }): Promise<LivePage> {
  const wire = await session.connect()
  const transport: Transport = { send: (message) => wire.send(message), close: () => wire.close() }
  wire.onMessage = (message) => transport.onmessage?.(message)
  wire.onClose = () => transport.onclose?.()
  const client = await openClient(transport)
  const [page] = await client.pages()
  if (!page) {
    await client.disconnect()
    throw browserFailed('The live browser has no page open. Open one with code, or start another session.')
  }
  return Object.assign(page, { [Symbol.asyncDispose]: () => client.disconnect() })
}

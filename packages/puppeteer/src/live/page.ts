import type { Wire } from '@harvestman/ports'

import { openClient, type Page, type Transport } from '../lib/cdp.ts'
import { browserFailed } from '../lib/errors.ts'

/** The page of a live browser, as Puppeteer has it; disposing of it lets go of the page and leaves it open. */
export type LivePage = Page & AsyncDisposable

/**
 * Drives a live browser from this process with Puppeteer. What the page may do is what any client of the session may: the
 * same filter is between.
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

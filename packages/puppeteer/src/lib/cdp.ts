// The only importer of puppeteer-core: its connection and sessions carry every message to and from the browser.
import type { Browser, CDPSession, Connection, ConnectionTransport, Page, Protocol } from 'puppeteer-core'

export type { Browser as Client, CDPSession as Session, Connection, ConnectionTransport as Transport, Page, Protocol }

// The class is public; its constructor is not written down in the declarations.
type MakeConnection = new (url: string, transport: ConnectionTransport, delay: number, timeout: number) => Connection

/** Speaks the protocol over a transport. No command has a time limit of its own: every wait has a signal. */
export type Connect = (transport: ConnectionTransport) => Connection

/** The client is loaded with the first browser: a process that draws no page does not wait for it. */
export async function loadConnect(): Promise<Connect> {
  const { Connection: Made } = await import('puppeteer-core')
  // Cast: see above.
  return (transport) => new (Made as unknown as MakeConnection)('', transport, 0, 0)
}

/** A client of Puppeteer that speaks over a transport. */
export async function openClient(transport: ConnectionTransport): Promise<Browser> {
  const { connect } = await import('puppeteer-core')
  return connect({ transport, defaultViewport: null })
}

/** Sends what need not succeed: that the target went away meanwhile, or has no such thing, is not an error. */
export async function tell(session: CDPSession, ...[method, params]: Parameters<CDPSession['send']>): Promise<void> {
  try {
    await session.send(method, params)
  } catch {
    // See above.
  }
}

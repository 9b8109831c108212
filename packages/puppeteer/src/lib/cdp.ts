// The only module that imports puppeteer-core. Its connections and sessions carry all messages to and from the browser.
import type { Browser, CDPSession, Connection, ConnectionTransport, Page, Protocol } from 'puppeteer-core'

export type { Browser as Client, CDPSession as Session, Connection, ConnectionTransport as Transport, Page, Protocol }

// The class is public, but its constructor is missing from the type declarations.
type MakeConnection = new (url: string, transport: ConnectionTransport, delay: number, timeout: number) => Connection

/** Opens a protocol connection over a transport. Commands have no timeout of their own: every wait has a signal. */
export type Connect = (transport: ConnectionTransport) => Connection

/**
 * Loads puppeteer-core with the first browser, so that a process without browsers starts faster. Rejects if it is not
 * installed.
 */
export async function loadConnect(): Promise<Connect> {
  const { Connection: Made } = await import('puppeteer-core')
  // Cast: the constructor is missing from the type declarations.
  return (transport) => new (Made as MakeConnection)('', transport, 0, 0)
}

/** Connects a Puppeteer client over a transport. Rejects if the browser does not complete the handshake. */
export async function openClient(transport: ConnectionTransport): Promise<Browser> {
  const { connect } = await import('puppeteer-core')
  return connect({ transport, defaultViewport: null })
}

/** Sends a command and ignores errors, for example if the target is gone or does not support the command. */
export async function tell(session: CDPSession, ...[method, params]: Parameters<CDPSession['send']>): Promise<void> {
  try {
    await session.send(method, params)
  } catch {
    // Errors are ignored.
  }
}

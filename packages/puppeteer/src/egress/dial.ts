import type { Socket } from 'node:net'

import { EngineError, type Guard, type Proxy } from '@harvestman/ports'
import { dial, dialProxy, openTunnel, refuseInternal, type ParsedProxy } from '@harvestman/net/connect'

const connectWithin = 15_000

/** The destination of a connection, as requested by the browser. */
export interface Destination {
  readonly host: string
  readonly port: number
}

/**
 * Connects to the IP that the guard resolved for the host. Rejects with the guard's error, with the signal's reason, or with
 * `connection_failed`, also if the connection takes more than 15 seconds.
 */
export async function dialHost({ host, port }: Destination, guard: Guard, signal: AbortSignal): Promise<Socket> {
  const address = await guard.resolve(host, port, signal)
  try {
    return await dial(address, port, withConnectTimeout(signal))
  } catch (cause) {
    signal.throwIfAborted()
    throw new EngineError('connection_failed', `The connection to ${host} failed. Try again later.`, {
      cause,
      details: { host },
    })
  }
}

/**
 * Opens a tunnel through an upstream proxy. The proxy resolves the host itself, so internal hosts are refused first. Rejects
 * with `url_blocked` for these, with `connection_failed` if there is no connection within 10 or no tunnel within 15 seconds,
 * with `not_configured` if the guard blocks the proxy, and with the signal's reason.
 */
export async function tunnelThrough(
  proxy: ParsedProxy,
  { host, port }: Destination,
  guard: Guard,
  signal: AbortSignal,
  onBytes?: Proxy['onBytes'],
): Promise<Socket> {
  await refuseInternal(host, port, guard, signal)
  const socket = await dialProxy(proxy, guard, signal, { onBytes })
  await openTunnel(socket, proxy, host, port, withConnectTimeout(signal))
  return socket
}

/** Returns a signal that aborts with the given one, and after 15 seconds with a `TimeoutError`. */
function withConnectTimeout(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(connectWithin)])
}

import type { Socket } from 'node:net'

import { EngineError, type Guard } from '@harvestman/ports'
import { dial, dialProxy, openTunnel, refuseInternal, type ProxyAddress } from '@harvestman/net/connect'

const connectWithin = 15_000

/** Where a connection goes, as the browser asked for it. */
export interface Destination {
  readonly host: string
  readonly port: number
}

/** Opens a connection to the address that the guard gives for the host, and to no other. */
export async function dialHost({ host, port }: Destination, guard: Guard, signal: AbortSignal): Promise<Socket> {
  const address = await guard.resolve(host, port, signal)
  try {
    return await dial(address, port, withConnectTimeout(signal))
  } catch (cause) {
    signal.throwIfAborted()
    throw new EngineError('connection_failed', `No connection to ${host} could be made. Try again later.`, {
      cause,
      details: { host },
    })
  }
}

/** Opens a tunnel through the proxy. The proxy resolves the name, so what it may mean here is checked before. */
export async function tunnelThrough(
  proxy: ProxyAddress,
  { host, port }: Destination,
  guard: Guard,
  signal: AbortSignal,
): Promise<Socket> {
  await refuseInternal(host, port, guard, signal)
  const socket = await dialProxy(proxy, guard, withConnectTimeout(signal))
  await openTunnel(socket, proxy, host, port, withConnectTimeout(signal))
  return socket
}

export function withConnectTimeout(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(connectWithin)])
}

import type { Socket } from 'node:net'

import { EngineError, type Guard, type Proxy } from '@harvestman/ports'
import { dial } from './dial.ts'
import { dialProxy } from './proxy.ts'
import type { ParsedProxy } from './proxy-address.ts'
import { openTunnel } from './tunnel.ts'

/** The way to a host. */
export interface Way {
  readonly guard: Guard
  /** Proxy that must be used. */
  readonly via: ParsedProxy | undefined
  readonly onBytes: Proxy['onBytes']
}

/** A host and the protocol of its URL, such as a `URL`. */
export interface Target {
  readonly protocol: string
  readonly hostname: string
  readonly port?: string | null
}

/** Returns the port of a target: its own, or the default one of its protocol. */
export function portOf({ protocol, port }: Pick<Target, 'protocol' | 'port'>): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

/** Returns whether the proxy forwards the request itself: HTTP proxies do for `http:` URLs. Others need a tunnel. */
export function isForwarded(via: ParsedProxy | undefined, { protocol }: Pick<Target, 'protocol'>): via is ParsedProxy {
  return via !== undefined && via.kind !== 'socks5' && protocol === 'http:'
}

/**
 * Connects to the IP that the guard returned for the host, and never resolves its name again. With a proxy, returns the
 * connection to it: a tunnel to the host, unless the proxy forwards requests itself.
 */
export async function reach({ guard, via, onBytes }: Way, target: Target, signal: AbortSignal): Promise<Socket> {
  const port = portOf(target)
  if (!via) return dial(await guard.resolve(target.hostname, port, signal), port, signal)
  const socket = await dialProxy(via, guard, signal, { onBytes })
  // The socket is connected to the proxy, whose errors must not end the process.
  socket.on('error', () => undefined)
  const host = target.hostname.replace(/^\[|\]$/g, '')
  if (!isForwarded(via, target)) await openTunnel(socket, via, host, port, signal)
  return socket
}

/** Runs `connect` with a signal that also ends after `ms` milliseconds. It then rejects with `timeout`. */
export async function connectWithin<Opened>(
  ms: number,
  caller: AbortSignal,
  connect: (signal: AbortSignal) => Promise<Opened>,
): Promise<Opened> {
  const deadline = AbortSignal.timeout(ms)
  try {
    return await connect(AbortSignal.any([caller, deadline]))
  } catch (error) {
    if (caller.aborted || !deadline.aborted) throw error
    throw new EngineError('timeout', `The host did not accept a connection within ${ms} ms. Try again later.`)
  }
}

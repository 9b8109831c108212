import net from 'node:net'
import tls from 'node:tls'

import { EngineError } from '@harvestman/core'
import type { Address, Guard } from '@harvestman/core/ports'

import { race } from '../lib/race.ts'

const connectWithin = 15_000

/** Where a connection goes, as the browser asked for it. */
export interface Destination {
  readonly host: string
  readonly port: number
}

/** Opens a connection to the address that the guard gives for the host, and to no other. */
export async function dial({ host, port }: Destination, guard: Guard, signal: AbortSignal): Promise<net.Socket> {
  const address = await guard.resolve(host, port, signal)
  const choices: readonly Address[] = [address, ...(address.others ?? [])]
  let failure: unknown
  for (const choice of choices) {
    try {
      return await open(choice, port, signal)
    } catch (error) {
      signal.throwIfAborted()
      failure = error
    }
  }
  throw new EngineError('connection_failed', `No connection to ${host} could be made. Try again later.`, {
    cause: failure,
    details: { host },
  })
}

async function open({ address, family }: Address, port: number, signal: AbortSignal): Promise<net.Socket> {
  const socket = net.connect({ host: address, port, family, noDelay: true })
  const patience = AbortSignal.timeout(connectWithin)
  try {
    await race(connected(socket), signal, patience)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function connected(socket: net.Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
}

/** Puts TLS on a connection to a proxy, and checks who it is. */
export async function secure(socket: net.Socket, host: string, signal: AbortSignal): Promise<net.Socket> {
  const secured = tls.connect({ socket, servername: net.isIP(host) ? '' : host, host })
  try {
    await race(
      new Promise<void>((resolve, reject) => {
        secured.once('secureConnect', resolve)
        secured.once('error', reject)
      }),
      signal,
      AbortSignal.timeout(connectWithin),
    )
    return secured
  } catch (error) {
    secured.destroy()
    throw error
  }
}

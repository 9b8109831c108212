import type { Socket } from 'node:net'

import type { Guard, WireRequest } from '@harvestman/ports'
import { connectWithin, parseProxy, reach, type Line, type Lines } from '@harvestman/net/fetcher'
import type { Handover } from './handover.ts'
import { browserFor } from './headers.ts'
import type { Client, Library } from './library.ts'

/** A client of impit and its only connection. */
export interface ImpitLine extends Line {
  /** Rejects if the host cannot be connected to. */
  readonly opening: Promise<{ readonly client: Client; readonly socket: Socket }>
  isUsed: boolean
  idleTimer: NodeJS.Timeout | undefined
}

/** Dependencies of `openLine`. */
export interface LineKit {
  readonly guard: Guard
  readonly impit: Library
  readonly handover: Handover
  readonly lines: Lines<ImpitLine>
  readonly connectTimeout: number
}

// The deadlines of the exchange end sooner.
const clientTimeout = 3_600_000

/** Opens a connection for a request, through the guard, and hands it over to a new client of impit. Adds both to the lines. */
export function openLine(key: string | undefined, request: WireRequest, kit: LineKit): ImpitLine {
  const { guard, impit, handover, lines, connectTimeout } = kit
  const { url, proxy, skipTlsVerification = false, headers } = request
  const ending = new AbortController()
  const connect = async (): Promise<{ client: Client; socket: Socket }> => {
    const way = { guard, via: proxy && parseProxy(proxy.url), onBytes: proxy?.onBytes }
    const socket = await connectWithin(connectTimeout, ending.signal, (signal) => reach(way, url, signal))
    ending.signal.addEventListener('abort', () => socket.destroy(), { once: true })
    if (ending.signal.aborted) socket.destroy()
    ending.signal.throwIfAborted()
    socket.once('close', () => lines.lost(line, new Error('the host closed the connection')))
    const client = new impit.Impit({
      browser: browserFor(headers) ?? 'chrome151',
      proxyUrl: handover.offer(socket),
      ignoreTlsErrors: skipTlsVerification,
      followRedirects: false,
      vanillaFallback: false,
      timeout: clientTimeout,
    })
    return { client, socket }
  }
  const opening = connect()
  // The exchange that opened the line handles the error.
  opening.catch(() => undefined)
  const line: ImpitLine = {
    ...{ key, opening, isUsed: false, idleTimer: undefined },
    close: (reason) => {
      clearTimeout(line.idleTimer)
      ending.abort(reason)
    },
  }
  lines.add(line)
  return line
}

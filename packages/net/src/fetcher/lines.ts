import type { WireRequest, WireResponse } from '@harvestman/ports'
import type { WireAnswer } from './answer.ts'

/** A connection to one host that is used by one exchange at a time, and stays open for a while in between. */
export interface Line {
  /**
   * Connections are reused only for requests with the same key: origin, certificate check, proxy and owner. Undefined for a
   * connection that is used once.
   */
  readonly key: string | undefined
  close(reason: Error): void
}

/** The idle and the busy connections of one fetcher. */
export interface Lines<L extends Line> {
  /** Takes an idle connection with this key. */
  take(key: string | undefined): L | undefined
  /** Adds a new connection. After `closeAll`, closes it and throws the reason. */
  add(line: L): void
  /** Makes a connection idle after its exchange, so that it can be reused. */
  keep(line: L): void
  /** Removes a connection that failed or was cut. */
  drop(line: L, reason: Error): void
  /** Removes an idle connection that was closed by the host. */
  lost(line: L, reason: Error): void
  closeAll(reason: Error): void
}

const maxQueued = 256

/** Creates an empty pool of connections. At most 256 stay open while idle. */
export function makeLines<L extends Line>(): Lines<L> {
  const all = new Set<L>()
  const waiting = new Map<string | undefined, L[]>()
  let count = 0
  let closed: Error | undefined

  const stopWaiting = (line: L): boolean => {
    const lines = waiting.get(line.key)
    const index = lines?.indexOf(line) ?? -1
    if (!lines || index < 0) return false
    lines.splice(index, 1)
    if (lines.length === 0) waiting.delete(line.key)
    count -= 1
    return true
  }
  const drop = (line: L, reason: Error): void => {
    stopWaiting(line)
    if (all.delete(line)) line.close(reason)
  }

  return {
    take: (key) => {
      // The most recently used connection is the least likely to have been closed meanwhile.
      const line = waiting.get(key)?.at(-1)
      if (line) stopWaiting(line)
      return line
    },
    add: (line) => {
      if (!closed) return void all.add(line)
      line.close(closed)
      throw closed
    },
    keep: (line) => {
      if (!all.has(line)) return
      if (line.key === undefined || count >= maxQueued) return drop(line, new Error('it need not wait'))
      const lines = waiting.get(line.key)
      if (lines) lines.push(line)
      else waiting.set(line.key, [line])
      count += 1
    },
    drop,
    lost: (line, reason) => {
      if (stopWaiting(line)) drop(line, reason)
    },
    closeAll: (reason) => {
      closed = reason
      for (const line of all) drop(line, reason)
    },
  }
}

/** Returns the key of the connections that may be used for a request. */
export function keyOf({ url, skipTlsVerification, proxy, owner }: WireRequest): string | undefined {
  if (owner === undefined) return undefined
  return JSON.stringify([url.origin, skipTlsVerification === true, proxy?.url ?? '', owner])
}

/** The operations on a kind of connections. */
export interface LineUse<L extends Line> {
  /** Opens a connection for this key, and adds it to the pool. */
  open(key: string | undefined): L
  send(line: L, request: WireRequest, signal: AbortSignal): Promise<WireAnswer>
  /** Returns whether a response has already come on the connection. */
  isUsed(line: L): boolean
}

/**
 * Sends a request on an idle connection, or on a new one. Hosts close idle connections, possibly just when a request is sent.
 * Such a request is repeated once on a new connection.
 */
export async function exchangeOnLines<L extends Line>(
  lines: Lines<L>,
  key: string | undefined,
  request: WireRequest,
  signal: AbortSignal,
  { open, send, isUsed }: LineUse<L>,
): Promise<WireResponse> {
  const idle = lines.take(key)
  const answer = await send(idle ?? open(key), request, signal)
  if ('status' in answer) return answer
  const isStale = idle !== undefined && isUsed(idle) && !answer.hasBegun && request.method !== 'POST'
  if (!isStale || answer.error.code !== 'connection_failed') throw answer.error
  signal.throwIfAborted()
  const second = await send(open(key), request, signal)
  if ('status' in second) return second
  throw second.error
}

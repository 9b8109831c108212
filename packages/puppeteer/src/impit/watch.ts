import type { Socket } from 'node:net'

import type { EngineError, WireRequest } from '@harvestman/ports'
import { tooLarge, wireErrorOf } from '@harvestman/net/fetcher'
import type { ExchangeTimeouts } from './options.ts'

/** Watches the time of an exchange, and the encrypted bytes that its host sends. */
export interface ExchangeWatch {
  /** Must be called for the headers and for each chunk of the body, and after a pause. */
  startBody(): void
  /** Stops the time within the body, because the consumer reads nothing. */
  pauseBody(): void
  /** Returns the number of bytes received. */
  received(): number
  end(): void
}

// Bytes that a host may send before the headers arrive here, and in addition to a body: handshakes, headers, HTTP/2 settings,
// and the start of the body. More is a flood.
const maxExtraBytes = 4_194_304

/** Starts to watch an exchange. Calls `fail`, at most once, when it takes too long or the host sends too much. */
export function watchExchange(
  socket: Socket,
  { url, maxBytes }: WireRequest,
  { headersTimeout = 60_000, bodyTimeout = 30_000 }: ExchangeTimeouts,
  fail: (error: EngineError) => void,
): ExchangeWatch {
  let received = 0
  let isBody = false
  let isEnded = false
  const end = (): void => {
    isEnded = true
    clearTimeout(timer)
    socket.off('data', count)
  }
  const stop = (error: EngineError): void => {
    end()
    fail(error)
  }
  const stopFor = (code: string): void => stop(wireErrorOf(code, url.hostname, undefined))
  const count = (chunk: Uint8Array): void => {
    received += chunk.length
    if (!isBody && received > maxExtraBytes) stopFor('UND_ERR_HEADERS_OVERFLOW')
    if (isBody && received > maxBytes + maxExtraBytes) stop(tooLarge(maxBytes))
  }
  let timer = setTimeout(() => stopFor('UND_ERR_HEADERS_TIMEOUT'), headersTimeout)
  socket.on('data', count)
  return {
    startBody: () => {
      isBody = true
      clearTimeout(timer)
      if (!isEnded) timer = setTimeout(() => stopFor('UND_ERR_BODY_TIMEOUT'), bodyTimeout)
    },
    pauseBody: () => clearTimeout(timer),
    received: () => received,
    end,
  }
}

import { createRequire } from 'node:module'

import { EngineError, type Fetcher, type MakeFetcher, type WireRequest } from '@harvestman/ports'
import { undiciFetcher } from '@harvestman/net/fetcher'
import { browserFor } from './headers.ts'
import type { ImpitOptions } from './options.ts'

/** Returns whether the optional package impit is installed. Does not load it, so its binary may be missing. */
export function isImpitInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve('impit')
    return true
  } catch {
    return false
  }
}

/**
 * Creates a fetcher with the TLS and the HTTP/2 of Chrome, over the optional package impit, which is loaded with the first
 * request. Other requests go to a plain fetcher: `http:` URLs have no TLS, impit does not support IPv6 addresses as hosts, and
 * the TLS of a browser would contradict another user agent. Requests reject with an `EngineError` if they fail, with
 * `not_configured` if impit cannot be loaded, with the signal's reason, and with `closed` after closing.
 */
export function impitFetcher(options: ImpitOptions = {}): MakeFetcher {
  return (guard) => {
    const plain = (options.plain ?? undiciFetcher())(guard)
    let opened: Promise<Fetcher> | undefined
    let isClosed = false
    const open = async (): Promise<Fetcher> => {
      try {
        return await (await import('./exchange.ts')).openFetcher(guard, options, closed)
      } catch (error) {
        opened = undefined
        throw error
      }
    }
    return {
      exchange: async (request, signal) => {
        signal.throwIfAborted()
        if (isClosed) throw closed()
        if (!isForImpit(request)) return plain.exchange(request, signal)
        opened ??= open()
        return (await opened).exchange(request, signal)
      },
      warmUp: async () => plain.warmUp?.(),
      close: async () => {
        isClosed = true
        await Promise.all([plain.close(), opened?.then((fetcher) => fetcher.close()).catch(() => undefined)])
      },
    }
  }
}

/** Returns whether impit can send a request as Chrome would. It connects to no IPv6 address in a URL. */
function isForImpit({ url, headers }: WireRequest): boolean {
  return url.protocol === 'https:' && !url.hostname.startsWith('[') && browserFor(headers) !== undefined
}

function closed(): EngineError {
  return new EngineError('closed', 'The engine was closed. Create a new one.')
}

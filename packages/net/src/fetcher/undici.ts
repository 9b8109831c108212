import { EngineError, type Fetcher, type Guard, type MakeFetcher } from '@harvestman/ports'
import type { UndiciOptions } from './exchange.ts'

export type { UndiciOptions } from './exchange.ts'

/**
 * Creates a fetcher for HTTP/1.1 over undici, which is loaded with the first request. Requests reject with an `EngineError` if
 * they fail, with the signal's reason, and with `closed` after closing.
 */
export function undiciFetcher(options: UndiciOptions = {}): MakeFetcher {
  return (guard) => {
    let opened: Promise<Fetcher> | undefined
    let isClosed = false
    return {
      exchange: async (request, signal) => {
        signal.throwIfAborted()
        if (isClosed) throw closed()
        opened ??= open(guard, options)
        return (await opened).exchange(request, signal)
      },
      warmUp: async () => {
        if (!isClosed) await (opened ??= open(guard, options))
      },
      close: async () => {
        isClosed = true
        await (await opened)?.close()
      },
    }
  }
}

async function open(guard: Guard, options: UndiciOptions): Promise<Fetcher> {
  const { openFetcher } = await import('./exchange.ts')
  return openFetcher(guard, options, closed)
}

function closed(): EngineError {
  return new EngineError('closed', 'The engine was closed. Create a new one.')
}

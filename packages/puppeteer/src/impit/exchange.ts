import type { EngineError, Fetcher, Guard } from '@harvestman/ports'
import { exchangeOnLines, keyOf, makeLines, portOf, readAnswer, refuseInternal } from '@harvestman/net/fetcher'
import { openHandover } from './handover.ts'
import { browserFor } from './headers.ts'
import { loadImpit } from './library.ts'
import { openLine, type ImpitLine } from './line.ts'
import type { ImpitOptions } from './options.ts'
import { answerSource } from './source.ts'

const keepAliveTimeout = 4_000

/**
 * Creates the fetcher. Each client of impit has one connection, which is opened here, through the address guard, and handed
 * over to it. So impit resolves no names and can connect to no host. Rejects with `not_configured` if impit cannot be loaded.
 */
export async function openFetcher(
  guard: Guard,
  { connectTimeout = 15_000, ...timeouts }: ImpitOptions,
  closed: () => EngineError,
): Promise<Fetcher> {
  const impit = await loadImpit()
  const handover = await openHandover()
  const lines = makeLines<ImpitLine>()
  const kit = { guard, impit, handover, lines, connectTimeout }
  const keep = (line: ImpitLine): void => {
    line.isUsed = true
    line.idleTimer = setTimeout(() => lines.drop(line, new Error('it was idle')), keepAliveTimeout).unref()
    lines.keep(line)
  }
  return {
    exchange: async (request, signal) => {
      signal.throwIfAborted()
      const { url, proxy, headers } = request
      guard.checkUrl(url)
      if (proxy) await refuseInternal(url.hostname, portOf(url), guard, signal)
      const key = keyOf(request)
      return exchangeOnLines(lines, key && `${browserFor(headers)} ${key}`, request, signal, {
        open: (own) => openLine(own, request, kit),
        send: (line) => {
          clearTimeout(line.idleTimer)
          return readAnswer(answerSource(line, request, impit.ImpitResponse, timeouts), request, signal, {
            complete: () => keep(line),
            cut: (reason) => lines.drop(line, reason),
          })
        },
        isUsed: ({ isUsed }) => isUsed,
      })
    },
    close: async () => {
      lines.closeAll(closed())
      handover.close()
    },
  }
}

import { EngineError, type ExplainedAddress } from '@harvestman/core'

import { withEngine, type EngineFlags } from './follow.ts'
import { exitCodes, type Shell } from './shell.ts'

/** Lists the jobs that are not over. */
export async function jobs(flags: EngineFlags & { readonly json?: boolean }, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async (engine, store) => {
    const running = await engine.jobs()
    for (const status of running) {
      const { id, kind, completed, failed, total, createdAt, request } = status
      const { url } = request as { readonly url?: unknown }
      const words = [
        id,
        kind.padEnd(5),
        `${completed + failed}/${total}`.padStart(11),
        createdAt,
        ...(typeof url === 'string' ? [url] : []),
      ]
      shell.out(flags.json ? `${JSON.stringify(status)}\n` : `${words.join('  ')}\n`)
    }
    if (running.length === 0 && !flags.json) shell.err(`No job in ${store} is unfinished.\n`)
    return exitCodes.done
  })
}

/** Ends a job; its pages stay. */
export async function cancel(id: string, flags: EngineFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async (engine) => {
    const job = await engine.findJob(id)
    const isEndedHere = await job.cancel()
    const { status, completed } = await job.status()
    if (!isEndedHere) throw new EngineError('conflict', `It is over already: ${status}, with ${completed} pages.`)
    shell.err(`${job.kind} cancelled: its ${completed} pages stay until it expires.\n`)
    return exitCodes.done
  })
}

/** Says what became of the addresses that a crawl met, or of one of them. */
export async function explain(
  id: string,
  url: string | undefined,
  flags: EngineFlags & { readonly json?: boolean },
  shell: Shell,
): Promise<number> {
  return withEngine(flags, shell, async (engine) => {
    const crawl = await engine.findCrawl(id)
    let isMet = false
    for await (const address of crawl.explain({ url })) {
      isMet = true
      shell.out(flags.json ? `${JSON.stringify(address)}\n` : explanation(address))
    }
    if (!isMet && !flags.json) shell.err('The crawl has met no such address.\n')
    return exitCodes.done
  })
}

function explanation({ url, outcome, sentence, foundOn }: ExplainedAddress): string {
  const words = [outcome.padEnd(7), url, sentence, ...(foundOn === undefined ? [] : [`Found on ${foundOn}`])]
  return `${words.join('  ')}\n`
}

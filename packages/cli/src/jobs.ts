import type { ExplainedUrl, ListedJob } from '@harvestman/client'
import { EngineError } from '@harvestman/ports'

import { findPages } from './client.ts'
import { withClient, type EngineFlags } from './follow.ts'
import { countOf } from './numbers.ts'
import { printable } from './printable.ts'
import { exitCodes, type Shell } from './shell.ts'

export interface JobsFlags extends EngineFlags {
  readonly json?: boolean
  readonly running?: boolean
  readonly kind?: string
  readonly limit?: string
}

const defaultLimit = 50

/**
 * Lists the newest stored jobs, at most `--limit` of them (default: 50), and tells whether there are more, except with
 * `--json`. Resolves to the exit code. Rejects with `invalid_request` for an invalid limit, and if the store or server cannot
 * be read.
 */
export async function jobs(flags: JobsFlags, shell: Shell): Promise<number> {
  const most = limitIn(flags)
  const wanted = {
    ...(flags.running && { status: 'scraping' as const }),
    ...(flags.kind !== undefined && { kind: flags.kind }),
  }
  return withClient(flags, shell, async (client, store) => {
    let count = 0
    let areMore = false
    for await (const job of client.jobs(wanted)) {
      areMore = count === most
      if (areMore) break
      shell.out(flags.json ? jsonOf(job) : lineOf(job, shell))
      count += 1
    }
    if (flags.json) return exitCodes.done
    if (count === 0) shell.err(`No job in ${store} is ${flags.running ? 'unfinished' : 'kept'}.\n`)
    else if (areMore) shell.err(`There are more: --limit ${most * 2}\n`)
    return exitCodes.done
  })
}

function jsonOf({ error: message, ...job }: ListedJob): string {
  return `${JSON.stringify({ ...job, message })}\n`
}

function limitIn({ limit }: JobsFlags): number {
  return limit === undefined ? defaultLimit : countOf('--limit', limit)
}

const states = {
  scraping: { mark: '●', word: 'unfinished', tone: 'strong' },
  completed: { mark: '✓', word: 'completed', tone: 'good' },
  completed_with_failures: { mark: '!', word: 'completed with failures', tone: 'warn' },
  failed: { mark: '✗', word: 'failed', tone: 'bad' },
  cancelled: { mark: '○', word: 'cancelled', tone: 'quiet' },
} as const

/** Formats one job for the list, with its outcome as on the web page. */
export function lineOf(job: ListedJob, { paint }: Pick<Shell, 'paint'>): string {
  const { id, kind, status, outcome, completed, failed, total, creditsUsed, createdAt, about, error } = job
  const { mark, word, tone } = states[outcome]
  const words = [
    id,
    kind.padEnd(13),
    paint.out(tone, `${mark} ${word.padEnd(23)}`),
    `${completed + failed}/${total}`.padStart(9),
    `${creditsUsed} ${creditsUsed === 1 ? 'credit' : 'credits'}`.padStart(13),
    ago(createdAt).padStart(10),
    ...(failed > 0 ? [paint.out('warn', `${failed} failed`)] : []),
    ...(about === undefined ? [] : [printable(about).slice(0, 200)]),
    ...(status === 'failed' && error !== undefined ? [paint.out('quiet', printable(error).slice(0, 300))] : []),
  ]
  return `${words.join('  ')}\n`
}

/** Formats how long ago a time was, in its largest unit. */
function ago(time: string): string {
  const minutes = Math.floor((Date.now() - Date.parse(time)) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`
}

/**
 * Cancels a job. Its pages remain stored. Rejects if it does not exist, and with `conflict` if it has already ended. Resolves
 * to the exit code.
 */
export async function cancel(id: string, flags: EngineFlags, shell: Shell): Promise<number> {
  return withClient(flags, shell, async (client) => {
    const found = await client.jobStatus(id)
    const { kind } = found
    const job = kind === 'crawl' || kind === 'batch' ? findPages(client, found) : client.find(kind, id)
    const isEndedHere = await job.cancel()
    const { status, completed } = await client.jobStatus(id)
    if (!isEndedHere) throw new EngineError('conflict', `It has already ended: ${status}, with ${completed} pages.`)
    shell.err(`${kind} cancelled: its ${completed} pages are stored until it expires.\n`)
    return exitCodes.done
  })
}

/**
 * Prints which URLs a crawl visited or skipped and why; with `url`, only this URL. Rejects if the crawl does not exist. Resolves
 * to the exit code.
 */
export async function explain(
  id: string,
  url: string | undefined,
  flags: EngineFlags & { readonly json?: boolean },
  shell: Shell,
): Promise<number> {
  return withClient(flags, shell, async (client) => {
    let isMet = false
    for await (const address of client.findCrawl(id).explain({ url })) {
      isMet = true
      shell.out(flags.json ? `${JSON.stringify(address)}\n` : explanation(address))
    }
    if (!isMet && !flags.json) shell.err('The crawl has not found this URL.\n')
    return exitCodes.done
  })
}

function explanation({ url, outcome, sentence, foundOn }: ExplainedUrl): string {
  const words = [outcome.padEnd(7), url, sentence, ...(foundOn === undefined ? [] : [`Found on ${foundOn}`])]
  return `${words.join('  ')}\n`
}

// How the job of an extract goes: its pages are visited like those of a batch, and each gives what it has of the value.
import { tellingOf } from '../answers/answer.ts'
import { loosened } from '../asking/merge.ts'
import { addressStrategy } from '../batch/strategy.ts'
import { tokenPricing } from '../credits/pricing.ts'
import type { Fact } from '../jobs/log/facts.ts'
import type { JobKind, KeepNotes, RunContext, Strategy } from '../jobs/run/strategy.ts'
import type { Json } from '@harvestman/ports'
import type { ExtractRequest } from '../schema/extract.ts'
import { valueOf } from './value.ts'

export const extractKind = 'extract'

export const extractJobs: JobKind = {
  name: extractKind,
  eventPrefix: extractKind,
  pricing: tokenPricing,
  pages: ({ request }) => pagesOf(request as ExtractRequest),
  telling: tellingOf(async (job) => {
    const { data, sources, pages } = await valueOf(job, job.opening.request as ExtractRequest)
    const told: object = { success: true, extractId: job.opening.id, data, totalUrlsScraped: pages, sources }
    return told as Json
  }),
  open: (opening, context) => {
    const request = opening.request as ExtractRequest
    return untilLate(addressStrategy({ ...opening, request: pagesOf(request) }, context), request, context)
  },
}

/** Ends with what there is when the time is over; and has failed, when that is nothing. */
function untilLate(strategy: Strategy, { timeout }: ExtractRequest, { signal }: RunContext): Strategy {
  let isLate = false
  let pages = 0
  let failure: string | undefined
  const fold = (fact: Fact): void => {
    strategy.fold(fact)
    if (fact.is === 'noted' && (fact.note as { readonly late?: boolean }).late === true) isLate = true
    if (fact.is === 'page') pages += 1
    if (fact.is === 'failed') failure ??= fact.message
  }
  return {
    ...strategy,
    fold,
    explore: async (note) => {
      await strategy.explore(note)
      if (timeout !== undefined && !isLate) endAfter(timeout, note, signal)
    },
    take: (host) => (isLate ? undefined : strategy.take(host)),
    left: () => (isLate ? 0 : strategy.left()),
    verdict: () => {
      const late = isLate ? `It ended after ${timeout} ms (timeout), before all pages were read.` : undefined
      if (pages === 0) return { status: 'failed', message: late ?? failure ?? 'No page gave a value.' }
      return { status: 'completed', ...(late !== undefined && { message: late }) }
    },
  }
}

function endAfter(timeout: number, note: KeepNotes, signal: AbortSignal): void {
  const timer = setTimeout(() => void note([{ late: true }]), timeout)
  timer.unref()
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
}

/** What is asked of each page. What must be there may stand on another. */
export function pagesOf({ schema, prompt, systemPrompt, scrapeOptions, ...request }: ExtractRequest) {
  const { maxConcurrency, zeroDataRetention, timeout = Infinity } = request
  const options = {
    ...(schema && { schema: loosened(schema) }),
    ...(prompt !== undefined && { prompt }),
    ...(systemPrompt !== undefined && { systemPrompt }),
  }
  return {
    ...scrapeOptions,
    formats: [{ type: 'json', ...options }],
    // A model takes longer than a page.
    timeout: Math.min(Math.max(scrapeOptions.timeout, 60_000), Math.max(timeout, 1_000)),
    zeroDataRetention: zeroDataRetention || scrapeOptions.zeroDataRetention,
    ...(maxConcurrency !== undefined && { maxConcurrency }),
  }
}

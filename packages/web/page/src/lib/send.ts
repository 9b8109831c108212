import type { Document } from '../parts/result.tsx'
import { call, type Refusal } from './api.ts'
import { kinds, requestOf, type Draft } from './draft.ts'
import { duration } from './format.ts'
import { go } from './router.ts'
import { say } from './say.ts'

export interface FoundLink {
  readonly url: string
  readonly title?: string
  readonly description?: string
}

/** What came of a request. */
export type Outcome =
  | { readonly since: number }
  | { readonly refusal: Refusal }
  | { readonly document: Document; readonly ms: number }
  | { readonly links: readonly FoundLink[]; readonly ms: number }
  | { readonly value: unknown; readonly ms: number }

interface Answer {
  readonly id?: string
  readonly status?: string
  readonly data?: unknown
  readonly links?: readonly FoundLink[]
  readonly sources?: unknown
  readonly error?: string
}

const pollEvery = 700

/** Sends what was written. A crawl or a batch has a view of its own, which is gone to. */
export async function send(draft: Draft, signal: AbortSignal): Promise<Outcome | undefined> {
  const since = performance.now()
  const { path } = kinds[draft.kind]
  const explained = draft.kind === 'scrape' ? { headers: { 'x-harvestman-explain': 'true' } } : {}
  const answer = await call<Answer>(path, { method: 'POST', body: requestOf(draft), signal, ...explained })
  if (answer.id !== undefined && (draft.kind === 'crawl' || draft.kind === 'batch')) {
    go(['jobs', draft.kind, answer.id])
    return undefined
  }
  const isJob = answer.id !== undefined && answer.data === undefined
  const { data, links, sources } = isJob ? await theEnd(`${path}/${answer.id}`, signal) : answer
  const ms = performance.now() - since
  say(`Done in ${duration(ms)}`)
  if (isDocument(data)) return { document: data, ms }
  return links ? { links, ms } : { value: sources ? { data, sources } : data, ms }
}

function isDocument(data: unknown): data is Document {
  return typeof data === 'object' && data !== null && 'metadata' in data
}

async function theEnd(path: string, signal: AbortSignal): Promise<Answer> {
  for (;;) {
    const answer = await call<Answer>(path, { signal })
    if (answer.status !== 'processing') return answer
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollEvery)
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
    })
    signal.throwIfAborted()
  }
}

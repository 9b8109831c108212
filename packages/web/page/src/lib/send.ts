import { HarvestmanError, type AnswerState } from '@harvestman/client'

import type { Document } from './document.ts'
import { client, type Refusal } from './api.ts'
import { chosenFile, requestOf, targetOf, tried, type Draft } from './draft.ts'
import { duration } from './format.ts'
import { pageKind } from './job-list.ts'
import { servedKind, textsOf } from './kinds.ts'
import { go } from './router.ts'
import { say } from './say.ts'

export interface FoundLink {
  readonly url: string
  readonly title?: string
  readonly description?: string
}

/** State or result of a request. */
export type Outcome =
  | { readonly since: number }
  | { readonly refusal: Refusal }
  | { readonly document: Document; readonly ms: number }
  | { readonly links: readonly FoundLink[]; readonly ms: number }
  | { readonly value: unknown; readonly texts: readonly string[]; readonly ms: number }

interface Answer {
  readonly id?: string
  readonly data?: unknown
  readonly links?: readonly FoundLink[]
  readonly sources?: unknown
  readonly error?: string
}

/**
 * Sends a draft. For a job with pages, navigates to the job's view and resolves to `undefined`. For other jobs, waits
 * for the result. Rejects if the request or the job fails.
 */
export async function send(draft: Draft, signal: AbortSignal): Promise<Outcome | undefined> {
  const since = performance.now()
  const { path } = tried(draft.kind)
  const isFile = targetOf(draft.kind).as === 'file'
  const explained = draft.kind === 'scrape' || isFile ? { headers: { 'x-harvestman-explain': 'true' } } : {}
  const body = requestOf(draft)
  const given = isFile ? formOf(body) : body
  const answer = await client.request<Answer>(path, { method: 'POST', body: given, signal, ...explained })
  if (answer.id !== undefined && pageKind(draft.kind)) {
    go(['jobs', draft.kind, answer.id])
    return undefined
  }
  const { id } = answer
  const isJob = id !== undefined && answer.data === undefined
  const { data, links, sources } = isJob ? await theEnd(draft.kind, id, signal) : answer
  const ms = performance.now() - since
  say(`Done in ${duration(ms)}`)
  if (isDocument(data)) return { document: data, ms }
  const own = servedKind(draft.kind)
  const found = links ?? (own ? undefined : foundIn(data))
  if (found) return { links: found, ms }
  return { value: sources ? { data, sources } : data, texts: own ? textsOf(own) : [], ms }
}

function formOf(options: object): FormData {
  const form = new FormData()
  if (chosenFile.value) form.set('file', chosenFile.value)
  form.set('options', JSON.stringify(options))
  return form
}

/** Returns the results of a search, which are lists by source. */
function foundIn(data: unknown): readonly FoundLink[] | undefined {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined
  const lists = Object.values(data)
  if (lists.length > 0 && lists.every((list) => Array.isArray(list) && list.length === 0)) return []
  const all = lists.flatMap((list: unknown) => (Array.isArray(list) ? (list as readonly Partial<FoundLink>[]) : [{}]))
  return all.length > 0 && all.every(({ url }) => typeof url === 'string') ? (all as readonly FoundLink[]) : undefined
}

function isDocument(data: unknown): data is Document {
  return typeof data === 'object' && data !== null && 'metadata' in data
}

async function theEnd(kind: string, id: string, signal: AbortSignal): Promise<AnswerState & Answer> {
  const end = await client.find(kind, id).end({ signal })
  if (end.status === 'completed') return end
  throw new HarvestmanError(end.error ?? 'The job was cancelled.', { code: 'JOB_FAILED' })
}

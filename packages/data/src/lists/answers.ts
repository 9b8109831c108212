// Collects the rest of a list from the JSON API that the page itself uses. The requests run in the page, with its session.
import type { ActionContext } from '@harvestman/core/plugin'
import type { Tab } from '@harvestman/ports'
import { z } from 'zod'

import { fetchJson, requestedUrls } from '../page-scripts.ts'
import { listingReading, answerReading } from '../readings.ts'
import type { Gathered } from './gather.ts'
import { listingSchema, type Listing } from './listing.ts'
import { runSafely } from './run.ts'

/** Maximum number of URLs to try, characters of one response and of all responses. */
const bounds = { tried: 6, text: 900_000, texts: 8_000_000 } as const

interface Answer {
  readonly url: string
  readonly text: string
}

interface Kit extends Pick<ActionContext, 'read'> {
  readonly gathered: Gathered
  readonly limit: number
}

interface FollowRequest {
  readonly tab: Tab
  readonly html: string
  readonly steps: number
  readonly signal: AbortSignal
}

/** Number of requests after the first, and whether the end of the list was reached. */
export interface Answered {
  readonly steps: number
  readonly isAll: boolean
}

const answerSchema = z
  .object({ count: z.number(), first: z.string(), next: z.string().optional(), total: z.number().optional() })
  .optional()

/**
 * Adds the rows from JSON responses that match the visible list, until the end or `limit` rows, with at most `steps` further
 * requests. Returns `undefined` if none match or there are no further pages. A request that fails ends the collecting. Rejects
 * when aborted, if the browser fails or a response cannot be read.
 */
export async function followAnswers(request: FollowRequest, kit: Kit): Promise<Answered | undefined> {
  const found = await firstAnswer(request, kit)
  if (!found) return undefined
  const { pointer } = found
  const answers = [found.answer]
  const firsts = new Set<string>()
  let characters = 0
  let count = 0
  let isAll = false
  for (let last: Answer | undefined = found.answer; last;) {
    const page = answerSchema.parse(await kit.read({ url: last.url, html: last.text }, answerReading, { pointer }))
    characters += last.text.length
    count += page?.count ?? 0
    isAll = page?.next === undefined || firsts.has(page.first) || count >= (page.total ?? Infinity)
    if (!page?.next || isAll || count >= kit.limit || answers.length > request.steps || characters > bounds.texts) break
    firsts.add(page.first)
    const text = await textOf(page.next, request)
    // A failed request does not mean that the end was reached.
    last = text === undefined ? undefined : { url: page.next, text }
    if (last) answers.push(last)
  }
  if (answers.length === 1) return undefined
  kit.gathered.add(await readWith(answers, request, kit))
  return { steps: answers.length - 1, isAll }
}

async function firstAnswer(request: FollowRequest, kit: Kit): Promise<{ answer: Answer; pointer: string } | undefined> {
  const { data: urls = [] } = z
    .array(z.string())
    .safeParse(await runSafely(request.tab, requestedUrls, [bounds.tried], request.signal))
  for (const url of urls.filter((one) => URL.canParse(one)).slice(0, bounds.tried)) {
    const text = await textOf(url, request)
    if (text === undefined) continue
    const answer = { url, text }
    const { json } = await readWith([answer], request, kit)
    if (json?.url === url) return { answer, pointer: json.pointer }
  }
  return undefined
}

async function readWith(
  answers: readonly Answer[],
  { tab, html }: FollowRequest,
  { read, gathered }: Kit,
): Promise<Listing> {
  const known = { ...gathered.known(), answers: answers.map(({ url, text }) => ({ url, text })) }
  return listingSchema.parse(await read({ url: await tab.url(), html }, listingReading, known))
}

/** Fetches a URL in the page, so that the network guard and the session of the page apply. */
async function textOf(url: string, request: FollowRequest): Promise<string | undefined> {
  const text = await runSafely(request.tab, fetchJson, [url, bounds.text], request.signal)
  return typeof text === 'string' && text.length <= bounds.text ? text : undefined
}

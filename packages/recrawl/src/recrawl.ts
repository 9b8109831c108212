// Crawls that load only changed pages: a format that compares each page with an earlier visit, and a keeper that stores the
// visits of jobs.
import {
  defineFormat,
  defineKeeper,
  definePlugin,
  markdown,
  validatorsOf,
  type KeeperContext,
  type Revisited,
  type RevisitContext,
  type RevisitChoice,
  type KeptCopy,
} from '@harvestman/core/plugin'
import { hash } from 'node:crypto'
import { z } from 'zod'

import { wasMissing, isVersion, lookSince, openLooks, packLooks, versionOf, withLook, type Sighting } from './looks.ts'
import { updateTrust, pseudoRandomFor, trustIn, type Statement } from './trust.ts'
import { listingOf, notDue, decideRevisit } from './decide-revisit.ts'

/** The result of comparing a page with an earlier visit. */
export interface Revisit {
  readonly status: 'new' | 'same' | 'changed' | 'removed'
  /** The earlier visit. */
  readonly previous: { readonly scrapeId: string; readonly at: string } | null
  /**
   * How the page was visited: loaded, reported as unchanged by its host, reported as unchanged by its sitemap or feed, or
   * skipped because it was not due.
   */
  readonly visit: (typeof visits)[number]
}

const visits = ['loaded', 'not modified', 'not listed as changed', 'not due'] as const

const day = 86_400_000
/** How long visits of a page are stored after the last one, in milliseconds. */
const life = 90 * day
/** Name under which crawls record their pages. */
const name = 'recrawl'

const options = z.object({
  since: z
    .string()
    .min(1)
    .max(100)
    .meta({
      title: 'Since',
      description:
        'The id of an earlier job, or a time such as `2026-11-01T00:00:00Z`. Default: the last visit by another job.',
    })
    .optional(),
  revisitWithin: z
    .int()
    .min(60_000)
    .max(365 * day)
    .meta({
      title: 'Revisit within',
      description:
        'Loads a page about as often as it changes, and at least once in this time, unless its host reports changes reliably.',
      unit: 'ms',
    })
    .optional(),
})

const value = z
  .object({
    status: z.enum(['new', 'same', 'changed', 'removed']),
    previous: z.object({ scrapeId: z.string(), at: z.string() }).nullable(),
    visit: z.enum(visits),
  })
  .describe('How the page differs from an earlier visit.')

const revisit = defineFormat({
  type: 'revisit',
  options,
  value,
  follows: () => name,
  since: (since) => ({ since }),
  needs: { markdown },
  revisit: (copy, context, { revisitWithin }) => choose(copy, context, revisitWithin),
  derive: async (
    { markdown },
    { options: { since }, page, request, job, store, warn },
  ): Promise<Revisit | undefined> => {
    if (!isComparable(page.status)) {
      warn(`The page responded with status ${page.status}, so it was not compared.`)
      return undefined
    }
    const memory = openLooks(await store.get(keyOf(request.url)))
    const look = lookSince(memory, since, job)
    const before = versionOf(memory, look)
    const sighting = { isMissing: isMissing(page.status), markdown }
    return {
      status: statusOf(before, sighting),
      previous: look && before ? { scrapeId: look.scrapeId, at: new Date(look.at).toISOString() } : null,
      visit: visitOf(page.revisited),
    }
  },
})

const looks = defineKeeper({
  name,
  ofJobs: true,
  notes: name,
  needs: { markdown },
  keep: async ({ markdown }, context) => {
    const { job, page } = context
    if (job !== undefined && isComparable(page.status))
      await note({ isMissing: isMissing(page.status), markdown }, job, context)
  },
})

/** Creates the plugin for crawls with `since`: `createEngine({ plugins: [recrawl()] })`. */
export function recrawl() {
  return definePlugin({ name, formats: [revisit], keepers: [looks] })
}

/** Returns the comparison of a document with the earlier visit. `undefined` if the page was not compared. */
export function revisitOf(document: object): Revisit | undefined {
  const parsed = 'revisit' in document ? value.safeParse(document.revisit) : undefined
  return parsed?.data
}

/** Type of the plugin returned by `recrawl`. */
export type RecrawlPlugin = ReturnType<typeof recrawl>

function isMissing(status: number): boolean {
  return status === 404 || status === 410
}

/** Returns whether a page with this status can be compared. Other error responses reveal nothing about its content. */
function isComparable(status: number): boolean {
  return status < 400 || isMissing(status)
}

function statusOf(before: ReturnType<typeof versionOf>, sighting: Sighting): Revisit['status'] {
  if (sighting.isMissing) return 'removed'
  if (!before || wasMissing(before)) return 'new'
  return isVersion(before, sighting, true) ? 'same' : 'changed'
}

function visitOf(revisited: Revisited | undefined): Revisit['visit'] {
  if (!revisited?.isCopy) return 'loaded'
  if (revisited.way === 'ask') return 'not modified'
  return revisited.reason === notDue ? 'not due' : 'not listed as changed'
}

async function choose(
  copy: KeptCopy,
  { url, job, store, clock }: RevisitContext,
  revisitWithin: number | undefined,
): Promise<RevisitChoice> {
  const memory = openLooks(await store.get(keyOf(url)))
  const trust = await trustIn(store, new URL(url).host)
  return decideRevisit(copy, { memory, trust, lot: pseudoRandomFor(url, job), now: clock.now(), revisitWithin })
}

/** Stores a visit, and updates how far the host is trusted. */
async function note(sighting: Sighting, job: string, context: KeeperContext): Promise<void> {
  const { request, page, id, store, clock } = context
  const { revisited } = page
  const now = clock.now()
  const isCareful = request.formats.some(({ type }) => type === revisit.type)
  const isCopy = revisited?.isCopy === true
  const how = { isCareful, isCopy, isPassed: isCopy && revisited.reason === notDue }
  let last: number | undefined
  let hasChanged = false
  await store.update(
    keyOf(request.url),
    (old) => {
      const memory = openLooks(old)
      const before = versionOf(memory, memory.looks.at(-1))
      const next = withLook(memory, { scrapeId: id, at: now, job }, sighting, how)
      last =
        next === memory || sighting.isMissing || !before || wasMissing(before) ? undefined : memory.looks.at(-1)?.at
      hasChanged = next.looks.at(-1)?.version !== before?.number
      return packLooks(next)
    },
    { ttl: life, isSpare: true },
  )
  // Headers and listing belong to the copy, so they prove something only if the copy is from the last visit.
  if (isCareful && revisited && !revisited.isCopy && last !== undefined && last >= revisited.copy.at)
    await updateTrust(store, new URL(request.url).host, statementsOf(page, revisited, hasChanged), now)
}

function statementsOf({ headers }: KeeperContext['page'], { copy }: Revisited, hasChanged: boolean): Statement[] {
  const listed = listingOf(copy)
  return [
    ...(validatorsOf(copy) === undefined
      ? []
      : [{ by: 'validators', saysChanged: !hasSameValidators(copy, headers), hasChanged } as const]),
    ...(listed ? [{ by: listed.by, saysChanged: !listed.isOld, hasChanged }] : []),
  ]
}

/** Returns whether the response has the same validators as the copy, which means that the host would have answered 304. */
function hasSameValidators({ headers: kept }: KeptCopy, headers: KeptCopy['headers']): boolean {
  const { etag } = kept
  return etag === undefined ? kept['last-modified'] === headers['last-modified'] : etag === headers['etag']
}

function keyOf(url: string): string {
  return `page/${hash('sha256', url, 'base64url')}`
}

// The format `siteApi`: learns a recipe from the page in a browser.
import { defineFormat } from '@harvestman/core/plugin'
import type { Tab } from '@harvestman/ports'
import { z } from 'zod'

import { currentScrape } from './current-scrape.ts'
import { learnRecipe, shownItems } from './learn.ts'
import { itemSchema, limits, type Item } from './recipe.ts'
import { tryRecipe } from './run.ts'
import { makeSender } from './sending.ts'

/** Schema of the options of the format. */
export const siteApiOptions = z.object({
  maxPages: z
    .int()
    .min(1)
    .max(limits.pages)
    .meta({
      title: 'Pages',
      description: 'Maximum number of pages of the list. Each one after the first that is returned costs a credit.',
    })
    .default(1),
  repeatPosts: z
    .boolean()
    .meta({
      title: 'Repeat POST requests',
      description: 'Whether POST requests other than GraphQL queries may be repeated. They may change data.',
    })
    .default(false),
})

/** Schema of a refused request. */
export const refusalSchema = z.object({ url: z.string(), reason: z.string() })

const value = z
  .object({
    items: z.array(itemSchema),
    from: z
      .enum(['http', 'browser'])
      .describe('`http` if a recipe was run, `browser` if the page was opened to learn one.'),
    pages: z.int().describe('Number of pages of the list.'),
    requests: z.int().describe('Number of requests over HTTP.'),
    savedRequests: z.int().describe('How many fewer requests than in the browser were sent for the first page.'),
    api: z.string().optional().describe('Id of the site API.'),
    reason: z.string().optional().describe('Why the stored recipe was not used, or why it did not return all pages.'),
    refused: z.array(refusalSchema).describe('Requests for which there is no recipe, and why.'),
  })
  .meta({ id: 'SiteApiItems' })

/** The result of the format. */
export type SiteApiItems = z.output<typeof value>
type Options = z.output<typeof siteApiOptions>

const withPages = value.pick({ pages: true })

/** The format `siteApi`: the items of the list that a page shows. */
export const siteApiFormat = defineFormat({
  type: 'siteApi',
  options: siteApiOptions,
  value,
  needs: {},
  credits: (_, _usage, found) => Math.max(0, (withPages.safeParse(found).data?.pages ?? 0) - 1),
  creditsAtMost: ({ maxPages }) => maxPages - 1,
  capture: learn,
  // Cast: `learn` or the loader made the value.
  derive: (_, { captured }) => captured as SiteApiItems,
})

/** Why a scrape outside of the loader neither runs nor learns a recipe. */
export const notHere = 'Recipes are learned from single scrapes, without actions, mobile and profile.'

/** Learns a recipe from the page in a browser, and returns the items. */
async function learn(tab: Tab, { maxPages, repeatPosts }: Options, signal: AbortSignal): Promise<SiteApiItems> {
  const scrape = currentScrape.getStore()
  const visit = scrape?.visit
  const reason = visit?.reason === undefined ? {} : { reason: visit.reason }
  const nothing = { items: [], from: 'browser' as const, pages: 0, requests: 0, savedRequests: 0, ...reason }
  const refuse = (sentence: string): SiteApiItems => ({ ...nothing, refused: [{ url: '', reason: sentence }] })
  if (!scrape || !visit) return refuse(notHere)
  if (visit.refusal !== undefined) return refuse(visit.refusal)
  const text = await tab.evaluate(`document.body ? document.body.innerText.slice(0, ${limits.shown}) : ''`, signal)
  const cookies = await tab.evaluate('document.cookie.slice(0, 20000)', signal)
  const exchanges = scrape.exchanges.list
  const work = visit.makeWork(signal)
  const { failed } = visit
  if (failed?.mayRecover) {
    const items = await shownItems({ exchanges, shown: stringOf(text), work })
    const pages = items.length > 0 ? 1 : 0
    return { ...nothing, items: [...items], pages, api: failed.api.id, refused: [] }
  }
  const sender = (max: number) => makeSender({ ...visit.sending, signal }, max)
  const { learned, refused } = await learnRecipe({
    url: visit.url,
    exchanges,
    shown: stringOf(text),
    cookies: stringOf(cookies),
    repeatPosts,
    makeSender: sender,
    work,
  })
  if (!learned) {
    if (!failed) return { ...nothing, refused: [...refused] }
    await visit.catalog.noteFailure(failed.api, visit.reason ?? '')
    return { ...nothing, api: failed.api.id, refused: [...refused] }
  }
  const { id } = await visit.catalog.put(learned.recipe, exchanges.length)
  const own = sender(limits.requests)
  const run = await tryRecipe(learned.recipe, visit.url, maxPages, { sender: own, work })
  const items: readonly Item[] = 'failure' in run ? learned.items : run.items
  const pages = 'failure' in run ? 1 : run.pages
  return { ...nothing, items: [...items], pages, requests: own.count(), api: id, refused: [...refused] }
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

// The plugin: the format `siteApi`, the loader that runs recipes, and the endpoints of recipes.
import {
  defaultLocation,
  defineFeature,
  defineFormat,
  defineLoader,
  definePlugin,
  pass,
  type FeatureKit,
  type LoadJob,
  type LoaderKit,
  type PluginContext,
} from '@harvestman/core/plugin'
import { EngineError, isRecord, type Tab } from '@harvestman/ports'
import { z } from 'zod'

import { catalogIn, siteApiSchema } from './catalog.ts'
import { currentScrape, watchedBrowser, type Visit } from './current-scrape.ts'
import { makeExchanges } from './exchanges.ts'
import { learnRecipe, shownItems } from './learn.ts'
import { itemSchema, limits, type Item } from './recipe.ts'
import { isReading, mayChange } from './requests.ts'
import { tryRecipe } from './run.ts'
import { makeSender, type SendingKit } from './sending.ts'
import { makeWorkThreads, type WorkThreads } from './threads.ts'

const options = z.object({
  maxPages: z
    .int()
    .min(1)
    .max(limits.pages)
    .meta({
      title: 'Pages',
      description: 'Maximum number of pages of the list. Each one after the first costs a credit.',
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
    refused: z
      .array(z.object({ url: z.string(), reason: z.string() }))
      .describe('Requests for which there is no recipe, and why.'),
  })
  .meta({ id: 'SiteApiItems' })

type Value = z.output<typeof value>
type Options = z.output<typeof options>

const format = defineFormat({
  type: 'siteApi',
  options,
  value,
  needs: {},
  credits: ({ maxPages }) => maxPages - 1,
  capture: learn,
  // Cast: `learn` or the loader made the value.
  derive: (_, { captured }) => captured as Value,
})

const notHere = 'Recipes are learned from single scrapes, without actions, mobile and profile.'

/** Learns a recipe from the page in a browser, and returns the items. */
async function learn(tab: Tab, { maxPages, repeatPosts }: Options, signal: AbortSignal): Promise<Value> {
  const scrape = currentScrape.getStore()
  const visit = scrape?.visit
  const reason = visit?.reason === undefined ? {} : { reason: visit.reason }
  const nothing = { items: [], from: 'browser' as const, pages: 0, requests: 0, savedRequests: 0, ...reason }
  const refuse = (sentence: string): Value => ({ ...nothing, refused: [{ url: '', reason: sentence }] })
  if (!scrape || !visit) return refuse(notHere)
  if (visit.refusal !== undefined) return refuse(visit.refusal)
  const text = await tab.evaluate(`document.body ? document.body.innerText.slice(0, ${limits.shown}) : ''`, signal)
  const cookies = await tab.evaluate('document.cookie.slice(0, 20000)', signal)
  const exchanges = scrape.exchanges.list
  const work = visit.makeWork(signal)
  const { failed } = visit
  if (failed?.isTemporary) {
    const items = await shownItems({ exchanges, shown: stringOf(text), work })
    const pages = items.length > 0 ? 1 : 0
    return { ...nothing, items: [...items], pages, api: failed.id, refused: [] }
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
    if (failed) await visit.catalog.delete(failed.id)
    return { ...nothing, refused: [...refused] }
  }
  const { id } = await visit.catalog.put(learned.recipe, exchanges.length)
  const own = sender(limits.requests)
  const run = await tryRecipe(learned.recipe, visit.url, maxPages, { sender: own, work })
  const items: readonly Item[] = 'failure' in run ? learned.items : run.items
  const pages = 'failure' in run ? 1 : run.pages
  return { ...nothing, items: [...items], pages, requests: own.count(), api: id, refused: [...refused] }
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Creates the loader that runs the recipe of a page. Without one, or if it fails, the browser loads the page. */
function recipeLoader(context: () => PluginContext | undefined, threads: WorkThreads) {
  return defineLoader({
    name: 'site-api',
    cost: 0,
    offers: ['capture', 'scripts', 'proxy', 'wait'],
    accepts: () => currentScrape.getStore() !== undefined,
    load: async (job, kit) => {
      const scrape = currentScrape.getStore()
      const plugin = context()
      if (!scrape || !plugin) return pass(notHere)
      const catalog = catalogIn(job.store, () => kit.clock.now())
      const sending = sendingOf(job, kit, plugin)
      const refusal = refusalOf(job)
      const makeWork: Visit['makeWork'] = (signal) => threads(job.team, signal)
      const visit: Visit = { sending, catalog, makeWork, url: job.url, refusal, reason: undefined, failed: undefined }
      scrape.visit = visit
      if (refusal !== undefined) return pass(refusal)
      const api = await catalog.of(job.url)
      if (!api) return pass('There is no recipe for the page yet.')
      const sender = makeSender(sending, limits.requests)
      const own = job.request.formats.find(({ type }) => type === format.type)
      const { maxPages, repeatPosts } = options.parse({
        maxPages: own?.['maxPages'],
        repeatPosts: own?.['repeatPosts'],
      })
      if (!repeatPosts && !isReading(api.recipe.request)) return pass(mayChange)
      await job.mayVisit?.(job.url)
      const run = await tryRecipe(api.recipe, job.url, maxPages, { sender, work: makeWork(job.signal) })
      if ('failure' in run) {
        const failed = { id: api.id, isTemporary: run.isTemporary ?? false }
        scrape.visit = { ...visit, reason: run.failure, failed }
        return pass(run.failure)
      }
      const items = [...run.items]
      const requests = sender.count()
      const savedRequests = Math.max(0, api.browserRequests - (requests - run.pages + 1))
      const reason = run.incomplete === undefined ? {} : { reason: run.incomplete }
      const counts = { pages: run.pages, requests, savedRequests }
      const result: Value = { items, from: 'http', ...counts, api: api.id, refused: [], ...reason }
      return pageOf(job, result)
    },
  })
}

function pageOf({ url, most }: LoadJob, result: Value) {
  const body = new TextEncoder().encode(JSON.stringify(result.items))
  if (body.length > most.bytes)
    throw new EngineError('response_too_large', `The items have ${body.length} bytes. Request fewer pages.`)
  return {
    ...{ url: url.href, status: 200, headers: { 'content-type': 'application/json' }, body },
    ...{
      captured: { [format.type]: result },
      actions: {},
      proxyUsed: 'basic' as const,
      ranScripts: true,
      warnings: [],
    },
  }
}

function sendingOf(job: LoadJob, kit: LoaderKit, plugin: PluginContext): SendingKit {
  const { request, team, proxy, signal, mayVisit } = job
  // Other headers of the engine are for the host of the page, and a recipe may use another one.
  const agent = job.headers['user-agent']
  return {
    ...{ fetcher: kit.fetcher, signal, team, proxy, headers: agent === undefined ? {} : { 'user-agent': agent } },
    skipTlsVerification: request.skipTlsVerification,
    mayVisit: async (url) => {
      await mayVisit?.(url)
      await plugin.checkRobots(url, { signal })
    },
  }
}

/** Returns why a scrape must not use or learn a recipe. */
function refusalOf({ request, captures }: LoadJob): string | undefined {
  if (Object.keys(request.headers).length > 0)
    return 'Recipes contain no secrets, so none is learned or run with headers of the request. Remove headers.'
  if (request.formats.length > 1 || captures.length > 1)
    return 'Recipes return only items. Request siteApi without other formats.'
  if (!isDefaultLocation(request.location))
    return 'Recipes are for the default location, and sites may return other items for another one. Remove location.'
  if (request.zeroDataRetention) return 'Recipes are stored, which zeroDataRetention forbids. Remove it.'
  return request.record ? 'A recorded scrape opens the page, so that it can be replayed. Remove record.' : undefined
}

function isDefaultLocation({ country, languages }: LoadJob['request']['location']): boolean {
  return country === defaultLocation.country && languages.join() === defaultLocation.languages.join()
}

const params = { id: z.string().min(1).max(400) }

function openSiteApis({ storeOf, clock }: FeatureKit) {
  const catalogOf = (team: string) => catalogIn(storeOf(team), () => clock.now())
  const find = async (team: string, id: string) => {
    const found = await catalogOf(team).find(id)
    if (found) return found
    throw new EngineError('not_found', `There is no site API ${id.slice(0, 300)}.`)
  }
  return { catalogOf, find }
}

/** Returns whether a request has the format. */
function wantsItems(request: unknown): boolean {
  const formats: unknown = isRecord(request) ? request['formats'] : undefined
  return Array.isArray(formats) && formats.some((one: unknown) => isRecord(one) && one['type'] === format.type)
}

const siteApisFeature = defineFeature({
  name: 'siteApis',
  summary: 'Lists and deletes learned site APIs, which return the items of a page without a browser.',
  activities: { 'site-api': 'site-apis' },
  open: openSiteApis,
  around: (_, { request, isOfJob }, run) =>
    currentScrape.run(!isOfJob && wantsItems(request) ? { exchanges: makeExchanges() } : undefined, run),
  endpoints: (endpoint) => ({
    list: endpoint({
      method: 'GET',
      path: '/v2/site-apis',
      summary: 'Lists the learned site APIs of your team, the most recent host first.',
      output: z.array(siteApiSchema),
      run: async ({ catalogOf }, { team }) => [...(await catalogOf(team).list())],
    }),
    get: endpoint({
      method: 'GET',
      path: '/v2/site-apis/{id}',
      params,
      summary: 'Returns a site API with its recipe.',
      output: siteApiSchema,
      errors: ['not_found'],
      run: ({ find }, { team, params: { id } }) => find(team, id),
    }),
    delete: endpoint({
      method: 'DELETE',
      path: '/v2/site-apis/{id}',
      params,
      summary: 'Deletes a site API. The next scrape of its page learns it again.',
      errors: ['not_found'],
      run: async ({ catalogOf, find }, { team, params: { id } }) => {
        await find(team, id)
        await catalogOf(team).delete(id)
      },
    }),
  }),
})

/**
 * Creates the plugin for site APIs: `createEngine({ browser, plugins: [siteApis()] })`. It needs a browser to learn. Throws
 * `not_configured` if a bundler has merged the package into an application.
 */
export function siteApis() {
  let context: PluginContext | undefined
  const threads = makeWorkThreads()
  return definePlugin({
    name: 'site-apis',
    formats: [format],
    loaders: [recipeLoader(() => context, threads)],
    features: [siteApisFeature],
    ports: ({ browser }) => (browser ? { browser: (guard) => watchedBrowser(browser(guard)) } : {}),
    open: (given) => {
      context = given
    },
  })
}

/** Type of the plugin returned by `siteApis`. */
export type SiteApisPlugin = ReturnType<typeof siteApis>

// The loader that runs the stored recipe of a page, in place of the browser.
import { defineLoader, pass, type LoadJob, type LoaderKit, type PluginContext } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { pageOptionsOf } from '@harvestman/toolbox/page-options'

import { catalogIn, type SiteApi } from './catalog.ts'
import { currentScrape, type Visit } from './current-scrape.ts'
import { notHere, siteApiFormat, siteApiOptions, type SiteApiItems } from './format.ts'
import { limits } from './recipe.ts'
import { refusalOfOptions } from './refusal.ts'
import { isReading, mayChange } from './requests.ts'
import { tryRecipe } from './run.ts'
import { makeSender, type SendingKit } from './sending.ts'
import type { WorkThreads } from './threads.ts'

/**
 * Creates the loader that runs the recipe of a page. Without one, or if it fails, the browser loads the page. `context` returns
 * the context of the plugin after the engine has opened it.
 */
export function recipeLoader(context: () => PluginContext | undefined, threads: WorkThreads) {
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
      const { failing } = api
      if (failing && kit.clock.now() < failing.retryAt) {
        scrape.visit = { ...visit, reason: waitReason(failing), failed: { api, mayRecover: true } }
        return pass(waitReason(failing))
      }
      const sender = makeSender(sending, limits.requests)
      const own = job.request.formats.find(({ type }) => type === siteApiFormat.type)
      const { maxPages, repeatPosts } = siteApiOptions.parse({
        maxPages: own?.['maxPages'],
        repeatPosts: own?.['repeatPosts'],
      })
      if (!repeatPosts && !isReading(api.recipe.request)) return pass(mayChange)
      await job.mayVisit?.(job.url)
      const run = await tryRecipe(api.recipe, job.url, maxPages, { sender, work: makeWork(job.signal) })
      if ('failure' in run) {
        const failed = { api, mayRecover: run.isTemporary ?? false }
        scrape.visit = { ...visit, reason: run.failure, failed }
        return pass(run.failure)
      }
      if (failing) await catalog.noteSuccess(api.id)
      const items = [...run.items]
      const requests = sender.count()
      const savedRequests = Math.max(0, api.browserRequests - (requests - run.pages + 1))
      const reason = run.incomplete === undefined ? {} : { reason: run.incomplete }
      const counts = { pages: run.pages, requests, savedRequests }
      const result: SiteApiItems = { items, from: 'http', ...counts, api: api.id, refused: [], ...reason }
      return pageOf(job, result)
    },
  })
}

function waitReason({ reason, retryAt }: NonNullable<SiteApi['failing']>): string {
  return `The recipe fails, and is run again after ${new Date(retryAt).toISOString()}. ${reason}`
}

function pageOf({ url, most }: LoadJob, result: SiteApiItems) {
  const body = new TextEncoder().encode(JSON.stringify(result.items))
  if (body.length > most.bytes)
    throw new EngineError('response_too_large', `The items have ${body.length} bytes. Request fewer pages.`)
  return {
    ...{ url: url.href, status: 200, headers: { 'content-type': 'application/json' }, body },
    ...{
      captured: { [siteApiFormat.type]: result },
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
  const refusal = refusalOfOptions(pageOptionsOf(request, {}))
  if (refusal !== undefined) return refusal
  if (request.formats.length > 1 || captures.length > 1)
    return 'Recipes return only items. Request siteApi without other formats.'
  if (request.zeroDataRetention) return 'Recipes are stored, which zeroDataRetention forbids. Remove it.'
  return request.record ? 'A recorded scrape opens the page, so that it can be replayed. Remove record.' : undefined
}

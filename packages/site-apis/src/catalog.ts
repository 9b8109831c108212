// The site APIs of a team, by host: 1,000 hosts with 16 recipes each. The oldest are dropped.
import { randomUUID } from 'node:crypto'

import type { PluginStore } from '@harvestman/core/plugin'
import { backoffAfter, type Backoff } from '@harvestman/toolbox/backoff'
import { parseJson } from '@harvestman/toolbox/parse-json'
import { z } from 'zod'

import { recipeSchema, type Recipe } from './recipe.ts'

/** Schema of a stored recipe. */
export const siteApiSchema = z
  .object({
    id: z.string(),
    host: z.string(),
    learnedAt: z.number().describe('Milliseconds since 1970.'),
    browserRequests: z.int().describe('Number of responses that the page received in the browser.'),
    recipe: recipeSchema,
    failing: z
      .object({
        reason: z.string().describe('Why the last run failed.'),
        failures: z.int().min(1).describe('Number of consecutive failures.'),
        retryAt: z.number().describe('When the recipe is run again, in milliseconds since 1970.'),
      })
      .optional()
      .describe('Present if the recipe fails and no other one could be learned.'),
  })
  .meta({ id: 'SiteApi', description: 'A learned site API.' })

/** A stored recipe. */
export type SiteApi = z.output<typeof siteApiSchema>

/** The site APIs of one team. */
export interface Catalog {
  /** Returns the newest site API of a page. */
  of(page: URL): Promise<SiteApi | undefined>
  /** Returns the site APIs of the first `limit` hosts in alphabetical order after a host. `next` is set if there are more hosts. */
  list(limit: number, after?: string): Promise<{ readonly apis: readonly SiteApi[]; readonly next?: string }>
  find(id: string): Promise<SiteApi | undefined>
  /** Stores a recipe in place of the ones for the same page. */
  put(recipe: Recipe, browserRequests: number): Promise<SiteApi>
  /**
   * Marks a recipe that was read before it failed as failing, so that it is not run for a while: a minute at first, then twice as
   * long each time, at most a day. If the mark has changed since then, it stays: of simultaneous runs, one failure counts.
   */
  noteFailure({ id, failing }: Pick<SiteApi, 'id' | 'failing'>, reason: string): Promise<void>
  /** Removes the mark of a failing recipe. */
  noteSuccess(id: string): Promise<void>
  delete(id: string): Promise<void>
}

const retry: Backoff = { first: 60_000, longest: 86_400_000 }

const maxHosts = 1_000
const maxPerHost = 16
const index = 'site-apis'
const keyOf = (host: string): string => `site-apis/${host}`

/** Returns the catalog in a store. Recipes in other formats are ignored. Calls reject if the store fails. */
export function catalogIn(store: PluginStore, now: () => number): Catalog {
  const all = async (host: string): Promise<readonly SiteApi[]> => read(await store.get(keyOf(host)))
  const hosts = async (): Promise<readonly string[]> => readHosts(await store.get(index))
  const change = (id: string, edit: (api: SiteApi) => SiteApi): Promise<unknown> =>
    store.update(keyOf(hostOf(id)), (old) => {
      const apis = read(old)
      return apis.length === 0 ? undefined : JSON.stringify(apis.map((one) => (one.id === id ? edit(one) : one)))
    })
  return {
    of: async (page) => (await all(page.host)).find(({ recipe }) => fits(recipe, page)),
    list: async (limit, after = '') => {
      const left = (await hosts()).filter((host) => host > after).toSorted()
      const listed = left.slice(0, limit)
      const apis = (await Promise.all(listed.map(all))).flat()
      const next = left.length > listed.length ? listed.at(-1) : undefined
      return { apis, ...(next !== undefined && { next }) }
    },
    find: async (id) => (await all(hostOf(id))).find((one) => one.id === id),
    put: async (recipe, browserRequests) => {
      const { host } = new URL(recipe.page)
      const made: SiteApi = { id: `${host}~${randomUUID()}`, host, learnedAt: now(), browserRequests, recipe }
      await store.update(keyOf(host), (old) => {
        const others = read(old).filter((one) => one.recipe.page !== recipe.page)
        return JSON.stringify([made, ...others].slice(0, maxPerHost))
      })
      let dropped: readonly string[] = []
      await store.update(index, (old) => {
        const known = [host, ...readHosts(old).filter((one) => one !== host)]
        dropped = known.slice(maxHosts)
        return JSON.stringify(known.slice(0, maxHosts))
      })
      for (const one of dropped) await store.delete(keyOf(one))
      return made
    },
    noteFailure: async ({ id, failing }, reason) => {
      await change(id, (api) => {
        if (api.failing?.retryAt !== failing?.retryAt) return api
        const failures = (failing?.failures ?? 0) + 1
        return { ...api, failing: { reason, failures, retryAt: now() + backoffAfter(failures, retry) } }
      })
    },
    noteSuccess: async (id) => {
      await change(id, ({ failing: _failing, ...api }) => api)
    },
    delete: async (id) => {
      const host = hostOf(id)
      let isEmpty = false
      await store.update(keyOf(host), (old) => {
        const left = read(old).filter((one) => one.id !== id)
        isEmpty = left.length === 0
        return left.length === 0 ? undefined : JSON.stringify(left)
      })
      if (isEmpty) await store.update(index, (old) => JSON.stringify(readHosts(old).filter((one) => one !== host)))
    },
  }
}

const hostOf = (id: string): string => id.slice(0, id.lastIndexOf('~'))

/** Reads recipes one by one, so that an invalid one does not hide the others. */
function read(value: unknown): readonly SiteApi[] {
  const parsed = typeof value === 'string' ? parseJson(value) : []
  if (!Array.isArray(parsed)) return []
  return parsed.slice(0, maxPerHost).flatMap((one) => {
    const api = siteApiSchema.safeParse(one)
    return api.success ? [api.data] : []
  })
}

function readHosts(value: unknown): readonly string[] {
  const parsed = z.array(z.string()).safeParse(typeof value === 'string' ? parseJson(value) : [])
  return parsed.success ? parsed.data : []
}

/** Returns whether a recipe is for a page: the same URL, apart from the values of its parameters. */
function fits({ page, parameters }: Recipe, url: URL): boolean {
  const plain = new URL(url)
  plain.hash = ''
  if (!parameters.every((name) => plain.searchParams.has(name))) return false
  for (const name of parameters) plain.searchParams.delete(name)
  return plain.href === page
}

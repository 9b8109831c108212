import { randomUUID } from 'node:crypto'

import type { Activity } from './activity/activity.ts'
import { noteRequest } from './engine-activity.ts'
import { someTeam } from './engine-kit.ts'
import type { SearchCall } from './engine-types.ts'
import { EngineError } from './errors/error.ts'
import { check } from './schema/problems.ts'
import type { ScrapeRequest } from './schema/scrape.ts'
import type { searchSchema } from './schema/search.ts'
import type { Kit } from './scrape/kit.ts'
import { scrape } from './scrape/scrape.ts'
import type { PageScrape } from './search/pages.ts'
import { isPrivate, search, type SearchResult } from './search/search.ts'
import { waitForPlace, type TeamPlaces } from './teams/places.ts'

export interface SearchDoorOptions {
  readonly kit: Kit
  readonly schema: ReturnType<typeof searchSchema>
  readonly activity: Activity
  readonly places: TeamPlaces
}

export type SearchDoor = (input: unknown, call?: SearchCall) => Promise<SearchResult>

/** What is left of the time of a search when its last page must be done; a page that has no more is not begun. */
const reserve = 500

/** The door to searches: its pages are scraped like any other, each in a place of its team. */
export function searchDoor({ kit, schema, activity, places }: SearchDoorOptions): SearchDoor {
  return async (input, { team = someTeam, signal, limits = {}, keep = false, filesAt, key, apiVersion } = {}) => {
    const id = randomUUID()
    const note = noteRequest(activity, 'search', withoutTrace(input), { team, key, apiVersion }, id)
    try {
      const request = check(schema, input)
      const scrapePage: PageScrape = async (url, options, time) => {
        const pageId = randomUUID()
        const most = Math.min(options.timeout, Math.floor(time.timeLeft()) - reserve)
        if (most < reserve)
          throw new EngineError('timeout', 'The search had no time left for this page. Raise timeout.')
        const place = await waitForPlace(places, team, limits, most, time.signal)
        try {
          const timeout = Math.max(1, most - Math.round(place.waited))
          const zeroDataRetention = options.zeroDataRetention || isPrivate(request)
          const page: ScrapeRequest = { ...options, url, timeout, zeroDataRetention }
          const caller = { team, id: pageId, task: pageId, signal: time.signal, keep, filesAt, key }
          return (await scrape(page, caller, kit)).document
        } finally {
          place.leave()
        }
      }
      const caller = { team, id, task: id, signal, keep: false, key, begun: note.begun }
      return await search(request, caller, { ...kit, scrapePage })
    } catch (error) {
      note.refused(error)
      throw error
    }
  }
}

/** What may leave no trace is not in the activity either. */
function withoutTrace(input: unknown): unknown {
  const { enterprise } = (typeof input === 'object' && input !== null ? input : {}) as { readonly enterprise?: unknown }
  const isTraceless = Array.isArray(enterprise) && enterprise.some((kind) => kind === 'zdr' || kind === 'anon')
  return isTraceless ? { ...(input as object), zeroDataRetention: true } : input
}

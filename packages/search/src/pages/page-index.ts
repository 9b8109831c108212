import { defineKeeper, definePlugin, markdown, title, type Plugin } from '@harvestman/core/plugin'
import type { Search } from '@harvestman/ports'

import { makeIndexThread } from './thread.ts'

/** Options of `pageIndex`. */
export interface PageIndexOptions {
  /** Folder of the index, with a file for each team. Default: in memory, lost when the process ends. */
  readonly folder?: string | undefined
  /** Maximum number of pages per team. The oldest are removed. Default: 10,000, in memory 2,000. */
  readonly pages?: number | undefined
  /** Maximum total text size of a team's pages, in bytes. The oldest are removed. Default: 200 MB, in memory 20 MB. */
  readonly bytes?: number | undefined
  /** Maximum number of teams. The least recently used index is removed. Default: 1,000, in memory 16. */
  readonly teams?: number | undefined
  /** How long a page can be found after it was scraped, in milliseconds. Default: 7 days. */
  readonly life?: number | undefined
  /** Maximum number of characters that are indexed per page. Default: 50,000. */
  readonly characters?: number | undefined
}

/** A full-text index of the pages that an engine scrapes. */
export interface PageIndex extends Search {
  /** The plugin that adds scraped pages to the index: `createEngine({ search: index, plugins: [index.plugin] })`. */
  readonly plugin: Plugin<readonly [], readonly []>
  /** Removes one page of a team, or all of them if `url` is omitted. */
  forget(what: { readonly team: string; readonly url?: string | undefined }): Promise<void>
}

const onDisk = { pages: 10_000, bytes: 200_000_000, teams: 1_000 }
const inMemory = { pages: 2_000, bytes: 20_000_000, teams: 16 }
const week = 7 * 24 * 3_600_000

/**
 * Creates a search backend over the pages that each team has scraped itself. Teams do not see each other's pages. Pages that
 * cannot be written are reported as a warning; a search rejects with `search_unavailable` or `search_failed`. Pages expire
 * after `life` milliseconds, by default 7 days.
 */
export function pageIndex(options: PageIndexOptions = {}): PageIndex {
  const { folder, life = week, characters = 50_000, ...bounds } = options
  const usual = folder === undefined ? inMemory : onDisk
  const { pages = usual.pages, bytes = usual.bytes, teams = usual.teams } = bounds
  let warn: (message: string) => void = () => undefined
  let now = Date.now
  const thread = makeIndexThread({ folder, pages, bytes, teams, life }, (why) =>
    warn(`Pages could not be put into the index: ${why}`),
  )
  const keeper = defineKeeper({
    name: 'page-index',
    needs: { markdown, title },
    keep: async ({ markdown, title }, { team, page, clock }) => {
      const url = addressOf(page.url)
      if (url === undefined || page.status >= 300 || markdown.trim() === '') return
      const text = markdown.slice(0, characters)
      await thread.put(team, { url, title: (title ?? '').slice(0, 1_000), markdown: text, at: clock.now() })
    },
  })
  return {
    name: 'the index of scraped pages',
    sources: ['web'],
    follows: ['time', 'newestFirst', 'category'],
    onlyIn:
      'Searched only the pages that this team has scraped here in the last days. To search the web, set SEARXNG_ENDPOINT to the URL of a SearXNG instance.',
    find: (query, signal) => thread.ask({ kind: 'find', query, now: now() }, signal),
    forget: async ({ team, url }) => {
      await thread.ask({ kind: 'forget', team, url: url === undefined ? undefined : (addressOf(url) ?? url) })
    },
    plugin: definePlugin({
      name: 'page-index',
      keepers: [keeper],
      open: (context) => {
        warn = (message) => context.warn(message)
        now = () => context.clock.now()
      },
      close: () => thread.close(),
    }),
  }
}

/** Returns the URL without fragment and credentials, or `undefined` if it is not HTTP. */
function addressOf(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  url.hash = ''
  url.username = ''
  url.password = ''
  return url.href
}

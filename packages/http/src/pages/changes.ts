// Version history of pages that were scraped with changeTracking.
import { z } from 'zod'

import { route, success, type Route } from '../route/route.ts'

const version = z.object({
  version: z.int(),
  firstSeenAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  checks: z.int().describe('Number of checks that found this version.'),
  isRemoved: z.boolean(),
  characters: z.int(),
})

const page = {
  url: z.string().describe('The URL of the page, as requested.'),
  tag: z.string().optional().describe('The tag of the scrapes. Scrapes without a tag have a separate history.'),
}

const number = z.coerce.number().int().min(1).optional()

const diff = z.object({
  text: z.string().describe('The diff in the format of Git.'),
  json: z.object({ files: z.array(z.unknown()) }).describe('The diff as data.'),
})

const answered = { url: z.string(), tag: z.string().nullable() }

const tracked = z.object({
  url: z.string(),
  tag: z.string().nullable(),
  newest: version.describe('Its newest version. `firstSeenAt` is the time of the last change.'),
})

export const changeRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v2/changes/pages',
    group: 'scrape',
    summary: 'Lists the tracked pages, each with its newest version.',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(1_000).default(100),
      cursor: z.string().optional().describe('The `cursor` of the previous page.'),
    }),
    output: () => z.object({ success: z.literal(true), pages: z.array(tracked), cursor: z.string().optional() }),
    fails: ['invalid_request'],
    run: async ({ engine, query, team }) => {
      const { pages, cursor } = await engine.changes.list(query, { team })
      return { success: true as const, pages: [...pages], ...(cursor !== undefined && { cursor }) }
    },
  }),
  route({
    method: 'GET',
    path: '/v2/changes',
    group: 'scrape',
    summary: 'Lists the versions of a page, newest first.',
    query: z.object(page),
    output: () => z.object({ success: z.literal(true), data: z.object({ ...answered, versions: z.array(version) }) }),
    run: async ({ engine, query, team }) => {
      const { url, tag, versions } = await engine.changes.history(query, { team })
      return success({ url, tag, versions: [...versions] })
    },
  }),
  route({
    method: 'GET',
    path: '/v2/changes/diff',
    group: 'scrape',
    fails: ['not_found'],
    summary: 'Compares two versions of a page. Default: the newest two.',
    query: z.object({ ...page, from: number.describe('The older version.'), to: number.describe('The newer one.') }),
    words: { notFound: 'This page does not have this version.' },
    output: () =>
      z.object({ success: z.literal(true), data: z.object({ ...answered, from: version, to: version, diff }) }),
    run: async ({ engine, query, team }) => {
      const { url, tag, from, to, diff } = await engine.changes.diff(query, { team })
      return success({ url, tag, from, to, diff: { text: diff.text, json: { files: [...diff.json.files] } } })
    },
  }),
]

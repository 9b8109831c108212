// The endpoints of recipes.
import { recordedTrafficPort, usableBrowsersPort, type EndpointCall, type MakeEndpoint } from '@harvestman/core/plugin'
import { z } from 'zod'

import { siteApiSchema } from './catalog.ts'
import type { SiteApis } from './service.ts'
import { refusalSchema, siteApiOptions } from './format.ts'
import { learnFromTraffic, type LearnedApi, type ReadTraffic } from './learn-from-traffic.ts'
import { itemSchema, limits } from './recipe.ts'

const listSchema = z.object({
  limit: z
    .int()
    .min(1)
    .max(20)
    .meta({ title: 'Limit', description: 'The maximum number of hosts to return.' })
    .default(20),
  after: z.string().max(300).meta({ title: 'After', description: 'The `next` of the previous page.' }).optional(),
})

const listedSchema = siteApiSchema
  .omit({ recipe: true })
  .extend({ page: z.string().describe('The URL of the page.') })
  .meta({ id: 'ListedSiteApi', description: 'A learned site API without its recipe.' })

const params = { id: z.string().min(1).max(400) }

const shown = z.string().min(1).max(limits.htmlBytes).meta({
  title: 'Shown',
  description: 'The content that the page showed, as text, Markdown or HTML, with at least two items of the list.',
})

const { repeatPosts } = siteApiOptions.shape
const browserSchema = z.strictObject({
  shown: shown.describe('The content that the page showed. Default: its visible text now.').optional(),
  repeatPosts,
})
const recordSchema = z.strictObject({
  shown,
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .meta({ title: 'URL', description: 'The URL of the page, after redirects. Default: the first page of the record.' })
    .optional(),
  repeatPosts,
})
const fileSchema = recordSchema.extend({
  file: z.string().min(1).max(limits.fileCharacters).meta({
    title: 'File',
    description: 'The content of a HAR file, or a record (`.warc.gz`) in base64.',
  }),
})

const learnedSchema = z
  .object({
    api: siteApiSchema.optional().describe('The stored recipe. Absent if none could be learned.'),
    items: z.array(itemSchema).describe('The items of the first page of the list.'),
    refused: z.array(refusalSchema).describe('Requests for which there is no recipe, and why.'),
    creditsUsed: z.number(),
  })
  .meta({ id: 'LearnedSiteApi' })

const learning = {
  method: 'POST',
  output: learnedSchema,
  isFlat: true,
  command: {
    print: ({ api, items, refused }: z.output<typeof learnedSchema>) => ({
      lines: api ? [[api.id, api.recipe.page, `${items.length} items`]] : [],
      message: refused.map(({ url, reason }) => `${url} ${reason}`.trim()).join('\n') || undefined,
    }),
  },
} as const

const errors = ['not_found', 'not_configured', 'conflict', 'insufficient_credits', 'timeout', 'scope_missing'] as const

type LearnCall = Pick<EndpointCall, 'team' | 'call' | 'signal'> & { readonly input: { readonly repeatPosts: boolean } }

function learn(apis: SiteApis, read: ReadTraffic, { call, input, signal }: LearnCall): Promise<LearnedApi> {
  return learnFromTraffic(read, { ...apis.learningOf(call), repeatPosts: input.repeatPosts, signal })
}

const recipeEndpoints = (endpoint: MakeEndpoint<SiteApis>) => ({
  list: endpoint({
    method: 'GET',
    path: '/v2/site-apis',
    summary: 'Lists the learned site APIs of your team by host, without their recipes.',
    input: listSchema,
    output: z.object({
      data: z.array(listedSchema),
      next: listSchema.shape.after.describe('Send it as `after` to get the next page. Absent at the end.'),
    }),
    isFlat: true,
    errors: ['not_configured'],
    command: {
      print: ({ data, next }) => ({
        lines: data.map(({ id, page, failing }) => [id, page, failing === undefined ? '' : 'failing']),
        message: next === undefined ? undefined : `There are more hosts. Continue with --after ${next}`,
      }),
    },
    run: async ({ catalogOf }, { team, input: { limit, after } }) => {
      const { apis, ...more } = await catalogOf(team).list(limit, after)
      return { data: apis.map(({ recipe: { page }, ...api }) => ({ ...api, page })), ...more }
    },
  }),
  get: endpoint({
    method: 'GET',
    path: '/v2/site-apis/{id}',
    params,
    summary: 'Returns a site API with its recipe.',
    output: siteApiSchema,
    errors: ['not_found', 'not_configured'],
    run: ({ find }, { team, params: { id } }) => find(team, id),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v2/site-apis/{id}',
    params,
    summary: 'Deletes a site API. The next scrape of its page learns it again.',
    errors: ['not_found', 'not_configured'],
    run: async ({ catalogOf, find }, { team, params: { id } }) => {
      await find(team, id)
      await catalogOf(team).delete(id)
    },
  }),
})

const learnEndpoints = (endpoint: MakeEndpoint<SiteApis>) => ({
  learnFromBrowser: endpoint({
    ...learning,
    path: '/v2/browser/{id}/site-api',
    params,
    needs: [usableBrowsersPort.name],
    summary: 'Learns the site API of the page in a live browser that was opened with `record: true`.',
    input: browserSchema,
    errors: [...errors, 'action_failed', 'session_over'],
    example: { repeatPosts: false },
    run: (apis, call) => {
      const read = { id: call.params.id, shown: call.input.shown }
      return learn(apis, (signal) => apis.readBrowser(read, { call: call.call, signal }), call)
    },
  }),
  learnFromRecord: endpoint({
    ...learning,
    path: '/v2/records/{id}/site-api',
    params,
    needs: [recordedTrafficPort.name],
    summary: 'Learns a site API from the record of a request that had `record: true`.',
    input: recordSchema,
    errors: [...errors, 'invalid_request'],
    example: { shown: 'Amber lamp for 10\nBasalt lamp for 11', url: 'https://shop.example.com/lamps' },
    run: (apis, call) => {
      const { url, shown: text } = call.input
      const read = { id: call.params.id, url, shown: text }
      return learn(apis, (signal) => apis.readRecord(read, { call: call.call, signal }), call)
    },
  }),
  learnFromFile: endpoint({
    ...learning,
    path: '/v2/site-apis',
    summary: 'Learns a site API from a HAR file of a browser, or from the file of a record.',
    input: fileSchema,
    maxTextBytes: { file: limits.fileCharacters },
    errors: ['not_configured', 'conflict', 'insufficient_credits', 'timeout', 'invalid_request', 'page_too_complex'],
    example: { file: '{ "log": { "version": "1.2", "entries": [] } }', shown: 'Amber lamp for 10\nBasalt lamp for 11' },
    command: { ...learning.command, arguments: ['file'], files: ['file'] },
    run: (apis, call) => {
      const { file, url, shown: text } = call.input
      return learn(apis, (signal) => apis.readFile({ file, url, shown: text }, { call: call.call, signal }), call)
    },
  }),
})

/** The endpoints of recipes. */
export const siteApisEndpoints = (endpoint: MakeEndpoint<SiteApis>) => ({
  ...recipeEndpoints(endpoint),
  ...learnEndpoints(endpoint),
})

// The recipe of a site API: a declarative description of the request behind a list. It contains no code and no secrets.
import type { Json } from '@harvestman/ports'
import { z } from 'zod'

const short = z.string().min(1).max(200)
const long = z.string().max(8_000)
const json: z.ZodType<Json> = z.json()
const keys = z.array(z.string().max(200)).max(20)
const pairs = z.array(z.tuple([z.string().max(200), long])).max(60)

const place = z
  .strictObject({ in: z.enum(['query', 'form', 'json']), path: keys.min(1) })
  .describe('A value of the request: a parameter of the query or the form, or a value in the JSON body.')

const around = { before: z.string().min(1).max(120), after: z.string().min(1).max(1) }
const token = z.strictObject({
  name: z.string().regex(/^token\d{1,2}$/),
  from: z.discriminatedUnion('in', [
    z.strictObject({ in: z.literal('page'), ...around }),
    z.strictObject({ in: z.literal('response'), url: z.url().max(2_000), ...around }),
    z.strictObject({ in: z.literal('cookie'), name: short }),
  ]),
})

const body = z.discriminatedUnion('as', [
  z.strictObject({ as: z.literal('json'), value: json }),
  z.strictObject({ as: z.literal('form'), fields: pairs }),
])

const paging = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('number'), at: place, step: z.int().min(1).max(10_000) }),
  z.strictObject({ by: z.literal('cursor'), at: place, from: keys.min(1) }),
  z.strictObject({ by: z.literal('next'), from: keys.min(1) }),
  z.strictObject({ by: z.literal('link') }),
])

const selector = z.string().min(1).max(1_000)
const items = z.discriminatedUnion('in', [
  z.strictObject({ in: z.literal('json'), path: keys, fields: z.array(short).min(1).max(60) }),
  z.strictObject({
    in: z.literal('script'),
    index: z.int().min(0).max(200),
    path: keys,
    fields: z.array(short).min(1).max(60),
  }),
  z.strictObject({
    in: z.literal('html'),
    selector,
    fields: z.record(short, z.strictObject({ selector })),
  }),
])

/** Schema of a recipe. Strings of the request may contain `{{token1}}` and `{{page.name}}`, a query parameter of the page. */
export const recipeSchema = z
  .strictObject({
    version: z.literal(1),
    page: z.url().max(2_000).describe('The page without the query parameters that are parameters of the recipe.'),
    parameters: z.array(short).max(20).describe('Query parameters of the page that the request uses.'),
    visitsPage: z.boolean().describe('Whether the page is requested first, for its cookies and tokens.'),
    document: z
      .strictObject({ url: z.url().max(2_000), query: pairs })
      .optional()
      .describe('What is requested as the page if it redirects: its URL after the redirects.'),
    request: z.strictObject({
      method: z.enum(['GET', 'POST']),
      url: z.url().max(2_000),
      query: pairs,
      headers: z.record(short, long),
      body: body.optional(),
    }),
    tokens: z.array(token).max(10),
    paging: paging.optional(),
    items,
    schema: z.record(z.string(), json).describe('JSON Schema of one item.'),
  })
  .meta({ id: 'SiteApiRecipe', description: 'How to request the items of a page without a browser.' })

/** Schema of an item. */
export const itemSchema = z.record(z.string(), json)

/** A recipe. */
export type Recipe = z.output<typeof recipeSchema>
export type RecipeRequest = Recipe['request']
export type Token = Recipe['tokens'][number]
export type Paging = NonNullable<Recipe['paging']>
export type ItemSource = Recipe['items']
export type Place = z.output<typeof place>
/** An item of a list. */
export type Item = Readonly<Record<string, Json>>

/** Limits of learning and running. All are checked before the work. */
export const limits = {
  /** Bytes of a response. */
  bodyBytes: 2_000_000,
  /** Bytes of an HTML response, which is parsed. */
  htmlBytes: 1_000_000,
  /** Characters of all HTML responses, and of all JSON responses, in which the list is searched. */
  searchedHtml: 300_000,
  searchedJson: 3_000_000,
  /** Responses of a page that are remembered. */
  exchanges: 200,
  /** Bytes of all remembered responses, with the headers and bodies of their requests. */
  exchangeBytes: 16_000_000,
  /** Characters of the URL of a remembered response. */
  urlCharacters: 8_000,
  /** Characters of a file: of a record in base64, and of a HAR file. */
  fileCharacters: 64_000_000,
  harCharacters: 32_000_000,
  /** Visible characters of the page. */
  shown: 500_000,
  items: 1_000,
  pages: 20,
  /** Requests of one run: pages and the origins of tokens. */
  requests: 40,
  /** Requests that learning sends. */
  trials: 40,
  /** Characters of a recipe as JSON. */
  recipe: 65_536,
  /** Milliseconds of one request. */
  requestTime: 15_000,
  /** Milliseconds of learning from traffic that was received before. */
  learnTime: 120_000,
  /** Milliseconds of CPU time and megabytes of one task in a thread. */
  workTime: 10_000,
  workMegabytes: 512,
} as const

/** Returns why a recipe cannot be stored, or `undefined`. */
export function recipeProblem(recipe: Recipe): string | undefined {
  const { length } = JSON.stringify(recipe)
  if (length > limits.recipe) return `The recipe would have ${length} characters. The limit is ${limits.recipe}.`
  const path = recipeSchema.safeParse(recipe).error?.issues[0]?.path.slice(0, 3).join('.')
  return path === undefined ? undefined : `The request is too long or too large for a recipe: ${path.slice(0, 200)}.`
}

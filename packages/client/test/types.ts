// What programs may write with a client that knows its server, and what they may not. The compiler is the test: nothing here runs.
import { answers } from '@harvestman/answers'
import { createClient } from '@harvestman/client'
import { createEngine } from '@harvestman/core'
import { defineAction, defineFormat, definePlugin, markdown } from '@harvestman/core/plugin'
import { data } from '@harvestman/data'
import { deadLinks, links } from 'dead-links'
import { z } from 'zod'

// The compiler compares types exactly when it compares two generic functions.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only when the value has exactly this type. */
function is<Wanted>() {
  return <Given>(_value: Given, ..._same: Equal<Given, Wanted> extends true ? [] : [expected: Wanted]): void =>
    undefined
}

const price = defineFormat({
  type: 'price',
  options: z.object({ currency: z.string().length(1).default('€') }),
  value: z.object({ now: z.number().nullable() }),
  needs: { markdown },
  derive: async (): Promise<{ now: number | null }> => ({ now: 1 }),
})
const hover = defineAction({ type: 'hover', schema: z.object({ selector: z.string() }), run: async () => undefined })
const shop = definePlugin({ name: 'shop', formats: [price], actions: [hover] })
const engine = createEngine({ plugins: [shop] })

const client = createClient<typeof engine>({ url: 'http://localhost:3002' })
const plain = createClient({ url: 'http://localhost:3002' })
const url = 'https://example.com/'

export async function formatsOfPluginsAreTyped() {
  const word = await client.scrape({ url, formats: ['price', 'links'] })
  is<number | null>()(word.price.now)
  is<readonly string[]>()(word.links)
  is<number>()(word.metadata.statusCode)
  // @ts-expect-error it was not asked for
  void word.markdown
  const object = await client.scrape({ url, formats: [{ type: 'price', currency: '$' }] })
  is<number | null>()(object.price.now)
  is<string>()((await client.scrape({ url })).markdown)
  // @ts-expect-error a server without the plugin has no such format
  await plain.scrape({ url, formats: ['price'] })
}

export async function formatsThatAServerHasFromPackagesAreTypedWithoutItsEngine() {
  const formats = ['items', { type: 'product', evidence: true }, { type: 'dataset', name: 'lamps' }] as const
  const { items, product, dataset } = await plain.scrape({ url, formats })
  is<number | null>()(items.total)
  is<number | undefined>()(product?.variants[0]?.price?.amount)
  // @ts-expect-error a page may show no product
  void product.title
  is<number>()(dataset.added)
  const { revisit } = await plain.scrape({ url, formats: [{ type: 'revisit', since: '2026-11-01' }] })
  is<'new' | 'same' | 'changed' | 'removed'>()(revisit.status)
  await plain.crawl({ url, scrapeOptions: { formats: [{ type: 'items', pages: 5 }] } })
  await plain.scrape({ url, actions: [{ type: 'collect', limit: 500 }] })
  // @ts-expect-error the name of the dataset is missing
  await plain.scrape({ url, formats: [{ type: 'dataset' }] })
  // @ts-expect-error pages is a number
  await plain.scrape({ url, formats: [{ type: 'items', pages: 'all' }] })
}

const withData = createEngine({ plugins: [data(), shop] })
const ofData = createClient<typeof withData>({ url: 'http://localhost:3002' })

export async function formatsAndActionsOfThePluginDataAreTypedByTheEngineThatHasIt() {
  const formats = ['items', { type: 'product', evidence: true }, { type: 'dataset', name: 'lamps' }, 'price'] as const
  const { items, product, dataset, price } = await ofData.scrape({ url, formats })
  is<number | null>()(items.total)
  is<number | undefined>()(product?.variants[0]?.price?.amount)
  is<number>()(dataset.added)
  is<number | null>()(price.now)
  const crawl = await ofData.crawl({ url, scrapeOptions: { formats: ['menu', 'article'] } })
  for await (const { article, menu } of crawl.documents()) {
    is<string | undefined>()(article?.headline)
    is<boolean>()(menu === null)
  }
  const schema = { type: 'object', properties: { name: { type: 'string' } } }
  const answer = { name: 'Aurora' }
  const { lesson } = await ofData.scrape({ url, formats: [{ type: 'lesson', schema, answer }] })
  is<string | null | undefined>()(lesson?.extractor)
  await ofData.scrape({ url, actions: [{ type: 'collect', limit: 500 }], formats: [{ type: 'items', pages: 5 }] })
  // @ts-expect-error the answer is missing
  await ofData.scrape({ url, formats: [{ type: 'lesson', schema }] })
  // @ts-expect-error limit is a number
  await ofData.scrape({ url, actions: [{ type: 'collect', limit: 'all' }] })
  // @ts-expect-error no plugin of this server has such a format
  await ofData.scrape({ url, formats: ['prices'] })
}

export async function actionsOfPluginsAreTyped() {
  await client.scrape({ url, actions: [{ type: 'hover', selector: 'a' }] })
  // @ts-expect-error the selector is missing
  await client.scrape({ url, actions: [{ type: 'hover' }] })
  // @ts-expect-error a server without the plugin has no such action
  await plain.scrape({ url, actions: [{ type: 'hover', selector: 'a' }] })
}

export async function mistakesDoNotCompile() {
  // @ts-expect-error onlyMainContent
  await client.scrape({ url, onlyMainContnt: true })
  // @ts-expect-error price
  await client.scrape({ url, formats: ['prce'] })
  // @ts-expect-error currency
  await client.scrape({ url, formats: [{ type: 'price', currncy: '$' }] })
  // @ts-expect-error currency
  await client.crawl({ url, scrapeOptions: { formats: [{ type: 'price', currncy: '$' }] } })
  // @ts-expect-error fullPage, also without types of a server
  await plain.scrape({ url, formats: [{ type: 'screenshot', fullPge: true }] })
  // @ts-expect-error country
  await plain.scrape({ url, location: { contry: 'DE' } })
}

export async function jobsGiveTheDocumentsThatWereAskedFor() {
  const crawl = await client.crawl({ url, scrapeOptions: { formats: ['price'] } })
  for await (const document of crawl.documents()) is<number | null>()(document.price.now)
  const batch = await client.batch({ urls: [url], formats: ['markdown', 'price'] })
  for await (const event of batch.events()) if (event.type === 'page') is<number | null>()(event.document.price.now)
  const { web } = await client.search({ query: 'a', scrapeOptions: { formats: ['price'] } })
  is<number | null | undefined>()(web?.[0]?.price?.now)
  const parsed = await client.parse(new Uint8Array(), { formats: ['price'] })
  is<number | null>()(parsed.price.now)
  const found = await client.findScrape('id')
  is<number | null | undefined>()(found.price?.now)
}

export async function aListThatIsNoLiteralPromisesNothing(wanted: ('markdown' | 'price')[], one: 'markdown' | 'links') {
  const document = await client.scrape({ url, formats: wanted })
  is<string | undefined>()(document.markdown)
  is<number | null | undefined>()(document.price?.now)
  const either = await client.scrape({ url, formats: [one, 'price'] })
  is<string | undefined>()(either.markdown)
  is<number | null>()(either.price.now)
}

const counting = createEngine({ plugins: [shop, links, answers] })
const working = createClient<typeof counting>({ url: 'http://localhost:3002' })

export async function kindsOfPluginsAreTypedByTheirName() {
  const { data } = await (await working.start('dead_links', { url, limit: 5 })).end()
  is<string | undefined>()(data?.report)
  const { data: again } = await working.find('dead_links', 'id').status()
  is<string | undefined>()(again?.report)
  await working.start(deadLinks, { url })
  await working.start('extract', { urls: [url], prompt: 'The price' })
  is<string | undefined>()((await (await working.start('llmstxt', { url })).end()).data?.llmstxt)
  // @ts-expect-error there is no such kind
  await working.start('live_links', { url })
  // @ts-expect-error limit is a number
  await working.start('dead_links', { url, limit: '2' })
  // @ts-expect-error an engine without the plugin has no such kind
  await client.start('dead_links', { url, limit: 'x' })
  // Without types of a server, the kind itself brings them.
  const job = await plain.start<typeof deadLinks>('dead_links', { url })
  is<string | undefined>()((await job.end()).data?.report)
}

// What answers are typed by: the schema, or the formats, that stands in the request. The compiler is the test.
import { createEngine, type Engine } from '@harvestman/core'
import { defineFormat, definePlugin } from '@harvestman/core/plugin'
import { z } from 'zod'

// The compiler compares types exactly when it compares two generic functions.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only when the value has exactly this type. */
function is<Wanted>() {
  return <Given>(_value: Given, ..._same: Equal<Given, Wanted> extends true ? [] : [expected: Wanted]): void =>
    undefined
}

const url = 'https://example.com/'
const engine = createEngine()
const product = z.object({
  name: z.string().trim(),
  tags: z.array(z.string()).default([]),
  at: z.string().transform(Number),
})
interface Product {
  name: string
  tags: string[]
  at: number
}

export async function aFormatThatNeedsOptionsIsNoBareWord() {
  // @ts-expect-error a schema or a prompt is needed
  await engine.scrape({ url, formats: ['json'] })
  // @ts-expect-error and as an object too
  await engine.scrape({ url, formats: [{ type: 'json' }] })
  // @ts-expect-error selectors are needed
  await engine.scrape({ url, formats: ['attributes'] })
  // @ts-expect-error a question is needed
  await engine.scrape({ url, formats: ['question'] })
  // @ts-expect-error what is to be found is needed
  await engine.scrape({ url, formats: ['highlights'] })
  // @ts-expect-error the same holds for the pages of a crawl
  await engine.crawl({ url, scrapeOptions: { formats: ['json'] } })
  // @ts-expect-error of a batch
  await engine.batch({ urls: [url], formats: ['json'] })
  // @ts-expect-error and of a search
  await engine.search({ query: 'x', scrapeOptions: { formats: ['json'] } })
  await engine.scrape({ url, formats: [{ type: 'json', prompt: 'The price' }, 'summary', 'screenshot', 'markdown'] })
}

const dear = defineFormat({
  type: 'dear',
  options: z.object({ above: z.number() }),
  needs: {},
  derive: () => true,
})
const either = defineFormat({
  type: 'either',
  options: z.object({ a: z.number().optional(), b: z.string().optional() }),
  oneOf: ['a', 'b'],
  needs: {},
  derive: () => 1,
})

export async function formatsOfPluginsAreHeldToTheSame() {
  const own = createEngine({ plugins: [definePlugin({ name: 'own', formats: [dear, either] })] })
  // @ts-expect-error above is needed
  await own.scrape({ url, formats: ['dear'] })
  // @ts-expect-error a or b is needed
  await own.scrape({ url, formats: ['either'] })
  // @ts-expect-error a or b is needed
  await own.scrape({ url, formats: [{ type: 'either' }] })
  is<number>()((await own.scrape({ url, formats: [{ type: 'either', b: 'x' }] })).either)
  is<boolean>()((await own.scrape({ url, formats: [{ type: 'dear', above: 1 }] })).dear)
}

export async function aDocumentHasWhatTheSchemaGives() {
  is<Product>()((await engine.scrape({ url, formats: [{ type: 'json', schema: product }] })).json)
  const batch = await engine.batch({ urls: [url], formats: [{ type: 'json', schema: product }] })
  for await (const { json } of batch.documents()) is<Product>()(json)
}

export async function jobsThatAreFoundAgainAreTypedByWhatTheyWereAskedFor(some: Engine) {
  const job = await engine.jobs.find('id', { team: 'a', formats: ['markdown', { type: 'json', schema: product }] })
  for await (const { markdown, json } of job.documents()) {
    is<string>()(markdown)
    is<Product>()(json)
  }
  for await (const event of job.events()) if (event.type === 'page') is<Product>()(event.document.json)
  for await (const document of (await engine.jobs.findCrawl('id', { formats: ['links'] })).documents()) {
    is<readonly string[]>()(document.links)
    // @ts-expect-error it was not asked for
    void document.markdown
  }
  // @ts-expect-error markdown
  await engine.jobs.find('id', { formats: ['markdwn'] })
  for await (const document of (await some.jobs.find('id')).documents()) is<unknown>()(document['markdown'])
}

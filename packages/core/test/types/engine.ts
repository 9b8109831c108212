// What programs may write, and what they may not. The compiler is the test: nothing here runs.
// It is checked with the sources, and by each TypeScript that we name against the packed declarations.
import {
  createEngine,
  type Engine,
  type JobErrors,
  type JobEvent,
  type JobStatus,
  type MapResult,
} from '@harvestman/core'
import { defineAction, defineFeature, defineFormat, definePlugin, markdown } from '@harvestman/core/plugin'
import type { Json } from '@harvestman/ports'
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

export async function aDocumentHasWhatWasAskedFor() {
  const plain = await engine.scrape({ url })
  is<string>()(plain.markdown)
  is<number>()(plain.metadata.statusCode)
  // @ts-expect-error it was not asked for
  void plain.html

  const two = await engine.scrape({ url, formats: ['html', 'links'] })
  is<string>()(two.html)
  is<readonly string[]>()(two.links)
  // @ts-expect-error Markdown is there only when it was asked for, once there is a list
  void two.markdown

  const objects = await engine.scrape({
    url,
    formats: [{ type: 'markdown' }, { type: 'screenshot', fullPage: true, viewport: { width: 1, height: 1 } }],
  })
  is<string>()(objects.markdown)
  is<string>()(objects.screenshot)

  const alias = await engine.scrape({ url, formats: ['screenshot@fullPage'] })
  is<string>()(alias.screenshot)

  const none = await engine.scrape({ url, formats: [] })
  // @ts-expect-error an empty list asks for metadata alone
  void none.markdown
}

export async function aListThatIsNoLiteralPromisesNothing(wanted: ('markdown' | 'html')[], one: 'markdown' | 'links') {
  const document = await engine.scrape({ url, formats: wanted })
  is<string | undefined>()(document.markdown)
  is<string | undefined>()(document.html)
  // @ts-expect-error it cannot have been asked for
  void document.links

  const either = await engine.scrape({ url, formats: [one, 'html'] })
  is<string | undefined>()(either.markdown)
  is<string>()(either.html)
}

export async function typosDoNotCompile() {
  // @ts-expect-error onlyMainContent
  await engine.scrape({ url, onlyMainContnt: true })
  // @ts-expect-error markdown
  await engine.scrape({ url, formats: ['markdwn'] })
  // @ts-expect-error screenshot@fullPage
  await engine.scrape({ url, formats: ['screenshot@fulPage'] })
  // @ts-expect-error fullPage
  await engine.scrape({ url, formats: [{ type: 'screenshot', fullPge: true }] })
  // @ts-expect-error height
  await engine.scrape({ url, formats: [{ type: 'screenshot', viewport: { width: 1, height: 1, hight: 1 } }] })
  // @ts-expect-error selectors are needed
  await engine.scrape({ url, formats: [{ type: 'attributes' }] })
  // @ts-expect-error attribute
  await engine.scrape({ url, formats: [{ type: 'attributes', selectors: [{ selector: 'a', attribut: 'href' }] }] })
  // @ts-expect-error country
  await engine.scrape({ url, location: { contry: 'DE' } })
  // @ts-expect-error all
  await engine.scrape({ url, actions: [{ type: 'click', selector: 'a', al: true }] })
  // @ts-expect-error click
  await engine.scrape({ url, actions: [{ type: 'clik', selector: 'a' }] })
  // @ts-expect-error limit
  await engine.crawl({ url, limt: 1 })
  // @ts-expect-error onlyMainContent
  await engine.crawl({ url, scrapeOptions: { onlyMainContnt: true } })
  // @ts-expect-error fullPage
  await engine.crawl({ url, scrapeOptions: { formats: [{ type: 'screenshot', fullPge: true }] } })
  // @ts-expect-error all
  await engine.crawl({ url, scrapeOptions: { actions: [{ type: 'click', selector: 'a', al: true }] } })
  // @ts-expect-error events
  await engine.crawl({ url, webhook: { url, event: ['page'] } })
  // @ts-expect-error page
  await engine.crawl({ url, webhook: { url, events: ['pages'] } })
  // @ts-expect-error urls
  await engine.batch({ url })
  // @ts-expect-error mobile
  await engine.batch({ urls: [url], mobil: true })
  // @ts-expect-error search
  await engine.map({ url, serch: 'a' })
  // @ts-expect-error concurrency
  createEngine({ limits: { concurency: 1 } })
}

export async function partsWithoutOptionsMayBeObjects() {
  await engine.scrape({ url, formats: [{ type: 'markdown' }, { type: 'html' }], actions: [{ type: 'scrape' }] })
}

export async function readOnlyListsAreTaken(tags: readonly string[]) {
  const formats = ['markdown', { type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] }] as const
  const document = await engine.scrape({ url, includeTags: tags, formats })
  is<string>()(document.markdown)
  is<string[]>()(document.attributes.map(({ attribute }) => attribute))
}

export async function jobsGiveTheDocumentsThatWereAskedFor() {
  const crawl = await engine.crawl({ url, limit: 5, scrapeOptions: { formats: ['markdown', 'links'] } })
  for await (const { markdown, links, metadata } of crawl.documents()) {
    is<string>()(markdown)
    is<readonly string[]>()(links)
    is<string | undefined>()(metadata.title)
  }
  for await (const { markdown } of (await engine.crawl({ url })).documents()) is<string>()(markdown)
  const batch = await engine.batch({ urls: [url], formats: ['html'] })
  is<readonly string[] | undefined>()(batch.invalidURLs)
  for await (const { html } of batch.documents()) is<string>()(html)
  is<JobStatus>()(await batch.status())
  is<JobErrors>()(await batch.errors())
  is<MapResult>()(await engine.map({ url, search: 'bees' }))
}

export async function eventsAreToldApartByTheirType() {
  const crawl = await engine.crawl({ url, scrapeOptions: { formats: ['rawHtml'] } })
  for await (const event of crawl.events()) {
    switch (event.type) {
      case 'started':
        // @ts-expect-error only pages have one
        void event.document
        break
      case 'page':
        is<string>()(event.document.rawHtml)
        break
      case 'failed page':
        is<string>()(event.error.url)
        break
      case 'completed':
      case 'failed':
      case 'cancelled':
        is<JobStatus>()(event.status)
        break
      default:
        is<never>()(event)
    }
  }
}

export async function aSchemaOfALibraryTypesTheResult() {
  const product = z.object({ name: z.string(), price: z.number().optional() })
  const { json } = await engine.scrape({ url, formats: [{ type: 'json', schema: product }] })
  is<{ name: string; price?: number | undefined }>()(json)
  const plain = await engine.scrape({ url, formats: [{ type: 'json', schema: { type: 'object' } }, 'markdown'] })
  is<Json>()(plain.json)
  const crawl = await engine.crawl({ url, scrapeOptions: { formats: [{ type: 'json', schema: product }] } })
  for await (const { json: found } of crawl.documents()) is<string>()(found.name)
  // @ts-expect-error prompt
  await engine.scrape({ url, formats: [{ type: 'json', schema: product, promt: 'x' }] })
}

export async function actionsBringWhatTheyAreKnownToBring() {
  const { actions } = await engine.scrape({ url, actions: [{ type: 'screenshot' }, { type: 'scrape' }] })
  is<readonly string[] | undefined>()(actions?.screenshots)
  is<string | undefined>()(actions?.scrapes?.[0]?.html)
  // @ts-expect-error no action of this engine brings it
  void actions?.counts
}

const shout = defineFormat({
  type: 'shout',
  options: z.object({ marks: z.int().default(1), tone: z.object({ loud: z.boolean().optional() }).optional() }),
  aliases: { 'shout@loud': { marks: 9 } },
  needs: { markdown },
  derive: ({ markdown }) => ({ text: markdown, marks: 1 }),
})
const ownMarkdown = defineFormat({ type: 'markdown', needs: {}, derive: () => ({ blocks: 1 }) })
const count = defineAction({
  type: 'count',
  schema: z.object({ selector: z.string() }),
  run: async () => ({ into: 'counts', value: Number('1') }),
})
const withPlugin = createEngine({ plugins: [definePlugin({ name: 'shouting', formats: [shout], actions: [count] })] })

export async function partsOfPluginsAreTypedLikeOurs() {
  const document = await withPlugin.scrape({
    url,
    formats: ['markdown', { type: 'shout', marks: 2 }],
    actions: [{ type: 'count', selector: 'li' }, { type: 'scrape' }],
  })
  is<string>()(document.markdown)
  is<{ text: string; marks: number }>()(document.shout)
  is<readonly number[] | undefined>()(document.actions?.counts)
  is<readonly string[] | undefined>()(document.actions?.pdfs)
  is<string>()((await withPlugin.scrape({ url, formats: ['shout@loud'] })).shout.text)
  for await (const { shout } of (await withPlugin.batch({ urls: [url], formats: ['shout'] })).documents()) {
    is<string>()(shout.text)
  }
  // @ts-expect-error marks
  await withPlugin.scrape({ url, formats: [{ type: 'shout', mark: 2 }] })
  // @ts-expect-error loud
  await withPlugin.scrape({ url, formats: [{ type: 'shout', tone: { lowd: true } }] })
  // @ts-expect-error shout@loud
  await withPlugin.scrape({ url, formats: ['shout@laud'] })
  // @ts-expect-error the engine without the plugin knows no such format
  await engine.scrape({ url, formats: ['shout'] })
  // @ts-expect-error the engine without the plugin knows no such action
  await engine.scrape({ url, actions: [{ type: 'count', selector: 'li' }] })
}

export async function aFormatOfAPluginStandsInPlaceOfOurs() {
  const own = createEngine({ plugins: [definePlugin({ name: 'own', formats: [ownMarkdown] })] })
  is<{ blocks: number }>()((await own.scrape({ url })).markdown)
}

export async function anyEngineIsAnEngine() {
  const scrapeOne = async (some: Engine): Promise<string> => (await some.scrape({ url })).markdown
  await scrapeOne(engine)
  await scrapeOne(withPlugin)
  const loaders = createEngine({ plugins: [definePlugin({ name: 'loaders', loaders: [] })] })
  // @ts-expect-error a plugin without formats adds none
  await loaders.scrape({ url, formats: ['anything'] })
}

export async function requestsFromElsewhereAreTakenByTheirTwins(input: unknown) {
  // @ts-expect-error it may be anything
  await engine.scrape(input)
  is<unknown>()((await engine.unchecked.scrape(input))['markdown'])
  for await (const document of (await engine.unchecked.crawl(input)).documents()) is<unknown>()(document['markdown'])
  await engine.unchecked.batch(input)
  is<MapResult>()(await engine.unchecked.map(input))
  const job = await engine.jobs.find('id')
  for await (const event of job.events()) is<JobEvent>()(event)
}

const notes = definePlugin({
  name: 'notes',
  features: [
    defineFeature({
      name: 'notes',
      open: ({ store }) => ({ read: async (name: string) => ({ name, text: await store.get(name) }) }),
      close: ({ read }) => is<string>()(read.name),
    }),
  ],
})

export async function aFeatureIsAPropertyOfEnginesWithItsPlugin() {
  const own = createEngine({ plugins: [notes] })
  is<string>()((await own.notes.read('one')).name)
  // @ts-expect-error it takes no numbers
  await own.notes.read(1)
  // @ts-expect-error no plugin of this engine brings it
  void engine.notes
  const any: Engine = own
  // @ts-expect-error of any engine it is not known
  void any.notes
  const asked = async (some: Engine<readonly [typeof notes]>): Promise<unknown> => some.notes.read('one')
  await asked(own)
  // @ts-expect-error this one has no notes
  await asked(engine)
}

import { createEngine, type Engine } from '@harvestman/core'
import { defineAction, defineFormat, definePlugin, markdown, title } from '@harvestman/core/plugin'
import { z } from 'zod'

const headline = defineFormat({
  type: 'headline',
  options: z.object({ upperCase: z.boolean().default(false) }),
  needs: { title, markdown },
  derive: ({ title, markdown }, { options }) => ({
    text: options.upperCase ? title.toUpperCase() : title,
    words: markdown.split(/\s+/).length,
  }),
})

const measure = defineAction({
  type: 'measure',
  schema: z.object({ script: z.string() }),
  run: async (tab, { script }, { signal }) => ({ into: 'measures', value: Number(await tab.evaluate(script, signal)) }),
})

const news = definePlugin({ name: 'news', formats: [headline], actions: [measure] })

export interface Report {
  readonly addresses: readonly string[]
  readonly headlines: readonly string[]
  readonly longest: number
  readonly failures: readonly string[]
  readonly links: number
}

/** Maps a site, crawls it, and loads some pages again. No value is cast, and misspelled options do not compile. */
export async function report(site: string, allowPrivate: readonly string[] = []): Promise<Report> {
  const engine = createEngine({ allowPrivate, plugins: [news] })
  try {
    const { links } = await engine.map({ url: site, limit: 100 })
    const addresses = links.map(({ url }) => url)

    const crawl = await engine.crawl({
      url: site,
      limit: 20,
      scrapeOptions: { formats: ['markdown', { type: 'headline', upperCase: true }] },
    })
    let longest = 0
    const headlines: string[] = []
    for await (const { headline, markdown } of crawl.documents()) {
      headlines.push(headline.text)
      longest = Math.max(longest, markdown.length)
    }

    return { addresses, headlines, longest, ...(await loadAgain(engine, addresses)) }
  } finally {
    await engine.close()
  }
}

/** Accepts any engine: an engine with plugins is an `Engine` too. */
async function loadAgain(engine: Engine, urls: readonly string[]): Promise<Pick<Report, 'failures' | 'links'>> {
  const failures: string[] = []
  let links = 0
  const batch = await engine.batch({ urls, ignoreInvalidURLs: true, formats: ['links'] })
  for await (const event of batch.events()) {
    switch (event.type) {
      case 'page':
        links += event.document.links.length
        break
      case 'failed page':
        failures.push(`${event.error.url}: ${event.error.code}`)
        break
      case 'completed':
        console.error(`${event.status.completed} of ${event.status.total} pages were loaded.`)
        break
      default:
    }
  }
  return { failures, links }
}

/** With formats that are known only at run time, the type of each value includes `undefined`. */
export async function textOf(engine: Engine, url: string, formats: ('markdown' | 'rawHtml')[]): Promise<string> {
  const { markdown, rawHtml } = await engine.scrape({ url, formats })
  return markdown ?? rawHtml ?? ''
}

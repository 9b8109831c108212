import { EngineError } from '@harvestman/core'
import {
  defineJob,
  definePlugin,
  jobOptions,
  priceOfPages,
  webUrl,
  type JobWork,
  type KeptStep,
} from '@harvestman/core/plugin'
import { z } from 'zod'

const tried = z.object({
  url: z.string(),
  why: z.string().optional().describe('Why the link is dead; absent for a link that works.'),
})
type Tried = z.output<typeof tried>

/** Finds the dead links of a page. */
export const deadLinks = defineJob({
  kind: 'dead_links',
  title: 'Dead links',
  description: 'Finds the dead links of a page.',
  request: z.strictObject({
    url: webUrl.meta({ title: 'URL', description: 'The page whose links are checked.' }),
    limit: z
      .int()
      .min(1)
      .max(100)
      .meta({ title: 'Links', description: 'Maximum number of links to check.' })
      .default(20),
    ...jobOptions,
  }),
  answer: z.object({
    report: z.string().meta({ contentMediaType: 'text/markdown' }),
    dead: z.array(tried),
  }),
  example: { url: 'https://example.com/', limit: 10 },
  about: 'url',
  progress: {
    schema: z.object({ tried: z.array(tried) }),
    of: (steps: readonly KeptStep<Tried>[]) => ({ tried: steps.map(({ step }) => step) }),
    lines: ({ tried }) => tried.map(({ url, why = 'works' }) => `${url}  ${why}`),
  },
  command: { print: ({ report }) => report },
  price: ({ limit, maxCredits }, { page }) => priceOfPages(page(), { least: 1, most: limit + 1, maxCredits }, 'pages'),
  run: async ({ url, limit, maxCredits = Infinity }, work: JobWork<Tried>) => {
    const { links } = await work.scrape(url)
    const pages = [...new Set(links.map((link) => link.replace(/#.*$/, '')))].filter((link) => /^https?:/.test(link))
    const most = Math.min(limit, maxCredits - 1)
    // If a worker ends, the next one continues after the links that were checked.
    const known = work.steps.map(({ step }) => step)
    for (const link of pages.slice(known.length, most)) {
      const why = await whyDead(link, work)
      const step = { url: link, ...(why !== undefined && { why }) }
      await work.keep(step)
      known.push(step)
    }
    const dead = known.filter(({ why }) => why !== undefined)
    const lines = dead.map(({ url, why }) => `- ${url} (${why})`)
    return { dead, report: [`${dead.length} of ${known.length} links are dead.`, ...lines].join('\n') }
  },
})

const gone: ReadonlySet<string> = new Set(['dns_failed', 'connection_failed', 'tls_failed', 'too_many_redirects'])

async function whyDead(url: string, { scrape, signal }: JobWork<Tried>): Promise<string | undefined> {
  try {
    const { statusCode } = (await scrape(url)).metadata
    return statusCode >= 400 ? `status ${statusCode}` : undefined
  } catch (error) {
    signal.throwIfAborted()
    if (!EngineError.is(error) || error.code === 'insufficient_credits') throw error
    return gone.has(error.code) ? error.message : undefined
  }
}

export const links = definePlugin({ name: 'links', jobs: [deadLinks] })

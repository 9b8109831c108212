import { citation, compareCitations, defineJob, priceOfPages, type JobWork } from '@harvestman/core/plugin'
import { EngineError, publicMessage } from '@harvestman/ports'
import { mapAtMost } from '@harvestman/toolbox/map-at-most'
import { z } from 'zod'

import { buildVerifySchema, pagesOf, type VerifyRequest } from './request.ts'

const verdict = z.object({
  url: z.string(),
  quote: z.string(),
  status: z
    .enum(['unchanged', 'moved', 'changed', 'gone', 'unreachable'])
    .describe('`moved`: the page has the quote in another place. `changed`: it has only a similar passage.'),
  now: citation.optional().describe('The passage on the page now. Absent if it is gone or the page is unreachable.'),
  reason: z.string().optional().describe('Why the page is unreachable, or that the whole page is gone.'),
})

type Verdict = z.output<typeof verdict>

/** Stored when a page is checked: the verdicts on its citations. */
interface VerifyNote {
  readonly page: string
  readonly verdicts: readonly Pick<Verdict, 'status' | 'now' | 'reason'>[]
}

const pagesAtOnce = 3
// A cached copy would be compared with itself.
const present = { maxAge: 0, minAge: undefined, lockdown: false } as const
const goneStatuses = new Set([404, 410])

/** Checks whether the pages of citations still have the quotes. */
export const verify = defineJob({
  kind: 'verify',
  description: 'Checks whether pages still have the passages that results cite.',
  request: buildVerifySchema,
  answer: z.object({ citations: z.array(verdict).describe('The verdicts, in the order of the request.') }),
  example: { citations: [{ url: 'https://example.com/', quote: 'It costs EUR 12.', start: 40, end: 56 }] },
  about: 'citations',
  target: ({ citations }) => citations[0]?.url ?? '',
  command: {
    examples: ['citations.json', 'citations.json --json'],
    print: ({ citations }) => citations.map(lineOf).join('\n'),
  },
  price: ({ citations, scrapeOptions, maxCredits }, { page }) => {
    const most = pagesOf(citations).size
    return priceOfPages(page({ ...scrapeOptions, formats: ['markdown'] }), { least: 1, most, maxCredits }, 'pages')
  },
  run: async (request: VerifyRequest, work: JobWork<VerifyNote>) => {
    const { citations } = request
    const known = new Map(work.steps.map(({ step }) => [step.page, step.verdicts]))
    const verdicts: Verdict[] = []
    await mapAtMost([...pagesOf(citations)], pagesAtOnce, async ([page, indexes]) => {
      const found = known.get(page) ?? (await checkPage(page, indexes, request, work))
      for (const [at, index] of indexes.entries()) {
        const { url = page, quote = '' } = citations[index] ?? {}
        verdicts[index] = { status: 'gone', ...found[at], url, quote }
      }
    })
    return { citations: verdicts }
  },
})

/** Loads a page and compares its citations. A page that cannot be loaded has the verdict `unreachable`. */
async function checkPage(
  page: string,
  indexes: readonly number[],
  { citations, scrapeOptions }: VerifyRequest,
  work: JobWork<VerifyNote>,
): Promise<VerifyNote['verdicts']> {
  const quoted = indexes.flatMap((index) => citations[index] ?? [])
  const forAll = (one: VerifyNote['verdicts'][number]): VerifyNote['verdicts'] => quoted.map(() => one)
  const check = async (): Promise<VerifyNote['verdicts']> => {
    const loaded = await work.scrape(page, { page: { ...scrapeOptions, ...present }, withBlocks: true })
    const { statusCode } = loaded.metadata
    const reason = `The page has the status ${statusCode}.`
    if (goneStatuses.has(statusCode)) return forAll({ status: 'gone', reason })
    if (statusCode >= 400) return forAll({ status: 'unreachable', reason })
    return compareCitations(quoted, loaded, work.signal)
  }
  const verdicts = await check().catch((error: unknown) => {
    work.signal.throwIfAborted()
    if (!EngineError.is(error) || error.code === 'insufficient_credits') throw error
    return forAll({ status: 'unreachable', reason: publicMessage(error) })
  })
  await work.keep({ page, verdicts })
  return verdicts
}

function lineOf({ status, url, quote, now, reason }: Verdict): string {
  const present = status === 'changed' && now ? `\n  now: ${now.quote}` : ''
  return `${status}  ${now?.link ?? url}  ${quote}${present}${reason === undefined ? '' : `\n  ${reason}`}`
}

import { citation, jobOptions, maxQuote, webUrl, type PageOptionsSchema } from '@harvestman/core/plugin'
import { z } from 'zod'

export const limits = { citations: 500, pages: 100 } as const

const given = citation
  .extend({
    url: webUrl.describe('The URL of the page.'),
    quote: z.string().min(1).max(maxQuote).describe('The passage: whole sentences, as in `claims`.'),
  })
  .partial({ link: true, chunk: true, hash: true })
  .strict()

/** Builds the request schema of a check of citations, with the page options of the engine. */
export function buildVerifySchema(page: PageOptionsSchema) {
  return z
    .strictObject({
      citations: z
        .array(given)
        .min(1)
        .max(limits.citations)
        .meta({ title: 'Citations', description: 'The citations to check, from `claims` of results.', order: 0 }),
      scrapeOptions: page
        .meta({
          title: 'Options of each page',
          description:
            'The scrape options with which the pages were read, without `url`. Other options change the text.',
        })
        .prefault({}),
      ...jobOptions,
    })
    .meta({ forModels: false })
    .superRefine(({ citations }, context) => {
      const count = pagesOf(citations).size
      if (count <= limits.pages) return
      const message = `are of ${count} pages. Check at most ${limits.pages} pages at once.`
      context.addIssue({ code: 'custom', path: ['citations'], message })
    })
}

export type VerifyRequest = z.output<ReturnType<typeof buildVerifySchema>>

/** Returns the indexes of the citations of each page. */
export function pagesOf(citations: readonly { readonly url: string }[]): ReadonlyMap<string, readonly number[]> {
  const pages = new Map<string, number[]>()
  for (const [index, { url }] of citations.entries()) {
    const page = url.replace(/#.*$/s, '')
    pages.set(page, [...(pages.get(page) ?? []), index])
  }
  return pages
}

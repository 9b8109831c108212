import { EngineError } from '@harvestman/ports'
import {
  askForText,
  defineJob,
  llmPort,
  priceOfPages,
  tariff,
  type LLM,
  type LoadedPage,
} from '@harvestman/core/plugin'
import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { request } from './request.ts'
import { describePage, buildLlmsTxt } from './text.ts'

const copiesOf = 2 * 86_400_000
const markdown = { contentMediaType: 'text/markdown' } as const

/** Generates an llms.txt for a site: its pages with one sentence each and, on request, their full Markdown. */
export const llmsTxt = defineJob({
  kind: 'llmstxt',
  title: 'llms.txt',
  description: 'Generates an llms.txt of a site: its pages, with one sentence about each.',
  request,
  answer: z.object({
    llmstxt: z.string().meta(markdown),
    llmsfulltxt: z.string().meta(markdown).optional(),
  }),
  example: { url: 'https://example.com/', maxUrls: 10 },
  about: 'url',
  uses: { llm: llmPort },
  endpoints: [endpoint],
  command: {
    flags: { maxUrls: '-l, --limit', showFullText: '--full', cache: '--fresh' },
    examples: ['https://example.com --limit 50 -o llms.txt', 'https://example.com --full'],
    print: ({ llmstxt, llmsfulltxt = llmstxt }, { showFullText }) => (showFullText ? llmsfulltxt : llmstxt).trimEnd(),
  },
  price: ({ maxUrls, maxCredits }, { page, has }) => {
    const each = page()
    const described = {
      what: 'A sentence by the model, for pages without a description',
      min: 0,
      max: tariff.modelFormat,
    }
    const most = each.max === undefined ? {} : { max: each.max + (has('llm') ? tariff.modelFormat : 0) }
    const reasons = has('llm') ? [...each.reasons, described] : each.reasons
    const expected = each.expected === undefined ? {} : { expected: each.expected }
    return priceOfPages(
      { min: each.min, ...expected, ...most, reasons },
      { least: 1, most: maxUrls, maxCredits },
      'pages',
    )
  },
  visits: {
    urls: async ({ url, maxUrls }, site) => [...new Set([url, ...(await site.urls(url, maxUrls))])].slice(0, maxUrls),
    page: ({ cache }) => ({ formats: ['markdown'], ...(cache && { maxAge: copiesOf }) }),
    read: async (page, { request: { showFullText }, ports: { llm }, signal, pay }) => {
      const described = describePage(page.metadata, page.markdown)
      const description = described.description || (await ask(llm, page, { pay, signal }))
      return { ...described, description, place: page.place, ...(showFullText && { text: page.markdown }) }
    },
    // Error pages are skipped.
    join: (pages, request) =>
      buildLlmsTxt(
        pages.flatMap(({ statusCode, value }) => (statusCode < 400 ? [value] : [])),
        request,
      ),
  },
})

const task = 'Say in one sentence of at most 25 words, in the language of the page, what the page is about.'

interface AskPart {
  pay<Result>(credits: number, work: () => Promise<Result>, price: (result: Result) => number): Promise<Result>
  readonly signal: AbortSignal
}

/**
 * Asks the model to describe a page in one sentence. Returns an empty string without a model, or if the call fails or cannot be
 * paid. Costs as much as any other model format.
 */
async function ask(llm: LLM | undefined, { url, markdown }: LoadedPage, { pay, signal }: AskPart): Promise<string> {
  if (!llm || markdown.trim() === '') return ''
  const llmContext = { llm, signal, use: () => undefined, warn: () => undefined }
  const say = async (): Promise<string> => {
    const answer = await askForText(llmContext, { task, page: { url, text: markdown.slice(0, 12_000) } }, task)
    return answer.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
  }
  try {
    return await pay(tariff.modelFormat, say, (sentence) => (sentence === '' ? 0 : tariff.modelFormat))
  } catch (error) {
    signal.throwIfAborted()
    if (!EngineError.is(error)) throw error
    return ''
  }
}

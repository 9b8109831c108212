import { z } from 'zod'

import { webUrl } from './scrape.ts'

export const crawlPrompt = z
  .string()
  .trim()
  .max(10_000)
  .describe('What to crawl, in plain language. An empty prompt is ignored.')

/** Request to plan a crawl from a prompt. */
export const crawlPlanSchema = z.strictObject({ url: webUrl, prompt: crawlPrompt })

export type CrawlPlanRequest = z.output<typeof crawlPlanSchema>

/** Input of a request to plan a crawl. */
export type CrawlPlanInput = Readonly<z.input<typeof crawlPlanSchema>>

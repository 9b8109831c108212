import { z } from 'zod'

import { webUrl } from './scrape.ts'

export const crawlPrompt = z
  .string()
  .trim()
  .max(10_000)
  .describe('What the crawl is for, in your words. An empty prompt is no prompt.')

/** A crawl that is to be planned. */
export const crawlPlanSchema = z.strictObject({ url: webUrl, prompt: crawlPrompt })

export type CrawlPlanRequest = z.output<typeof crawlPlanSchema>

/** A crawl in words, as it is asked for. */
export type CrawlPlanInput = Readonly<z.input<typeof crawlPlanSchema>>

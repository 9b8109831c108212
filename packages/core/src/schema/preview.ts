import { z } from 'zod'

import { webUrl } from './scrape.ts'

export const crawlPrompt = z.string().trim().min(1).max(10_000).describe('What the crawl is for, in your words.')

/** A crawl that is to be planned. */
export const previewSchema = z.strictObject({ url: webUrl, prompt: crawlPrompt })

export type PreviewRequest = z.output<typeof previewSchema>

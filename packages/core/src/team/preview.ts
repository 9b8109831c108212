// The price of a request, as JSON.
import { z } from 'zod'

import type { Preview } from '../plugin/price.ts'

/** A request whose price is computed. */
export const previewRequestSchema = z.strictObject({
  kind: z
    .string()
    .max(100)
    .describe('The operation: `scrape`, `crawl`, `batch`, `map`, `search`, or the name of a kind of job.'),
  request: z.looseObject({}).describe('The body of the request to its endpoint.'),
})

const reason = { what: z.string(), min: z.number(), expected: z.number().optional(), max: z.number().nullable() }

/** The price of a request. */
export const pricePreviewSchema = z
  .object({
    min: z.number().describe('The lowest price of a success. Failures are free.'),
    expected: z
      .number()
      .optional()
      .describe('The price of ordinary web pages without retries, for crawls up to the limit. Absent if unknown.'),
    max: z.number().nullable().describe('The highest price. `null` if there is no limit.'),
    reasons: z
      .array(z.object(reason))
      .describe('The parts of the price. If there are several pages, those of one page.'),
  })
  .meta({ id: 'PricePreview', description: 'The price of a request before it is made.' })

type Bounds = Pick<Preview, 'min' | 'expected' | 'max'>

/** Converts a missing limit to null, because JSON has no infinity. */
function bounds({ min, expected, max }: Bounds): { min: number; expected?: number; max: number | null } {
  return { min, ...(expected !== undefined && { expected }), max: max ?? null }
}

/** Converts a price in credits to the JSON of a response. A missing `max` becomes `null`: the price has no limit. */
export function showPreview({ reasons, ...price }: Preview): z.input<typeof pricePreviewSchema> {
  return { ...bounds(price), reasons: reasons.map(({ what, ...part }) => ({ what, ...bounds(part) })) }
}

// Schemas of feedback, in the shape of the public API.
import { z } from 'zod'

const maxMetadata = 8_192

const code = z
  .string()
  .max(80)
  .regex(/^[a-z0-9_-]+$/)
const strings = <Item extends z.ZodType>(item: Item, most: number) => z.array(item).max(most).optional()

const ofSearch = {
  rating: z.enum(['good', 'partial', 'bad']).meta({ title: 'Rating', description: 'How useful the result was.' }),
  valuableSources: strings(
    z.strictObject({
      url: z.url({ protocol: /^https?$/ }).max(2_048),
      reason: z.string().max(1_000).optional(),
    }),
    50,
  ).meta({ title: 'Valuable sources', description: 'The results that helped.' }),
  missingContent: strings(
    z.strictObject({ topic: z.string().min(1).max(200), description: z.string().max(2_000).optional() }),
    50,
  ).meta({ title: 'Missing content', description: 'Topics that the result lacked.' }),
  querySuggestions: z
    .string()
    .max(2_000)
    .meta({ title: 'Better query', description: 'How the query should have been.' })
    .optional(),
}

/** The feedback on a search. */
export const searchFeedback = z.strictObject(ofSearch)

/** The feedback on a request. */
export const feedback = z.strictObject({
  endpoint: z
    .enum(['search', 'scrape', 'parse', 'map'])
    .meta({ title: 'Endpoint', description: 'The endpoint of the request.' }),
  jobId: z.guid().toLowerCase().meta({ title: 'Id', description: 'The id of its result.' }),
  ...ofSearch,
  issues: strings(code, 20).meta({
    title: 'Problems',
    description: 'Short names of problems, such as `missing_table`.',
  }),
  tags: strings(code, 20).meta({ title: 'Tags', description: 'Names to find the feedback again.' }),
  note: z.string().max(4_000).meta({ title: 'Note', description: 'The feedback in plain words.' }).optional(),
  url: z.string().max(2_048).meta({ title: 'URL', description: 'The page that it is about.' }).optional(),
  pageNumbers: strings(z.int().min(1), 100).meta({ title: 'Pages', description: 'Pages of a document.' }),
  metadata: z
    .record(z.string().max(100), z.json())
    .refine(
      (value) => JSON.stringify(value).length <= maxMetadata,
      `must have at most ${maxMetadata} characters as JSON`,
    )
    .meta({ title: 'Metadata', description: 'Further data about the result.' })
    .optional(),
})

export type Feedback = z.output<typeof feedback>

/** The response to feedback. Nothing is refunded. */
export const receivedFeedback = z.object({
  feedbackId: z.uuid(),
  creditsRefunded: z.literal(0).describe('Nothing is refunded here.'),
  creditsRefundedToday: z.literal(0),
  dailyRefundCap: z.literal(0),
  alreadySubmitted: z.literal(true).optional().describe('Present if there is feedback on this result already.'),
})

/** Feedback as it is listed. */
export const storedFeedback = feedback
  .extend({ id: z.uuid(), createdAt: z.iso.datetime() })
  .meta({ id: 'GivenFeedback', description: 'Feedback on the result of a request.' })

export type StoredFeedback = z.output<typeof storedFeedback>

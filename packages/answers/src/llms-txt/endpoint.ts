import type { AnswerStatus, JobEndpoint } from '@harvestman/core/plugin'
import { z } from 'zod'

interface Texts {
  readonly llmstxt: string
  readonly llmsfulltxt?: string | undefined
}

/** The endpoints in the shape of version 1 of the public API. */
export const endpoint: JobEndpoint<AnswerStatus<Texts>> = {
  path: '/v1/llmstxt',
  deprecated: { sentence: 'The public API offers llms.txt no longer. It still works here.' },
  state: z.object({
    success: z.boolean(),
    status: z.enum(['processing', 'completed', 'failed']),
    data: z.object({ llmstxt: z.string(), llmsfulltxt: z.string().optional() }),
    error: z.string().optional(),
    expiresAt: z.iso.datetime(),
  }),
  toBody: ({ status, data, error, expiresAt }) => ({
    success: status === 'processing' || status === 'completed',
    // Version 1 has no `cancelled` status.
    status: status === 'cancelled' ? 'failed' : status,
    data: { llmstxt: '', ...data },
    ...(status === 'cancelled' ? { error: 'The job was cancelled.' } : error !== undefined && { error }),
    expiresAt,
  }),
  messages: {
    notFound: 'llmsTxt generation job not found',
  },
}

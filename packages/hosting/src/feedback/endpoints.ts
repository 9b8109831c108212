// Endpoints for feedback on results.
import { jobId, type MakeEndpoint } from '@harvestman/core/plugin'
import { z } from 'zod'

import type { FeedbackBox } from './feedback.ts'
import { feedback, receivedFeedback, searchFeedback, storedFeedback, type Feedback } from './schemas.ts'

const submission = {
  method: 'POST',
  rate: 'team',
  isNoted: false,
  isFlat: true,
  output: receivedFeedback,
  errors: ['not_found', 'conflict'],
} as const

async function submit(box: FeedbackBox, team: string, input: Feedback): Promise<z.input<typeof receivedFeedback>> {
  const { id, isRepeated } = await box.submit(team, input)
  const refunds = { creditsRefunded: 0, creditsRefundedToday: 0, dailyRefundCap: 0 } as const
  return { feedbackId: id, ...refunds, ...(isRepeated && { alreadySubmitted: true as const }) }
}

/** The endpoints of `engine.feedback`. */
export const feedbackEndpoints = (endpoint: MakeEndpoint<FeedbackBox>) => ({
  submit: endpoint({
    ...submission,
    path: '/v2/feedback',
    summary: 'Stores feedback on a result, within 120 s. Nothing is refunded.',
    input: feedback,
    run: (box, { team, input }) => submit(box, team, input),
  }),
  submitForSearch: endpoint({
    ...submission,
    path: '/v2/search/{id}/feedback',
    params: { id: jobId },
    summary: 'Stores feedback on a search, within 120 s. Nothing is refunded.',
    input: searchFeedback,
    run: (box, { team, params, input }) => submit(box, team, { ...input, endpoint: 'search', jobId: params.id }),
  }),
  list: endpoint({
    method: 'GET',
    rate: 'team',
    path: '/v2/feedback',
    summary: 'Lists the feedback of the team from the last 30 days, newest first.',
    input: z.object({
      limit: z.int().min(1).max(100).meta({ title: 'Number', description: 'Maximum number of entries.' }).default(50),
    }),
    output: z.array(storedFeedback),
    run: async (box, { team, input }) => [...(await box.list(team, input.limit))],
  }),
})

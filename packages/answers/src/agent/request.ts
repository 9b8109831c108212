import { jobOptions, jsonSchema, webUrl } from '@harvestman/core/plugin'
import { z } from 'zod'

/** Model names of the public API. They are accepted but have no effect: the operator configures the model. */
const agentModels = ['spark-1-pro', 'spark-1-mini', 'spark-2'] as const

const agentPrompt = z
  .string()
  .trim()
  .min(1)
  .max(10_000)
  .meta({ title: 'Prompt', description: 'What is to be found out, in plain words.', order: 0 })

/** The agent request. */
export const request = z
  .strictObject({
    prompt: agentPrompt,
    urls: z
      .array(webUrl)
      .max(100)
      .meta({ title: 'Addresses', description: 'Where it begins. Without any it searches.' })
      .default([]),
    schema: jsonSchema.meta({ title: 'Schema', description: 'The JSON Schema of the answer.' }).optional(),
    maxCredits: z
      .int()
      .min(1)
      .meta({ title: 'Credits', description: 'Fails, and costs nothing, before it would cost more.' })
      .default(2_500),
    strictConstrainToURLs: z
      .boolean()
      .meta({ title: 'Only these', description: 'Reads only the pages in `urls` and below them.' })
      .default(false),
    effort: z
      .enum(['low', 'medium', 'high'])
      .meta({ title: 'Effort', description: 'At most 8, 15 or 25 steps.' })
      .default('medium'),
    model: z
      .enum(agentModels)
      .meta({
        title: 'Model',
        description: 'Accepted for compatibility with the public API; the server decides the model.',
        deprecated: true,
      })
      .default('spark-1-pro'),
    mode: z
      .literal('extract')
      .meta({ title: 'Mode', description: 'Taken from clients of the public API.', deprecated: true })
      .optional(),
    webhook: jobOptions.webhook,
    record: jobOptions.record,
  })
  .superRefine(({ strictConstrainToURLs, urls }, context) => {
    if (!strictConstrainToURLs || urls.length > 0) return
    context.addIssue({ code: 'custom', path: ['urls'], message: 'are needed with strictConstrainToURLs; give some' })
  })

export type AgentRequest = z.output<typeof request>

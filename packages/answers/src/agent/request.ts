import { jobOptions, jsonSchema, webUrl } from '@harvestman/core/plugin'
import { z } from 'zod'

/** Model names of the public API. They are accepted but have no effect: the operator configures the model. */
const agentModels = ['spark-1-pro', 'spark-1-mini', 'spark-2'] as const

const agentPrompt = z
  .string()
  .trim()
  .min(1)
  .max(10_000)
  .meta({ title: 'Prompt', description: 'What to find out, in plain language.', order: 0 })

const approvalId = z.string().min(1).max(200)

/** Paid calls of the public API's vendor. The options are accepted; no such call is ever made. */
const exchange = z
  .strictObject({
    enabled: z.boolean().optional(),
    toolkits: z.array(z.string().min(1).max(200)).max(5).optional(),
    maxCalls: z.int().min(1).max(30).optional(),
    requireApproval: z.boolean().optional(),
    approve: z
      .strictObject({
        approvalId,
        callIds: z.array(z.string().min(1).max(200)).max(30).optional(),
        always: z.boolean().optional(),
      })
      .optional(),
    decline: z.strictObject({ approvalId }).optional(),
    onTermsRequired: z.enum(['skip', 'ask']).optional(),
  })
  .meta({
    title: 'Exchange',
    description: 'Accepted for compatibility with the public API. This server makes no paid calls to other providers.',
    deprecated: true,
  })

/** The agent request. */
export const request = z
  .strictObject({
    prompt: agentPrompt,
    urls: z
      .array(webUrl)
      .max(100)
      .meta({ title: 'URLs', description: 'The pages to start from. Without URLs, the agent searches the web.' })
      .default([]),
    schema: jsonSchema.meta({ title: 'Schema', description: 'JSON Schema of the answer.' }).optional(),
    maxCredits: z
      .int()
      .min(1)
      .meta({ title: 'Credits', description: 'The maximum price. A run that would exceed it fails, and is free.' })
      .default(2_500),
    strictConstrainToURLs: z
      .boolean()
      .meta({ title: 'Only these URLs', description: 'Reads only the pages in `urls` and below them.' })
      .default(false),
    effort: z
      .enum(['low', 'medium', 'high'])
      .meta({ title: 'Effort', description: 'Maximum number of steps: 8 (low), 15 (medium) or 25 (high).' })
      .default('medium'),
    model: z
      .enum(agentModels)
      .meta({
        title: 'Model',
        description: 'Accepted from clients of the public API. Has no effect: the operator chooses the model.',
        deprecated: true,
      })
      .default('spark-1-pro'),
    mode: z
      .enum(['extract', 'chat'])
      .meta({
        title: 'Mode',
        description:
          '`extract` answers with data, `chat` with a message in plain words. A schema has no effect on a message.',
      })
      .default('extract'),
    threadId: z
      .guid()
      .toLowerCase()
      .meta({
        title: 'Thread',
        description: 'The conversation to continue. `schema`, `mode` and `exchange` default to those of its last turn.',
      })
      .optional(),
    exchange: exchange.optional(),
    webhook: jobOptions.webhook,
    record: jobOptions.record,
    threatProtection: jobOptions.threatProtection,
  })
  .superRefine(({ strictConstrainToURLs, urls }, context) => {
    if (!strictConstrainToURLs || urls.length > 0) return
    context.addIssue({ code: 'custom', path: ['urls'], message: 'is required with strictConstrainToURLs' })
  })

export type AgentRequest = z.output<typeof request>

import { jobOptions, jsonSchema } from '@harvestman/core/plugin'
import { z } from 'zod'

const words = z.string().trim().min(1).max(10_000)

const researchJson = z.strictObject({
  schema: jsonSchema.meta({ title: 'Schema', description: 'The JSON Schema of the result.' }).optional(),
  prompt: words.meta({ title: 'Prompt', description: 'What of the findings is wanted.' }).optional(),
  systemPrompt: words.meta({ title: 'System prompt', description: 'How the model is told to work.' }).optional(),
})

/** The research request and its limits. */
export const request = z
  .strictObject({
    query: words.meta({ title: 'Question', description: 'What is to be found out.', order: 0 }),
    maxDepth: z
      .int()
      .min(1)
      .max(12)
      .meta({ title: 'Rounds', description: 'At most so many times it searches, reads, and asks what is missing.' })
      .default(7),
    timeLimit: z
      .int()
      .min(30)
      .max(600)
      .meta({ title: 'Time', description: 'How long it looks around, before it answers.', unit: 's' })
      .default(300),
    maxUrls: z
      .int()
      .min(1)
      .max(1_000)
      .meta({ title: 'Pages', description: 'The most pages that it reads.' })
      .default(20),
    analysisPrompt: words
      .meta({ title: 'Prompt of the answer', description: 'How the answer is to be written.' })
      .optional(),
    systemPrompt: words.meta({ title: 'System prompt', description: 'How the model is told to work.' }).optional(),
    formats: z
      .array(z.enum(['markdown', 'json']))
      .min(1)
      .max(2)
      .meta({ title: 'Formats', description: 'An answer in words, data of a schema, or both.' })
      .default(['markdown']),
    jsonOptions: researchJson
      .meta({ title: 'Data', description: 'What data is wanted, with the format `json`.' })
      .optional(),
    ...jobOptions,
  })
  .superRefine(({ formats, jsonOptions }, context) => {
    if (formats.includes('json') === (jsonOptions !== undefined)) return
    const message = 'and the format json go together; give both or neither'
    context.addIssue({ code: 'custom', path: ['jsonOptions'], message })
  })

export type ResearchRequest = z.output<typeof request>

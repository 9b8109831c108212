import { jobOptions, jsonSchema } from '@harvestman/core/plugin'
import { z } from 'zod'

const words = z.string().trim().min(1).max(10_000)

const researchJson = z.strictObject({
  schema: jsonSchema.meta({ title: 'Schema', description: 'JSON Schema of the data.' }).optional(),
  prompt: words.meta({ title: 'Prompt', description: 'Which data to extract from the findings.' }).optional(),
  systemPrompt: words.meta({ title: 'System prompt', description: 'Further instructions for the model.' }).optional(),
})

/** The research request and its limits. */
export const request = z
  .strictObject({
    query: words.meta({ title: 'Question', description: 'The question to answer.', order: 0 }),
    maxDepth: z
      .int()
      .min(1)
      .max(12)
      .meta({
        title: 'Rounds',
        description: 'Maximum number of rounds. Each searches, reads, and checks what is missing.',
      })
      .default(7),
    timeLimit: z
      .int()
      .min(30)
      .max(600)
      .meta({
        title: 'Time',
        description: 'Maximum time for searching and reading, before the answer is written.',
        unit: 's',
      })
      .default(300),
    maxUrls: z
      .int()
      .min(1)
      .max(1_000)
      .meta({ title: 'Pages', description: 'Maximum number of pages to read.' })
      .default(20),
    analysisPrompt: words
      .meta({ title: 'Prompt of the answer', description: 'Instructions for writing the answer.' })
      .optional(),
    systemPrompt: words.meta({ title: 'System prompt', description: 'Further instructions for the model.' }).optional(),
    formats: z
      .array(z.enum(['markdown', 'json']))
      .min(1)
      .max(2)
      .meta({ title: 'Formats', description: 'The forms of the answer: `markdown` is text, `json` is data.' })
      .default(['markdown']),
    jsonOptions: researchJson.meta({ title: 'Data', description: 'Options of the format `json`.' }).optional(),
    ...jobOptions,
  })
  .superRefine(({ formats, jsonOptions }, context) => {
    if (formats.includes('json') === (jsonOptions !== undefined)) return
    const message = 'requires the format json, and the format json requires it; pass both or neither'
    context.addIssue({ code: 'custom', path: ['jsonOptions'], message })
  })

export type ResearchRequest = z.output<typeof request>

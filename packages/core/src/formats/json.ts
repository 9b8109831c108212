import { z } from 'zod'

import { tariff } from '../credits/tariff.ts'
import { llmPort } from '../plugin/core-ports.ts'
import { defineFormat } from '../plugin/define.ts'
import { jsonSchema } from '../schema/json-schema.ts'
import { markdown } from './markdown.ts'

const instruction =
  'Extract what is asked for from the page below. Use only what the page says; leave out what it does not.'

/** Structured data from the page, by a language model. */
export const json = defineFormat({
  type: 'json',
  options: z.object({
    schema: jsonSchema.optional(),
    prompt: z.string().min(1).max(10_000).optional(),
    systemPrompt: z.string().max(10_000).optional(),
  }),
  optionsUnder: 'jsonOptions',
  valueFits: 'schema',
  requires: { llm: llmPort },
  value: z.unknown().describe('The extracted data; it fits the schema when one was given.'),
  check: ({ schema, prompt }) => (schema || prompt ? undefined : 'needs a schema or a prompt; give one of them'),
  needs: { markdown },
  derive: async ({ markdown }, { options, ports: { llm }, signal, use }) => {
    const { schema, prompt, systemPrompt } = options
    const question = {
      system: systemPrompt ?? instruction,
      prompt: [prompt, markdown].filter(Boolean).join('\n\n'),
      ...(schema && { schema }),
    }
    const { value, usage } = await llm.ask(question, signal)
    use(usage)
    return value
  },
  credits: () => tariff.modelFormat,
})

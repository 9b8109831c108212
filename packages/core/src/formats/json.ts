import { z } from 'zod'

import { tariff } from '../credits/tariff.ts'
import { askForValue, type PageQuestion, groundedFields, structured, type MarkedUp } from '@harvestman/asking'
import { isSchemaFault, readJsonSchema } from '@harvestman/json-schema'
import type { EngineError } from '@harvestman/ports'
import { llmPort } from '../plugin/core-ports.ts'
import { defineFormat } from '../plugin/define.ts'
import { missingPort } from '../plugin/missing-port.ts'
import { jsonSchema } from '../schema/json-schema.ts'
import { inWords } from '../schema/words.ts'
import { markdown } from './markdown.ts'
import { pageFilled } from './readings.ts'

/** Without a schema the model chooses what an answer to the prompt has. */
const anyObject = { type: 'object' } as const

const withoutModel = (says: string, missing: readonly string[]): EngineError =>
  missingPort(llmPort, 'The format json', { says, missing })

/** Structured data of the page: what it marks up for programs, and what a language model finds in its text. */
export const json = defineFormat({
  type: 'json',
  options: z.object({
    schema: jsonSchema
      .meta({
        title: 'Schema',
        description: 'The JSON Schema of the data; in a program also a zod schema, which parses it.',
      })
      .optional(),
    ...inWords,
  }),
  optionsUnder: 'jsonOptions',
  valueFits: 'schema',
  oneOf: ['schema', 'prompt'],
  uses: { llm: llmPort },
  // What is asked in words only a model understands.
  requiresFor: ({ prompt }) => (prompt === undefined ? [] : [llmPort]),
  leastTimeout: 60_000,
  value: z.unknown().describe('The extracted data. It matches the schema, if you set one.'),
  check: ({ schema }) => {
    const read = schema && readJsonSchema(schema)
    return read && isSchemaFault(read) ? `has a schema that ${read.problem}` : undefined
  },
  needs: { markdown, pageFilled },
  derive: async ({ markdown, pageFilled }, { options, page, ports: { llm }, signal, use, warn, explain }) => {
    const { schema, prompt, systemPrompt } = options
    const question: PageQuestion = {
      task: prompt ?? 'Find what the schema asks for.',
      system: systemPrompt,
      page: { url: page.url, text: markdown },
    }
    const asker = llm && { llm, signal, use, warn }
    if (!schema) {
      const value = asker ? await askForValue(asker, question, anyObject) : {}
      explain({ fields: groundedFields(value, undefined, markdown) })
      return value
    }
    // A prompt may ask for something else than what the page marks up.
    const marked = prompt === undefined ? (pageFilled as MarkedUp | undefined) : undefined
    const { value, fields } = await structured(asker ?? { warn, refuse: withoutModel }, question, schema, marked)
    explain({ fields })
    return value
  },
  // What the page marks up costs nothing on top.
  credits: (_, { inputTokens, outputTokens }) => (inputTokens + outputTokens > 0 ? tariff.modelFormat : 0),
  creditsAtMost: () => tariff.modelFormat,
})

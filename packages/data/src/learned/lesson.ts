import { defineFormat, jsonSchema, jsonValue, rawHtml } from '@harvestman/core/plugin'
import type { Json } from '@harvestman/ports'
import { z } from 'zod'

import { learnFrom } from './known.ts'

/** Values may be nested deeper than the request types can express. */
const answered: z.ZodType<{ readonly [name: string]: Json }, Readonly<Record<string, unknown>>> = z.record(
  z.string(),
  jsonValue,
)

/** Teaches an extractor the values of a page, given by a person or another system. */
export const lesson = defineFormat({
  type: 'lesson',
  options: z.object({
    schema: jsonSchema.meta({ title: 'Schema', description: 'The JSON Schema of later requests for `json`.' }),
    answer: answered.meta({ title: 'Answer', description: 'The values of this page. They match the schema.' }),
    prompt: z
      .string()
      .max(10_000)
      .optional()
      .meta({ title: 'Prompt', description: 'The prompt of later requests for `json`, if any.' }),
  }),
  oneOf: ['schema'],
  value: z.object({
    extractor: z
      .string()
      .nullable()
      .describe('The id of the learned extractor. `null` if no value was found on the page.'),
    learned: z.array(z.string()).describe('JSON Pointers of the values that the extractor finds.'),
    notLearned: z.array(z.string()).describe('JSON Pointers of the values that are not on the page.'),
  }),
  needs: { rawHtml },
  onFailure: 'warn',
  derive: async ({ rawHtml }, { options, page, request, store, clock, signal, read, warn }) => {
    const { schema, answer, prompt } = options
    const lesson = { page: { url: page.url, html: rawHtml }, schema, prompt, store, clock, signal, read }
    if (request.zeroDataRetention) warn('A lesson teaches nothing in a request with zeroDataRetention.')
    const extractor = request.zeroDataRetention ? undefined : await learnFrom(lesson, answer)
    const fields = Object.entries(extractor?.program.fields ?? {})
    const lists = Object.keys(extractor?.program.lists ?? {})
    const pointersOf = (isLearned: boolean): readonly string[] =>
      fields.flatMap(([pointer, { alternatives }]) => (alternatives.length > 0 === isLearned ? [pointer] : []))
    return {
      extractor: extractor?.id ?? null,
      learned: [...pointersOf(true), ...lists],
      notLearned: pointersOf(false),
    }
  },
})

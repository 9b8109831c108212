import { z } from 'zod'

import { defineFormat } from '../plugin/define.ts'
import { valueTokens } from '../schema/omitted.ts'
import { pageMarkdown } from './readings.ts'

/** The format `markdown`. */
export const markdown = defineFormat({
  type: 'markdown',
  options: z.object({
    maxTokens: valueTokens,
    query: z
      .string()
      .min(1)
      .max(2_000)
      .meta({ title: 'Query', description: 'Words of the parts to prefer. Requires `maxTokens`.' })
      .optional(),
  }),
  check: ({ maxTokens, query }) =>
    query !== undefined && maxTokens === undefined ? 'query requires maxTokens' : undefined,
  value: z.string().describe('The content of the page as GitHub-flavoured Markdown.'),
  is: pageMarkdown,
  shorten: ({ maxTokens, query }) =>
    maxTokens === undefined
      ? undefined
      : async (markdown, { signal, omit }) => {
          const { fitMarkdown } = await import('@harvestman/chunks')
          const [fitted] = await fitMarkdown([{ markdown }], { maxTokens, query }, signal)
          omit(fitted?.omitted ?? [])
          return fitted?.markdown ?? ''
        },
})

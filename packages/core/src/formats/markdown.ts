import { z } from 'zod'

import { defineFormat } from '../plugin/define.ts'
import { pageMarkdown } from './readings.ts'

/** The format `markdown`. */
export const markdown = defineFormat({
  type: 'markdown',
  value: z.string().describe('The content of the page as GitHub-flavoured Markdown.'),
  is: pageMarkdown,
})

import { z } from 'zod'

import { defineFormat } from '../plugin/define.ts'
import { pageHtml } from './readings.ts'

/** The format `html`. */
export const html = defineFormat({
  type: 'html',
  value: z.string().describe('The content of the page as clean HTML.'),
  is: pageHtml,
})

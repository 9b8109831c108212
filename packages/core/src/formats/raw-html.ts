import { z } from 'zod'

import { defineFormat } from '../plugin/define.ts'
import { pageText } from './readings.ts'

/** The format `rawHtml`. */
export const rawHtml = defineFormat({
  type: 'rawHtml',
  value: z.string().describe('The HTML of the page as received, decoded.'),
  is: pageText,
})

import { z } from 'zod'

import { defineFormat } from '../plugin/define.ts'
import { pageText } from './readings.ts'

/** The format `rawHtml`. */
export const rawHtml = defineFormat({
  type: 'rawHtml',
  value: z.string().describe('The page as received, decoded.'),
  is: pageText,
})

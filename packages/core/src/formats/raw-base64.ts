import { z } from 'zod'

import { defineFormat } from '../plugin/define.ts'
import { pageBase64 } from './readings.ts'

/** The format `rawBase64`: the body of the response, of any type. */
export const rawBase64 = defineFormat({
  type: 'rawBase64',
  value: z.string().describe('The body of the response as base64. Cannot be combined with other formats.'),
  is: pageBase64,
  isRaw: true,
})

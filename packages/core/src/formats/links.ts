import { z } from 'zod'

import { defineFormat } from '../plugin/define.ts'
import { pageLinks } from './readings.ts'

/** The format `links`. */
export const links = defineFormat({
  type: 'links',
  value: z
    .array(z.string())
    .describe('The absolute URLs of the links in the content, without duplicates, in page order.'),
  is: pageLinks,
})

import { z } from 'zod'

import { defineFormat } from '../plugin/define.ts'
import { pageLinks } from './readings.ts'

/** The format `links`. */
export const links = defineFormat({
  type: 'links',
  value: z.array(z.string()).describe('Where the content links to: absolute, each once, in the order of the page.'),
  is: pageLinks,
})

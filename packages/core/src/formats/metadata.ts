import { z } from 'zod'

import { defineField, defineFormat } from '../plugin/define.ts'
import { pageMetadata } from './readings.ts'

/** The format `metadata`. Every document has metadata anyway, so listing it adds nothing. */
export const metadata = defineFormat({
  type: 'metadata',
  value: z.record(z.string(), z.unknown()).describe('The metadata of the page, and how it was loaded.'),
  needs: { pageMetadata },
  fromPageAlone: true,
  derive: ({ pageMetadata }) => pageMetadata,
})

/** Title of the page, for formats that need it; an empty string if there is none. */
export const title = defineField({
  name: 'title',
  needs: { pageMetadata },
  fromPageAlone: true,
  derive: ({ pageMetadata }) => (typeof pageMetadata['title'] === 'string' ? pageMetadata['title'] : ''),
})

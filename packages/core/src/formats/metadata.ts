import { z } from 'zod'

import { defineField, defineFormat } from '../plugin/define.ts'
import { pageMetadata } from './readings.ts'

/** The metadata of the page, which every document has. Listing the format asks for nothing else. */
export const metadata = defineFormat({
  type: 'metadata',
  value: z.record(z.string(), z.unknown()).describe('The metadata of the page, and how it was loaded.'),
  needs: { pageMetadata },
  fromPageAlone: true,
  derive: ({ pageMetadata }) => pageMetadata,
})

/** The title of the page, for formats that need it. */
export const title = defineField({
  name: 'title',
  needs: { pageMetadata },
  fromPageAlone: true,
  derive: ({ pageMetadata }) => (typeof pageMetadata['title'] === 'string' ? pageMetadata['title'] : ''),
})

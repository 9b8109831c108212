import { z } from 'zod'

import { defineFormat } from '../plugin/define.ts'
import { pageHiddenText, pageImages, pageLinks } from './readings.ts'

/** The format `links`. */
export const links = defineFormat({
  type: 'links',
  value: z
    .array(z.string())
    .describe('The absolute URLs of the links in the content, without duplicates, in page order.'),
  is: pageLinks,
})

/** The format `images`. */
export const images = defineFormat({
  type: 'images',
  value: z.array(z.string()).describe('The absolute URLs of the images, without duplicates.'),
  is: pageImages,
})

/** The format `hiddenText`. */
export const hiddenText = defineFormat({
  type: 'hiddenText',
  value: z
    .array(z.object({ reason: z.string(), kept: z.string().optional(), text: z.string(), length: z.number() }))
    .describe('Text that the page hides when it opens. It was removed from the content, unless `kept` gives a reason.'),
  is: pageHiddenText,
})

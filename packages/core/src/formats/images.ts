import { z } from 'zod'

import { defineFormat } from '../plugin/define.ts'
import { pageImages } from './readings.ts'

/** The format `images`. */
export const images = defineFormat({
  type: 'images',
  value: z.array(z.string()).describe('The absolute URLs of the images, without duplicates.'),
  is: pageImages,
})

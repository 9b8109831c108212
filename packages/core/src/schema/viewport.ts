import { z } from 'zod'

/** Size of the browser window, in CSS pixels. */
export const viewport = z
  .strictObject({
    width: z.int().min(1).max(7_680).meta({ title: 'Width', unit: 'px', description: 'The width of the window.' }),
    height: z.int().min(1).max(4_320).meta({ title: 'Height', unit: 'px', description: 'The height of the window.' }),
  })
  .meta({ id: 'Viewport', title: 'Window', description: 'The size of the browser window.' })

/** Options of a screenshot, both as a format and as an action. */
export const screenshotOptions = {
  fullPage: z
    .boolean()
    .meta({ title: 'The whole page', description: 'Captures the whole page instead of the window.' })
    .default(false),
  quality: z
    .int()
    .min(1)
    .max(100)
    .meta({ title: 'Quality', description: 'Returns a JPEG of this quality instead of a PNG.' })
    .optional(),
  viewport: viewport.optional(),
}

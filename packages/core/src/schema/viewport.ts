import { z } from 'zod'

/** The size of the window a page is looked at through, in CSS pixels. */
export const viewport = z.strictObject({
  width: z.int().min(1).max(7_680),
  height: z.int().min(1).max(4_320),
})

import { z } from 'zod'

import { defineFormat } from '../plugin/define.ts'
import { selector } from '../schema/selector.ts'
import { pageAttributes } from './readings.ts'

const wanted = z.strictObject({
  selector: selector.describe('A CSS selector.'),
  attribute: z.string().min(1).max(200).describe('The name of the attribute to read.'),
})

export const attributes = defineFormat({
  type: 'attributes',
  options: z.object({ selectors: z.array(wanted).min(1).max(100) }),
  value: z.array(z.object({ selector: z.string(), attribute: z.string(), values: z.array(z.string()) })),
  is: pageAttributes,
})

import { z } from 'zod'

import { defineFormat } from '../plugin/define.ts'
import { selector } from '../schema/selector.ts'
import { pageAttributes } from './readings.ts'

const wanted = z.strictObject({
  selector: selector.meta({ title: 'Selector', description: 'A CSS selector.' }),
  attribute: z.string().min(1).max(200).meta({ title: 'Attribute', description: 'The name of the attribute to read.' }),
})

/** The format `attributes`: attributes of the elements that match a selector. */
export const attributes = defineFormat({
  type: 'attributes',
  options: z.object({
    selectors: z
      .array(wanted)
      .min(1)
      .max(100)
      .meta({ title: 'Selectors', description: 'The attributes to read, and the elements to read them from.' }),
  }),
  value: z
    .array(z.object({ selector: z.string(), attribute: z.string(), values: z.array(z.string()) }))
    .describe('Attributes of elements, as written in the page.'),
  is: pageAttributes,
})

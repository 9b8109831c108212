import { z } from 'zod'

import { defineAction } from '../plugin/define.ts'

const papers = ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'] as const

export const pdfAction = defineAction({
  type: 'pdf',
  schema: z
    .object({
      format: z.enum(papers).meta({ title: 'Paper', description: 'The size of the paper.' }).default('Letter'),
      landscape: z.boolean().meta({ title: 'Landscape', description: 'Lays the paper on its side.' }).default(false),
      scale: z
        .number()
        .min(0.1)
        .max(2)
        .meta({ title: 'Scale', description: 'How large things are drawn; 1 is as they are.' })
        .default(1),
    })
    .describe('Prints the page, and gives the address of the PDF in `actions.pdfs`.'),
  isRepeated: false,
  // Printing looks at the page and tells it nothing.
  needs: { pictures: true, ownContext: false },
  run: async (tab, options, { signal }) => ({ into: 'pdfs', value: await tab.pdf(options, signal) }),
})

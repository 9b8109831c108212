import { z } from 'zod'

import { defineAction } from '../plugin/define.ts'

const papers = ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'] as const

export const pdfAction = defineAction({
  type: 'pdf',
  schema: z
    .object({
      format: z.enum(papers).meta({ title: 'Paper', description: 'The paper size.' }).default('Letter'),
      landscape: z.boolean().meta({ title: 'Landscape', description: 'Uses landscape orientation.' }).default(false),
      scale: z
        .number()
        .min(0.1)
        .max(2)
        .meta({ title: 'Scale', description: 'The scale of the page; 1 is the original size.' })
        .default(1),
    })
    .describe('Prints the page, and returns the URL of the PDF in `actions.pdfs`.'),
  isRepeated: false,
  // Printing needs the images and changes no state of the page.
  needs: { pictures: true, ownContext: false },
  run: async (tab, options, { signal }) => ({ into: 'pdfs', value: await tab.pdf(options, signal) }),
})

import { z } from 'zod'

import { defineAction } from '../plugin/define.ts'

const papers = ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'] as const

export const pdfAction = defineAction({
  type: 'pdf',
  schema: z.object({
    format: z.enum(papers).default('Letter'),
    landscape: z.boolean().default(false),
    scale: z.number().min(0.1).max(2).default(1),
  }),
  run: async (tab, options, { signal }) => ({ into: 'pdfs', value: await tab.pdf(options, signal) }),
})

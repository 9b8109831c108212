import { z } from 'zod'

export const activity = z.object({
  type: z.enum(['search', 'extract', 'analyze', 'reasoning', 'synthesis']),
  status: z.enum(['processing', 'complete', 'error']),
  message: z.string(),
  timestamp: z.iso.datetime(),
  depth: z.int(),
})

export const source = z.object({ url: z.string(), title: z.string(), description: z.string(), favicon: z.string() })

// Answers about extractors and their versions.
import { programSchema, type Extractor, type ExtractorVersion } from '@harvestman/data'
import { z } from 'zod'

export const versionSchema = z.object({
  revision: z.int().min(1).describe('Counts the changes.'),
  changedAt: z.number().describe('Milliseconds since 1970.'),
  program: programSchema,
})

export const extractorSchema = versionSchema.extend({ id: z.string(), host: z.string() })

export function showVersion({ revision, changedAt, program }: ExtractorVersion): z.input<typeof versionSchema> {
  return { revision, changedAt, program }
}

export function showExtractor({ id, host, ...version }: Extractor): z.input<typeof extractorSchema> {
  return { id, host, ...showVersion(version) }
}

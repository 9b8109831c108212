// Answers about scripts and their runs.
import {
  scriptSchema,
  type KeptScript,
  type ScriptHistory,
  type ScriptRun,
  type ScriptVersion,
} from '@harvestman/scripts'
import { z } from 'zod'

const about = {
  name: z.string(),
  version: z.int(),
  origin: z.enum(['recorded', 'edited', 'repaired']),
  changedAt: z.number().describe('Milliseconds since 1970.'),
}

const { start, parameters } = scriptSchema.shape

export const versionSchema = z.object({ ...about, start, parameters, steps: z.int() })
export const keptSchema = z.object({ ...about, script: scriptSchema })

const change = { step: z.int().describe('Its number in the script, from 1.'), changes: z.array(z.string()) }

export const historySchema = z.object({
  versions: z.array(versionSchema),
  repairs: z.array(z.object({ ...change, at: z.number(), version: z.int() })),
})

export const runSchema = z.object({
  name: z.string(),
  version: z.int(),
  repairedTo: z.int().optional().describe('The version that the repairs of this run have made.'),
  url: z.string().describe('Where the page was at the end.'),
  steps: z.array(
    z.object({
      step: z.int(),
      action: z.string(),
      outcome: z.enum(['done', 'already', 'repaired']),
      element: z.string().optional(),
      note: z.string().optional(),
      url: z.string(),
    }),
  ),
  repairs: z.array(z.object(change)),
})

export const showVersion = (version: ScriptVersion): z.input<typeof versionSchema> => ({ ...version })
export const showKept = (kept: KeptScript): z.input<typeof keptSchema> => ({ ...kept })

export function showHistory({ versions, repairs }: ScriptHistory): z.input<typeof historySchema> {
  return {
    versions: versions.map(showVersion),
    repairs: repairs.map(({ step, changes, at, version }) => ({ step, changes: [...changes], at, version })),
  }
}

export function showRun({ steps, repairs, ...run }: ScriptRun): z.input<typeof runSchema> {
  return {
    ...run,
    steps: steps.map((step) => ({ ...step })),
    repairs: repairs.map(({ step, changes }) => ({ step, changes: [...changes] })),
  }
}
